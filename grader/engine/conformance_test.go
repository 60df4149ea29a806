package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fieldbook/grader"
	"fieldbook/grader/engine"
	teaching "fieldbook/runtime"
)

// childVariable, when set, names a prepared program that this test binary runs instead of its tests: programs that die
// by a panic in a goroutine need a process of their own.
const childVariable = "FIELDBOOK_ENGINE_RUN"

func TestMain(m *testing.M) {
	if file := os.Getenv(childVariable); file != "" {
		os.Exit(child(file))
	}
	flag.Parse()
	os.Exit(m.Run())
}

// child runs a program that stands alone and returns the exit status of its process.
func child(file string) int {
	i, err := engine.NewInterpreter(os.Stdout, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	data, err := os.ReadFile(file)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	var prepared engine.Prepared
	if err := json.Unmarshal(data, &prepared); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	if err := i.Load(prepared); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	main, err := i.Main()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	if recovered := catch(main); recovered != nil {
		fmt.Fprintf(os.Stderr, "crash: %+v\n", i.Crash(recovered))
		return 2
	}
	return 0
}

// process runs a prepared program in a process of its own.
func process(t *testing.T, prepared *engine.Prepared) (stdout, stderr string, code int) {
	t.Helper()
	data, err := json.Marshal(prepared)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "program.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, self)
	command.Env = []string{childVariable + "=" + file, "GOMAXPROCS=1"}
	var out, errs bytes.Buffer
	command.Stdout, command.Stderr = &out, &errs
	err = command.Run()
	if ctx.Err() != nil {
		t.Fatal("the program hangs")
	}
	if command.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), errs.String(), command.ProcessState.ExitCode()
}

// readCase is a conformance case and what it prints.
func readCase(t *testing.T, file string) (text, want []byte) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if want, err = os.ReadFile(strings.TrimSuffix(file, ".go") + ".out"); err != nil {
		t.Fatal(err)
	}
	return text, want
}

// Every conformance case, through the path of fieldbook try with the symbols that ship: right, or refused as unsupported.
func TestConformanceThroughPrepare(t *testing.T) {
	cases, err := filepath.Glob("testdata/conformance/cases/*.go")
	if err != nil || len(cases) == 0 {
		t.Fatalf("no conformance cases: %v", err)
	}
	e := engine.New(teaching.Tree())
	right, unsupported := 0, 0
	for _, file := range cases {
		name := strings.TrimSuffix(filepath.Base(file), ".go")
		t.Run(name, func(t *testing.T) {
			text, want := readCase(t, file)
			prepared, found, err := e.Prepare(context.Background(), mainProgram(string(text)))
			if err != nil {
				t.Fatal(err)
			}
			if len(found) > 0 {
				if engine.OutcomeOf(found) != grader.Unsupported {
					t.Fatalf("refused: %v", found)
				}
				unsupported++
				return
			}
			stdout, stderr, code := process(t, prepared)
			if stdout != string(want) {
				t.Errorf("exit %d, stderr %s\ngot:\n%s\nwant:\n%s", code, stderr, stdout, want)
				return
			}
			right++
		})
	}
	t.Logf("%d right, %d unsupported, of %d", right, unsupported, len(cases))
}

// The interpreter drops the sign of a negative zero that is passed; what travels to it does not let that happen.
func TestNegativeZeroIsPassed(t *testing.T) {
	text, err := os.ReadFile("testdata/negative_zero.go")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/negative_zero.out")
	if err != nil {
		t.Fatal(err)
	}
	prepared, found, err := engine.New(teaching.Tree()).Prepare(t.Context(), mainProgram(string(text)))
	if err != nil || len(found) > 0 {
		t.Fatal(err, found)
	}
	if stdout, stderr, code := process(t, prepared); stdout != string(want) {
		t.Errorf("exit %d, stderr %s\ngot:\n%s\nwant:\n%s", code, stderr, stdout, want)
	}
}

// A panic in a goroutine ends the process; what it leaves on stderr names the learner's line.
func TestGoroutinePanic(t *testing.T) {
	tests := []struct {
		name, statement string
		want            grader.Crash
	}{
		{"text", `panic("boom")`, grader.Crash{Kind: grader.CrashPanic, Message: "boom"}},
		{"error", `panic(errors.New("boom"))`, grader.Crash{Kind: grader.CrashPanic, Message: "boom"}},
		{"nil map", `var m map[int]int; m[1] = 2`, grader.Crash{Kind: grader.CrashNilMap, Message: "assignment to entry in nil map"}},
		{"index", `s := []int{}; i := len(s); s[i] = 1`, grader.Crash{Kind: grader.CrashIndex, Message: "runtime error: index out of range"}},
	}
	e := engine.New(teaching.Tree())
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			text := "package main\n\nimport (\n\t\"errors\"\n\t\"fmt\"\n\t\"time\"\n)\n\nvar _ = errors.New\n\nfunc main() {\n\tfmt.Println(\"before\")\n\tgo func() {\n\t\t" +
				test.statement + "\n\t}()\n\ttime.Sleep(time.Minute)\n}\n"
			prepared, found, err := e.Prepare(context.Background(), mainProgram(text))
			if err != nil || len(found) > 0 {
				t.Fatal(err, found)
			}
			stdout, stderr, code := process(t, prepared)
			if stdout != "before\n" || code == 0 {
				t.Errorf("stdout %q, exit %d", stdout, code)
			}
			crash, rest, ok := engine.ParseTrace([]byte(stderr))
			want := test.want
			want.File, want.Line = "main.go", 14
			if !ok || crash != want {
				t.Errorf("got %+v, want %+v\n%s", crash, want, stderr)
			}
			if len(rest) > 0 {
				t.Errorf("what the program printed: %q", rest)
			}
		})
	}
}
