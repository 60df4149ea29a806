package task_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/engine"
	"fieldbook/grader/engine/toolchain"
	"fieldbook/grader/probe"
	"fieldbook/grader/sandbox"
	"fieldbook/grader/task"
)

// workshop is the toolchain of this package's tests: one looks for the machine's Go, and warms the build cache, once.
type workshop struct {
	once      sync.Once
	toolchain *toolchain.Toolchain
	folder    string
	err       error
}

var shared workshop

func (w *workshop) open() (*toolchain.Toolchain, error) {
	w.once.Do(func() {
		var out []byte
		if out, w.err = exec.Command("go", "env", "GOCACHE").Output(); w.err != nil {
			return
		}
		if w.folder, w.err = os.MkdirTemp("", "fieldbook-toolchain-"); w.err != nil {
			return
		}
		w.toolchain = toolchain.New(toolchain.Config{Getenv: os.Getenv, Cache: w.folder, BuildCache: strings.TrimSpace(string(out))})
		w.err = w.toolchain.Ready(context.Background())
	})
	return w.toolchain, w.err
}

func (w *workshop) close() { os.RemoveAll(w.folder) }

// mustToolchain skips tests that build where nothing can be built, and in short runs: the first build of a machine takes
// most of a minute.
func mustToolchain(t testing.TB) *toolchain.Toolchain {
	t.Helper()
	if testing.Short() {
		t.Skip("SKIPPED LOUDLY: nothing is built natively with -short")
	}
	tc, err := shared.open()
	if err != nil {
		t.Skipf("SKIPPED LOUDLY: nothing can be built natively: %v", err)
	}
	return tc
}

// by are options for a choice of engine; referee makes both run.
func by(t testing.TB, choice task.Choice, referee bool) task.Options {
	t.Helper()
	o := mustOptions(t)
	o.Engines = task.Engines{Choice: choice, Referee: referee, Toolchain: mustToolchain(t)}
	return o
}

func mustTaskWith(t testing.TB, o task.Options, exercise string) *task.Task {
	t.Helper()
	return mustTaskOf(t, o, mustExercise(t, exercise))
}

func mustTaskOf(t testing.TB, o task.Options, e *exercises.Exercise) *task.Task {
	t.Helper()
	one, err := task.New(o, e)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { one.Close() })
	return one
}

// visible installs a source and runs the visible probe, when it installs.
func visible(t *testing.T, o task.Options, exercise string, source task.Source) (grader.Report, []byte) {
	t.Helper()
	return visibleIn(t, mustTaskWith(t, o, exercise), source)
}

