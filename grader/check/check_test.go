package check

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/engine"
	"fieldbook/grader/sandbox"
	teaching "fieldbook/runtime"
)

func TestMain(m *testing.M) {
	if sandbox.IsWorker(os.Args) {
		sandbox.ServeRoles(map[string]sandbox.Warm{
			Role: func(string) sandbox.Function { return Function(teaching.Tree()) },
		})
	}
	sandbox.Harden()
	os.Exit(m.Run())
}

func newPool(t testing.TB) *sandbox.Pool {
	t.Helper()
	pool, err := sandbox.NewPool(sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// alone is a program of one learner's file.
func alone(text string) engine.Program {
	return engine.Program{
		Sources: []engine.Source{{Path: "main.go", Name: "mine.go", Text: []byte(text), Learner: true}},
		Entry:   engine.Entry{Package: "main", Function: "main"},
		Rules:   engine.Rules{Main: true},
	}
}

// restore is the exercise of that name with a learner's file, as its visible probe drives it.
func restore(t testing.TB, text []byte) engine.Program {
	t.Helper()
	e, err := exercises.Named("restore")
	if err != nil {
		t.Fatal(err)
	}
	probe, err := e.File(e.Probe)
	if err != nil {
		t.Fatal(err)
	}
	return engine.Program{
		Sources: []engine.Source{
			{Path: e.Replaces[0].File, Text: text, Learner: true},
			{Path: "probe/probe.go", Text: probe},
		},
		Entry: engine.Entry{Package: engine.ImportPath("probe/probe.go"), Function: "Probe"},
		Rules: engine.Rules{RefuseClock: true, RefuseInit: true},
	}
}

func reference(t testing.TB) []byte {
	t.Helper()
	text, err := teaching.Source("runtime/assistant/restore.go")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A worker prepares what the engine prepares in this process, and says what it says.
func TestSameAsInThisProcess(t *testing.T) {
	programs := map[string]engine.Program{
		"reference":   restore(t, reference(t)),
		"syntax":      alone("package main\n\nfunc main() {\n"),
		"types":       alone("package main\n\nfunc main() { var x int = \"x\"; y := 1 }\n"),
		"not offered": alone("package main\n\nimport \"os\"\n\nfunc main() { os.Exit(0) }\n"),
		"empty":       alone(""),
		"not UTF-8":   alone("package main // \xff\x1b[2J\n"),
		"too large":   alone("package main\n\nfunc main() {}\n" + strings.Repeat("// comment\n", 30_000)),
		"no learner":  {Sources: []engine.Source{{Path: "main.go", Text: []byte("package main\n\nfunc main() {}\n")}}, Entry: engine.Entry{Package: "main", Function: "main"}, Rules: engine.Rules{Main: true}},
	}
	e, c := engine.New(teaching.Tree()), New(newPool(t), teaching.Tree())
	for name, p := range programs {
		t.Run(name, func(t *testing.T) {
			want, wantFound, wantErr := e.Prepare(t.Context(), p)
			got, found, err := c.Prepare(t.Context(), p)
			if wantErr != nil || err != nil {
				t.Fatalf("in this process: %v; in a worker: %v", wantErr, err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("the program differs: %+v\nwant %+v", got, want)
			}
			if !slices.Equal(found, wantFound) {
				t.Errorf("diagnostics %q\nwant %q", found, wantFound)
			}
		})
	}
}

// What learner files took to be checked is known once a worker has prepared them: the next program with the same files
// needs no worker, one with others does.
func TestKnownFilesNeedNoWorker(t *testing.T) {
	pool := newPool(t)
	c := New(pool, teaching.Tree())
	p := restore(t, reference(t))
	if _, found, err := c.Prepare(t.Context(), p); err != nil || len(found) > 0 {
		t.Fatal(found, err)
	}
	pool.Close()
	p.Sources[1].Text = append(slices.Clone(p.Sources[1].Text), "\n// another probe\n"...)
	if prepared, found, err := c.Prepare(t.Context(), p); err != nil || len(found) > 0 || prepared == nil {
		t.Errorf("the same files beside another probe: %v, %v", found, err)
	}
	for name, change := range map[string]func(*engine.Program){
		"text":         func(p *engine.Program) { p.Sources[0].Text = append(slices.Clone(p.Sources[0].Text), '\n') },
		"rules":        func(p *engine.Program) { p.Rules.RefuseClock = false },
		"another file": func(p *engine.Program) { p.Sources[1].Learner = true },
	} {
		other := restore(t, reference(t))
		change(&other)
		_, _, err := c.Prepare(t.Context(), other)
		var known *grader.Error
		if !errors.As(err, &known) || known.Code != "sandbox_start" {
			t.Errorf("%s: error %v, want that no worker can be had", name, err)
		}
	}
}

// Programs whose check would take the machine are answered, and not by this process.
func TestBombs(t *testing.T) {
	doubled := func(n int, line string) string {
		var lines strings.Builder
		for i := range n {
			fmt.Fprintf(&lines, line+"\n", i+1, i)
		}
		return lines.String()
	}
	program := func(declarations, body string) string {
		return "package main\n\n" + declarations + "\nfunc main() {" + body + "}\n"
	}
	tests := map[string]string{
		"generic functions of growing types": program("func f0[T any](x T) {}\n"+doubled(40, "func f%d[T any](x T) { f%d(struct{ a, b T }{x, x}) }"), "f40(1)"),
		"generic types of growing types":     program("type T0[P any] struct{ x P }\n"+doubled(40, "type T%d[P any] struct{ f T%d[struct{ a, b P }] }"), "var x T40[int]; _ = x"),
		"aliases":                            program("type A0 = struct{ x int }\n"+doubled(60, "type A%d = struct{ a, b A%d }"), "var x A60; var y string = x; _ = y"),
		"array of arrays":                    program("type A0 [1 << 20]byte\n"+doubled(60, "type A%d [1 << 20]A%d"), "var x *A60; _ = x"),
		"endless instantiation":              program("type T[P any] struct{ f *T[[2]P] }", "var t T[int]; _ = t"),
		"endless function instantiation":     program("func f[T any](n int, x T) { if n > 0 { f(n-1, []T{x}) } }", "f(3, 1)"),
		"interface of interfaces":            program("type I0 interface{ m0() }\n"+doubled(200, "type I%[1]d interface { I%[2]d; m%[1]d() I%[1]d }"), "var x I200; _ = x"),
		"constant product":                   program("const a = 1 << 400\nconst b = a * a * a * a * a * a * a * a * a", "_ = b"),
		"constant shift":                     program("const huge = 1 << 100000000", "_ = huge > 1"),
		"doubled constants":                  program("const c0 = 1 << 500\n"+doubled(60, "const c%[1]d = c%[2]d * c%[2]d"), "_ = c60 == 1"),
		"doubled strings":                    program("const s0 = \"0123456789\"\n"+doubled(60, "const s%[1]d = s%[2]d + s%[2]d"), "_ = s60"),
		"exponent":                           program("const e = 1e1000000000", "_ = e"),
		"array of 8 GiB":                     program("var array [1 << 33]byte", "_ = array[0]"),
	}
	c := New(newPool(t), teaching.Tree())
	c.Warm()
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			prepared, found, err := c.Prepare(t.Context(), alone(text))
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%v: %.300q", time.Since(began), found)
			if prepared == nil && len(found) == 0 {
				t.Error("neither a program nor a message")
			}
			if size := len(fmt.Sprint(found)); size > 64<<10 {
				t.Errorf("the message has %d bytes", size)
			}
		})
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, found, err := New(newPool(t), teaching.Tree()).Prepare(ctx, alone("package main\n\nfunc main() {}\n")); !errors.Is(err, context.Canceled) || found != nil {
		t.Errorf("error %v, diagnostics %v", err, found)
	}
}

// A program that cannot be checked within its limits is the source's doing; a worker that is lost is ours.
func TestHowAWorkerEnds(t *testing.T) {
	p := alone("package main\n\nfunc main() {}\n")
	for _, test := range []struct {
		name   string
		result sandbox.Result
		says   string // in the diagnostic; "" wants an error
	}{
		{"time", sandbox.Result{Outcome: grader.Timeout, Cause: "limit: 10 s"}, "takes more than it may (limit: 10 s)"},
		{"CPU", sandbox.Result{Outcome: grader.CPULimit, Cause: "limit: 2 s"}, "takes more than it may"},
		{"memory", sandbox.Result{Outcome: grader.MemoryLimit, Cause: "limit: 320 MiB"}, "takes more than it may"},
		{"size", sandbox.Result{Outcome: grader.OutputLimit, Cause: "limit: 8 MiB"}, "takes more than it may"},
		{"recursion", sandbox.Result{Outcome: grader.NoResult, Cause: sandbox.StackOverflow}, "never comes to an end"},
		{"exit", sandbox.Result{Outcome: grader.NoResult, Cause: "exit status 1"}, ""},
		{"forged", sandbox.Result{Outcome: grader.Tampered}, ""},
		{"violation", sandbox.Result{Outcome: grader.SandboxViolation}, ""},
		{"ours", sandbox.Result{Outcome: grader.Infrastructure}, ""},
		{"no reply", sandbox.Result{Outcome: grader.Observed}, ""},
		{"empty reply", sandbox.Result{Outcome: grader.Observed, Reply: []byte("{}")}, ""},
		{"half a program", sandbox.Result{Outcome: grader.Observed, Reply: []byte(`{"prepared":{"text":"package program"}}`)}, ""},
		{"our failure", sandbox.Result{Outcome: grader.Observed, Reply: []byte(`{"failed":"no export data"}`)}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			prepared, found, err := read(p, test.result)
			switch {
			case prepared != nil:
				t.Error("a program came out")
			case test.says == "" && (err == nil || found != nil):
				t.Errorf("diagnostics %v, error %v", found, err)
			case test.says != "" && (err != nil || len(found) != 1 || !strings.Contains(found[0].Message, test.says) || found[0].File != "mine.go" || engine.OutcomeOf(found) != grader.CompileError):
				t.Errorf("diagnostics %v, error %v", found, err)
			}
		})
	}
}

func TestPanicOfTheEngine(t *testing.T) {
	data, err := json.Marshal(reply{Failed: "index out of range", Stack: []byte("goroutine 1")})
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = decodeReply(data)
	var fault *engine.PanicError
	if !errors.As(err, &fault) || string(fault.Stack) != "goroutine 1" || !strings.Contains(err.Error(), "index out of range") {
		t.Errorf("error %v", err)
	}
}

func FuzzDecodeReply(f *testing.F) {
	f.Add([]byte(`{"prepared":{"text":"package program","start":"Start","entry":"Probe","digest":"00","lines":{"files":["a"],"marks":[[1,2]]}}}`))
	f.Add([]byte(`{"diagnostics":[{"code":"type","file":"a","line":1}]}`))
	f.Add([]byte(`{"failed":"x","stack":"eA=="}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		prepared, found, err := decodeReply(data)
		if (prepared != nil) == (err != nil || len(found) > 0) {
			t.Errorf("program %v, diagnostics %v, error %v", prepared, found, err)
		}
	})
}
