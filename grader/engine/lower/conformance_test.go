package lower_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/traefik/yaegi/interp"
	"github.com/traefik/yaegi/stdlib"

	"fieldbook/grader/engine/lower"
	"fieldbook/grader/engine/lower/object"
)

var (
	update  = flag.Bool("update", false, "rewrite CONFORMANCE.md and the golden list")
	only    = flag.String("case", "", "run this conformance case alone and show everything")
	keepDir = flag.String("keep", "", "write lowered texts to this folder")
)

const conformance = "../testdata/conformance"

// TestMain runs the tests, or, as the child that a test starts, lowered programs.
func TestMain(m *testing.M) {
	if files := filepath.SplitList(os.Getenv("LOWER_RUN")); len(files) > 0 {
		code := 0
		for i, file := range files {
			if len(files) > 1 {
				fmt.Println("==", i)
			}
			code = max(code, interpret(file))
		}
		os.Exit(code)
	}
	flag.Parse()
	os.Exit(m.Run())
}

// interpret runs a lowered program and returns the exit code of its process.
func interpret(file string) int {
	text, err := os.ReadFile(file)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	i := interp.New(interp.Options{Stdout: os.Stdout, Stderr: os.Stderr})
	for _, symbols := range []interp.Exports{interp.Exports(stdlib.Symbols), interp.Exports(object.Symbols(stdlib.Symbols))} {
		if err := i.Use(symbols); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 3
		}
	}
	if _, err := i.Eval(string(text)); err != nil {
		fmt.Fprintln(os.Stderr, "rejected:", err)
		return 3
	}
	v, err := i.Eval("program.main")
	if err != nil {
		fmt.Fprintln(os.Stderr, "rejected:", err)
		return 3
	}
	return call(v.Interface().(func()))
}

func call(f func()) (code int) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(os.Stderr, "panic: %s\n", object.Describe(r))
			if _, own := r.(*object.Thrown); !own {
				fmt.Fprintf(os.Stderr, "raw: %T %v\n", r, r)
			}
			code = 2
		}
	}()
	f()
	return 0
}

// check parses and type-checks a program of one file.
func check(t testing.TB, name string, text []byte) *lower.Package {
	t.Helper()
	p, err := checkPackage("main", name, text)
	if err != nil {
		t.Fatalf("%s does not compile: %v", name, err)
	}
	return p
}

// verdict is what the pipeline does with a program.
type verdict struct {
	outcome string // right, unsupported, WRONG
	detail  string
}

// run lowers a program and runs it in a child process.
func run(t testing.TB, name string, text []byte) (stdout, stderr string, refusals []lower.Refusal, err error) {
	t.Helper()
	dir := *keepDir
	if dir == "" {
		dir = t.TempDir()
	}
	file, refusals, err := lowerTo(t, dir, name, text)
	if err != nil || len(refusals) > 0 {
		return "", "", refusals, err
	}
	stdout, stderr, err = interpretFiles(t, 20*time.Second, file)
	return stdout, stderr, nil, err
}

// lowerTo writes a lowered program of one file to a folder. Its function main calls what is to be run.
func lowerTo(t testing.TB, dir, name string, text []byte) (file string, refusals []lower.Refusal, err error) {
	t.Helper()
	lowered, refusals, err := lower.Program([]*lower.Package{check(t, name, text)}, lower.Options{})
	if err != nil || len(refusals) > 0 {
		return "", refusals, err
	}
	main := fmt.Sprintf("func main() {\n%s()\n%s()\n}\n", lowered.Start, lowered.Function("main", "main"))
	file = filepath.Join(dir, filepath.Base(name))
	if err := os.WriteFile(file, append(lowered.Text, main...), 0o644); err != nil {
		t.Fatal(err)
	}
	return file, nil, nil
}

// interpretFiles runs lowered programs in one child process.
func interpretFiles(t testing.TB, limit time.Duration, files ...string) (stdout, stderr string, err error) {
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	child := exec.CommandContext(ctx, os.Args[0])
	child.Env = append(os.Environ(), "LOWER_RUN="+strings.Join(files, string(filepath.ListSeparator)))
	var out, errs bytes.Buffer
	child.Stdout, child.Stderr = &out, &errs
	err = child.Run()
	if ctx.Err() != nil {
		err = fmt.Errorf("hangs")
	}
	return out.String(), errs.String(), err
}