func visibleIn(t *testing.T, one *task.Task, source task.Source) (grader.Report, []byte) {
	t.Helper()
	report, err := one.Install(t.Context(), source)
	if err != nil {
		t.Fatalf("%v: %v", err, grader.AsError(err).Cause)
	}
	if report.Outcome != "" {
		return report, nil
	}
	report, result, err := one.VisibleResult(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return report, result
}

// TestBothEnginesGiveTheSameBytes holds that what a run shows does not depend on the engine: of the reference, of the
// author's broken functions, and of sources that end in every other way.
func TestBothEnginesGiveTheSameBytes(t *testing.T) {
	file := func(exercise, name string) task.Source {
		e := mustExercise(t, exercise)
		text, err := e.File(name)
		if err != nil {
			t.Fatal(err)
		}
		return task.Source{Path: e.Replaces[0].File, Name: name, Text: text}
	}
	for _, test := range []struct {
		name, exercise string
		source         task.Source
		outcome        grader.Outcome
	}{
		{"reference", "restore", reference(t, mustExercise(t, "restore")), grader.Observed},
		{"fault", "restore", file("restore", "fault_unpaused_image.go"), grader.Observed},
		{"starter", "restore", file("restore", "starter.go"), grader.Unfinished},
		{"writes half", "restore", restoreWith("_, err := db.Exec(ctx, `DELETE FROM assistant_work`)\nfmt.Println(err)\nreturn err", "fmt"), grader.Observed},
		{"panics over several lines", "restore", restoreWith("var list []int\nfmt.Println(\n\tsource,\n\tlist[len(source)],\n)\nreturn nil", "fmt"), grader.Panic},
		{"panics in a goroutine", "restore", restoreWith("done := make(chan bool)\ngo func() {\nvar m map[string]int\nm[source] = 1\n}()\n<-done\nreturn nil"), grader.Panic},
		{"recovers what is unfinished", "restore", restoreWith("defer func() { recover() }()\nexercise.Unfinished()\nreturn nil", "fieldbook/runtime/exercise"), grader.Unfinished},
		{"deadlocks", "restore", restoreWith("<-make(chan bool)\nreturn nil"), grader.NoResult},
		{"table", "manifest", reference(t, mustExercise(t, "manifest")), grader.Observed},
		{"table, wrong", "manifest", file("manifest", "impostor_length_only.go"), grader.Observed},
	} {
		t.Run(test.name, func(t *testing.T) {
			interpreted, one := visible(t, by(t, task.Interpreter, false), test.exercise, test.source)
			built, other := visible(t, by(t, task.Go, false), test.exercise, test.source)
			if interpreted.Outcome != test.outcome || built.Outcome != test.outcome {
				t.Fatalf("want %s: the interpreter has %s (%s), Go has %s (%s)", test.outcome, interpreted.Outcome, interpreted.Cause, built.Outcome, built.Cause)
			}
			if !bytes.Equal(one, other) || test.outcome == grader.Observed && len(one) == 0 {
				t.Errorf("the results differ:\n%s\n%s", one, other)
			}
			if interpreted.Environment.Engine != engine.Interpreted || built.Environment.Engine != engine.Toolchain {
				t.Errorf("the engines are named %q and %q", interpreted.Environment.Engine, built.Environment.Engine)
			}
			lines := strings.Split(string(test.source.Text), "\n")
			for i := range interpreted.Operations {
				a, b := interpreted.Operations[i], built.Operations[i]
				// A deferred call stands at its defer statement for the interpreter, at the function's return for Go.
				deferred := a.File == test.source.Path && strings.Contains(lines[a.Line-1], "defer")
				if a.Kind != b.Kind || a.File != b.File || a.Line != b.Line && !deferred {
					t.Errorf("operation %d: %s at %s:%d for the interpreter, %s at %s:%d for Go", i+1, a.Kind, a.File, a.Line, b.Kind, b.File, b.Line)
				}
			}
			refereed, _ := visible(t, by(t, task.Auto, true), test.exercise, test.source)
			if refereed.Outcome != test.outcome || refereed.Environment.Engine != engine.Both {
				t.Errorf("the referee says %s: %s (%s)", refereed.Outcome, refereed.Cause, refereed.Environment.Engine)
			}
		})
	}
}

// unlowered is a body that the interpreter is not given: it leaves the loop over a function by goto.
const unlowered = `for range func(yield func() bool) { yield() } {
	goto done
}
done:
	return nil`

// noToolchain is what a machine without Go has.
func noToolchain(t *testing.T) *toolchain.Toolchain {
	return toolchain.New(toolchain.Config{Getenv: func(string) string { return "" }, Cache: t.TempDir()})
}

func TestAutoBuildsWhatTheInterpreterWouldRunWrong(t *testing.T) {
	source := restoreWith(unlowered)
	if report, _ := visible(t, by(t, task.Interpreter, false), "restore", source); report.Outcome != grader.Unsupported || report.Verdict != grader.NotRunnable {
		t.Errorf("the interpreter alone: %s", report.Outcome)
	}
	for _, referee := range []bool{false, true} {
		report, _ := visible(t, by(t, task.Auto, referee), "restore", source)
		if report.Outcome != grader.Observed || report.Environment.Engine != engine.Toolchain || !strings.Contains(report.Environment.Note, "restore.go:11:2: goto") {
			t.Errorf("referee %v: %s by %s: %s", referee, report.Outcome, report.Environment.Engine, report.Environment.Note)
		}
		if said := strings.Contains(report.Environment.Note, "not be compared"); said != referee {
			t.Errorf("referee %v: %s", referee, report.Environment.Note)
		}
	}
}

func TestAutoSaysWhatIsMissing(t *testing.T) {
	o := mustOptions(t)
	o.Engines = task.Engines{Choice: task.Auto, Toolchain: noToolchain(t)}
	report, _ := visible(t, o, "restore", restoreWith(unlowered))
	if report.Outcome != grader.Unsupported || len(report.Diagnostics) != 2 {
		t.Fatalf("%s: %v", report.Outcome, report.Diagnostics)
	}
	if last := report.Diagnostics[1]; !strings.Contains(last.Message, "cannot here: the Go toolchain is not installed") || last.Hint == "" {
		t.Errorf("got %s", last)
	}
	report, _ = visible(t, o, "restore", restoreWith("return nil"))
	if report.Outcome != grader.Observed || report.Environment.Engine != engine.Interpreted || report.Environment.Note != "" {
		t.Errorf("what the interpreter runs: %s by %s", report.Outcome, report.Environment.Engine)
	}
}

func TestGoNeedsAToolchain(t *testing.T) {
	o := mustOptions(t)
	for _, e := range []task.Engines{{Choice: task.Go}, {Choice: task.Auto, Referee: true}, {Choice: task.Interpreter, Referee: true}, {Choice: task.Go, Referee: true}} {
		e.Toolchain = noToolchain(t)
		o.Engines = e
		_, err := mustTaskWith(t, o, "restore").Install(t.Context(), restoreWith("return nil"))
		if known := grader.AsError(err); err == nil || known.Code != toolchain.CodeMissing || known.Exit != grader.ExitUsage || known.Hint == "" {
			t.Errorf("%+v: got %v", e, err)
		}
	}
}

// TestBothEnginesRefuseTheSame holds that the checks come before either engine: nothing that they refuse is built.
func TestBothEnginesRefuseTheSame(t *testing.T) {
	for name, source := range map[string]task.Source{
		"a package that is not offered": restoreWith("os.Exit(0)\nreturn nil", "os"),
		"unsafe":                        restoreWith("_ = unsafe.Sizeof(source)\nreturn nil", "unsafe"),
		"the wall clock":                restoreWith("_ = time.Now()\nreturn nil", "time"),
		"an unused variable":            restoreWith("n := 1\nreturn nil"),
		"an unlowered line as well":     restoreWith(unlowered+"\n\tos.Exit(0)", "os"),
	} {
		t.Run(name, func(t *testing.T) {
			o := mustOptions(t)
			var first grader.Report
			for _, choice := range task.Choices() {
				// A toolchain that is not there is never asked for.
				o.Engines = task.Engines{Choice: choice, Toolchain: mustToolchain(t)}
				report, _ := visible(t, o, "restore", source)
				if report.Outcome != grader.CompileError {
					t.Errorf("%s: %s %v", choice, report.Outcome, report.Diagnostics)
				}
				if first.Outcome == "" {
					first = report
				}
				if !reflect.DeepEqual(report.Diagnostics, first.Diagnostics) {
					t.Errorf("%s: %v, before: %v", choice, report.Diagnostics, first.Diagnostics)
				}
			}
		})
	}
}

// TestHostileInitialisers holds that a built program is in the sandbox before the learner's package is initialised, and
// that what happens there ends as it does in the function.
func TestHostileInitialisers(t *testing.T) {
	folder := t.TempDir()
	canary := filepath.Join(folder, "canary")
	for _, err := range []error{os.Chmod(filepath.Dir(folder), 0o755), os.Chmod(folder, 0o755), os.WriteFile(canary, []byte("LEAK"), 0o644)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, test := range map[string]struct {
		body    string // of the function that initialises
		outcome []grader.Outcome
		cause   string
	}{
		"reads a file outside": {"data, _ := files.Read(`" + canary + "`)\nif len(data) > 0 {\npanic(string(data))\n}\nreturn 1", []grader.Outcome{grader.Observed}, ""},
		"loops":                {"for {\n}", []grader.Outcome{grader.CPULimit, grader.Timeout}, "limit"},
		"panics":               {"panic(`at the start`)", []grader.Outcome{grader.Panic}, "The code panicked: at the start"},
		"is unfinished":        {"exercise.Unfinished()\nreturn 1", []grader.Outcome{grader.Unfinished}, ""},
		"deadlocks":            {"select {}", []grader.Outcome{grader.NoResult}, "deadlock"},
		"allocates":            {"var all [][]byte\nfor {\nall = append(all, make([]byte, 1<<20))\nfor i := range all[len(all)-1] {\nall[len(all)-1][i] = 1\n}\n}", []grader.Outcome{grader.MemoryLimit}, "memory"},
	} {
		t.Run(name, func(t *testing.T) {
			source := restoreWith("return nil")
			source.Text = append(source.Text, "\nvar started = start()\n\nfunc start() int {\n"+test.body+"\n}\n"...)
			for path, used := range map[string]string{"fieldbook/runtime/files": "files.", "fieldbook/runtime/exercise": "exercise."} {
				if strings.Contains(test.body, used) {
					source.Text = bytes.Replace(source.Text, []byte("import ("), []byte("import (\n\t\""+path+"\""), 1)
				}
			}
			report, _ := visibleIn(t, mustTaskOf(t, by(t, task.Go, false), hasty(t, "restore")), source)
			if !slices.Contains(test.outcome, report.Outcome) || !strings.Contains(report.Cause, test.cause) {
				t.Fatalf("got %s: %s %v", report.Outcome, report.Cause, report.Diagnostics)
			}
			if report.Outcome == grader.Panic && (report.Crash == nil || report.Crash.File != source.Path || report.Crash.Line == 0) {
				t.Errorf("the panic's place is %+v", report.Crash)
			}
		})
	}
}

func TestTryRunsWithEitherEngine(t *testing.T) {
	write := func(text string) string {
		path := filepath.Join(t.TempDir(), "program.go")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, text := range map[string]string{
		"prints":          "package main\n\nimport \"fmt\"\n\ntype cup struct{ n int }\n\nfunc main() { fmt.Printf(\"%T %v\\n\", cup{1}, cup{2}) }\n",
		"calls main":      "package main\n\nimport \"fmt\"\n\nvar depth int\n\nfunc main() {\n\tfmt.Print(depth, \" \")\n\tif depth++; depth < 3 {\n\t\tmain()\n\t}\n}\n",
		"panics":          "package main\n\nfunc main() {\n\tvar list []int\n\t_ = list[depth()]\n}\n\nfunc depth() int { return 2 }\n",
		"prints at first": "package main\n\nimport \"fmt\"\n\nvar n, _ = fmt.Println(\"first\")\n\nfunc init() { fmt.Println(\"second\") }\n\nfunc main() { fmt.Println(\"third\") }\n",
	} {
		t.Run(name, func(t *testing.T) {
			path := write(text)
			one, err := task.Try(t.Context(), by(t, task.Interpreter, false), path)
			if err != nil {
				t.Fatal(err)
			}
			other, err := task.Try(t.Context(), by(t, task.Go, false), path)
			if err != nil {
				t.Fatal(err)
			}
			if one.Outcome != other.Outcome || one.Output.Text != other.Output.Text || (one.Crash == nil) != (other.Crash == nil) || one.Output.Text == "" && one.Crash == nil {
				t.Fatalf("the interpreter: %s %s %q\nGo: %s %s %q", one.Outcome, one.Cause, one.Output.Text, other.Outcome, other.Cause, other.Output.Text)
			}
			if one.Crash != nil && (one.Crash.Kind != other.Crash.Kind || one.Crash.File != other.Crash.File || one.Crash.Line != other.Crash.Line) {
				t.Errorf("the panics are %+v and %+v", one.Crash, other.Crash)
			}
			both, err := task.Try(t.Context(), by(t, task.Auto, true), path)
			if err != nil || both.Outcome != one.Outcome || both.Environment.Engine != engine.Both {
				t.Errorf("the referee: %s by %s %v", both.Outcome, both.Environment.Engine, err)
			}
		})
	}
}

// TestTheRefereeFindsDisagreement gives the engines two programs for one: nothing else makes them disagree on purpose.
func TestTheRefereeFindsDisagreement(t *testing.T) {
	tc, o := mustToolchain(t), mustOptions(t)
	prepare := func(text string, build bool) *engine.Prepared {
		t.Helper()
		prepared, found, err := o.Engine.Prepare(t.Context(), engine.Program{
			Sources: []engine.Source{{Path: "main.go", Text: []byte("package main\n\nimport \"fmt\"\n\n" + text), Learner: true}},
			Entry:   engine.Entry{Package: "main", Function: "main"}, Rules: engine.Rules{Main: true}, Build: build,
		})
		if err != nil || len(found) > 0 {
			t.Fatal(err, found)
		}
		if build {
			if prepared, err = tc.Build(t.Context(), prepared); err != nil {
				t.Fatal(err)
			}
		}
		return prepared
	}
	const panics = "func main() {\n\tfmt.Print()\n\tvar list []int\n\tfmt.Println(\n\t\tlist[index],\n\t)\n}\n\nvar index = 3\n"
	for _, test := range []struct {
		name, interpreted, built string
		outcome                  grader.Outcome
		cause                    string
	}{
		{"other text", "func main() { fmt.Println(1) }\n", "func main() { fmt.Println(2) }\n", grader.EnginesDisagree, "they print different text"},
		{"another outcome", "func main() { fmt.Println(1) }\n", panics, grader.EnginesDisagree, "one ends as observed, the other as panic"},
		{"another kind of panic", "func main() { fmt.Print(); panic(1) }\n", panics, grader.EnginesDisagree, `one panics with "panic", the other with "index out of range"`},
		{"another place", panics, "func main() {\n\tvar list []int\n\tfmt.Println(list[index])\n}\n\nvar index = 3\n", grader.EnginesDisagree, "one panics at main.go:8, the other at main.go:7"},
		{"another line of the statement", panics, panics, grader.Panic, ""},
		{"no end in either", "func main() { fmt.Print(); for {\n} }\n", "func main() { fmt.Print(); select {} }\n", "", ""},
		{"never twice the same", "func main() {\n\tm := map[int]bool{}\n\tfor i := range 100 {\n\t\tm[i] = true\n\t}\n\tfmt.Println(m, \" \")\n\tfor i := range m {\n\t\tfmt.Print(i, \" \")\n\t}\n}\n", "", grader.Observed, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.built == "" {
				test.built = test.interpreted
			}
			program := prepare(test.interpreted, false)
			program.Other = prepare(test.built, true)
			runner := probe.Runner{Pool: o.Pool}
			execution, err := runner.Main(t.Context(), probe.Run{Program: program, Profile: sandbox.Scratch, Limits: grader.Limits{CPU: time.Second}})
			if err != nil {
				t.Fatal(err)
			}
			defer execution.Close()
			if execution.Engine != engine.Both || !strings.Contains(execution.Cause, test.cause) ||
				execution.Outcome != test.outcome && (test.outcome != "" || execution.Outcome == grader.EnginesDisagree) {
				t.Errorf("%s by %s: %s", execution.Outcome, execution.Engine, execution.Cause)
			}
			if disagree := execution.Outcome == grader.EnginesDisagree; disagree && (grader.Judge(execution.Outcome, true) != grader.Void || execution.Hint == "") {
				t.Errorf("disagreement is %s, %q", grader.Judge(execution.Outcome, true), execution.Hint)
			}
		})
	}
}