func judge(t testing.TB, name string, text, want []byte) verdict {
	stdout, stderr, refusals, err := run(t, name, text)
	if len(refusals) > 0 {
		r := refusals[0]
		return verdict{"unsupported", fmt.Sprintf("%d:%d %s: %s", r.Pos.Line, r.Pos.Column, r.Code, r.Message)}
	}
	if (stdout == string(want) || stdout == "" && ownLines(stderr) == string(want)) && err == nil {
		return verdict{"right", ""}
	}
	detail := difference(stdout, string(want))
	if err != nil {
		first, _, _ := strings.Cut(stderr, "\n")
		if i := strings.Index(stderr, "\npanic: "); i >= 0 {
			first += " | " + strings.SplitN(stderr[i+1:], "\n", 2)[0]
		}
		detail = fmt.Sprintf("%v: %s; %s", err, first, detail)
	}
	return verdict{"WRONG", detail}
}

// ownLines is what a program wrote to standard error, without the interpreter's own lines about panics.
func ownLines(stderr string) string {
	var own strings.Builder
	for line := range strings.Lines(stderr) {
		if i := strings.Index(line, ": panic: program."); i < 0 {
			own.WriteString(line)
		} else if j := strings.LastIndexByte(line[:i], '\n'); j >= 0 {
			own.WriteString(line[:j+1])
		}
	}
	return own.String()
}

func difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range w {
		if i >= len(g) || g[i] != w[i] {
			line := ""
			if i < len(g) {
				line = g[i]
			}
			return fmt.Sprintf("line %d: got %.80q want %.80q", i+1, line, w[i])
		}
	}
	return "more output than expected"
}

func TestConformance(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(conformance, "cases", "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	var mu sync.Mutex
	verdicts := map[string]verdict{}
	var group sync.WaitGroup
	slots := make(chan bool, 3)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".go")
		if *only != "" && name != *only {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(strings.TrimSuffix(file, ".go") + ".out")
		if err != nil {
			t.Fatal(err)
		}
		slots <- true
		group.Go(func() {
			defer func() { <-slots }()
			v := judge(t, file, text, want)
			mu.Lock()
			verdicts[name] = v
			mu.Unlock()
		})
	}
	group.Wait()
	names := make([]string, 0, len(verdicts))
	counts := map[string]int{}
	for name, v := range verdicts {
		names = append(names, name)
		counts[v.outcome]++
	}
	sort.Strings(names)
	for _, name := range names {
		if v := verdicts[name]; v.outcome != "right" {
			t.Logf("%-11s %s: %s", v.outcome, name, v.detail)
		}
	}
	summary := fmt.Sprintf("right %d, unsupported %d, WRONG %d", counts["right"], counts["unsupported"], counts["WRONG"])
	t.Log(summary)
	if *only != "" {
		return
	}
	compareTable(t, names, verdicts, summary)
}

// compareTable holds the verdicts against CONFORMANCE.md, or writes it.
func compareTable(t *testing.T, names []string, verdicts map[string]verdict, summary string) {
	raw := rawVerdicts(t)
	var table strings.Builder
	table.WriteString(tableHead)
	fmt.Fprintf(&table, "%s.\n\n| case | interpreter alone | lowered | why not |\n|---|---|---|---|\n", summary)
	for _, name := range names {
		v := verdicts[name]
		fmt.Fprintf(&table, "| %s | %s | %s | %s |\n", name, raw[name], v.outcome, v.detail)
		if v.outcome == "WRONG" {
			t.Errorf("%s runs wrong: %s", name, v.detail)
		}
	}
	if *update {
		if err := os.WriteFile(tableFile, []byte(table.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	golden, err := os.ReadFile(tableFile)
	if err != nil {
		t.Fatal(err)
	}
	if string(golden) != table.String() {
		t.Errorf("%s is not what the cases give now: %s (run with -update if that is better)", tableFile, summary)
	}
}

const tableFile = "../CONFORMANCE.md"

const tableHead = `# What the interpreter runs right

Each case is a complete program under testdata/conformance/cases with what the Go compiler's build prints. The interpreter
(yaegi v0.16.1) gets the text that package lower makes of it. A case is *right* when every byte agrees, *unsupported* when it is
refused before running, with its position, and never anything else. The second column is what the interpreter does with
the untouched source.

Written by: go test ./grader/engine/lower -run TestConformance -update

`

// rawVerdicts is what the interpreter does with the untouched sources.
func rawVerdicts(t *testing.T) map[string]string {
	text, err := os.ReadFile(filepath.Join(conformance, "RAW-YAEGI.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	raw := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, v, _ := strings.Cut(strings.TrimSpace(line), "\t")
		raw[name] = v
	}
	return raw
}
