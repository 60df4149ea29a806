package task_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/check"
	"fieldbook/grader/probe"
	"fieldbook/grader/sandbox"
	"fieldbook/grader/task"
	teaching "fieldbook/runtime"
)

func TestMain(m *testing.M) {
	if sandbox.IsWorker(os.Args) {
		probe.Serve()
	}
	code := m.Run()
	grading.close()
	shared.close()
	os.Exit(code)
}

// bench is what the tests of this package share: a pool of workers, and a checker, which prepares at once what it has seen.
type bench struct {
	once    sync.Once
	pool    *sandbox.Pool
	checker *check.Checker
	err     error
}

var grading bench

func (b *bench) open() (*sandbox.Pool, *check.Checker, error) {
	b.once.Do(func() {
		if b.pool, b.err = sandbox.NewPool(sandbox.Options{}); b.err == nil {
			b.checker = check.New(b.pool, teaching.Tree())
		}
	})
	return b.pool, b.checker, b.err
}

func (b *bench) close() {
	if b.pool != nil {
		b.pool.Close()
	}
}

func mustOptions(t testing.TB) task.Options {
	t.Helper()
	pool, checker, err := grading.open()
	if err != nil {
		t.Fatal(err)
	}
	return task.Options{
		Engine: checker, Pool: pool, Edition: "student",
		Now: func() time.Time { return time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC) },
	}
}

func mustExercise(t testing.TB, name string) *exercises.Exercise {
	t.Helper()
	e, err := exercises.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func mustTask(t testing.TB, name string) *task.Task {
	t.Helper()
	return mustTaskOf(t, mustOptions(t), mustExercise(t, name))
}

// reference is the file that ships with the runtime.
func reference(t testing.TB, e *exercises.Exercise) task.Source {
	t.Helper()
	text, err := teaching.Source(e.Replaces[0].File)
	if err != nil {
		t.Fatal(err)
	}
	return task.Source{Path: e.Replaces[0].File, Name: filepath.Base(e.Replaces[0].File), Text: text}
}

func mustInstall(t testing.TB, one *task.Task, source task.Source) {
	t.Helper()
	report, err := one.Install(context.Background(), source)
	if err != nil {
		t.Fatal(err)
	}
	if report.Outcome != "" {
		t.Fatalf("install: %s\n%v", report.Outcome, report.Diagnostics)
	}
}

// hasty is an exercise that gives code two seconds of CPU: what loops runs into that.
func hasty(t testing.TB, name string) *exercises.Exercise {
	t.Helper()
	e := *mustExercise(t, name)
	e.Limits.CPU = 2 * time.Second
	return &e
}

func mustVisible(t testing.TB, one *task.Task) grader.Report {
	t.Helper()
	report, err := one.Visible(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestTheReferencePassesEveryExercise(t *testing.T) {
	for _, e := range exercises.All() {
		t.Run(e.Name, func(t *testing.T) {
			one := mustTask(t, e.Name)
			mustInstall(t, one, reference(t, e))
			report := mustVisible(t, one)
			if report.Verdict != grader.Pass {
				t.Fatalf("%s %s\n%+v", report.Outcome, report.Cause, report.Fields)
			}
			for _, f := range report.Fields {
				if !f.Agrees {
					t.Errorf("field %s does not agree in a PASS", f.Name)
				}
			}
		})
	}
}

func TestTheStarterIsUnfinished(t *testing.T) {
	for _, e := range exercises.All() {
		t.Run(e.Name, func(t *testing.T) {
			text, err := e.File(e.Replaces[0].Starter)
			if err != nil {
				t.Fatal(err)
			}
			one := mustTask(t, e.Name)
			mustInstall(t, one, task.Source{Path: e.Replaces[0].File, Name: "starter.go", Text: text})
			if report := mustVisible(t, one); report.Outcome != grader.Unfinished || report.Verdict != grader.NeedsWork {
				t.Fatalf("got %s, %s: %s", report.Outcome, report.Verdict, report.Cause)
			}
		})
	}
}

// restoreWith is a Restore whose body is the given one.
func restoreWith(body string, imports ...string) task.Source {
	var text strings.Builder
	text.WriteString("package assistant\n\nimport (\n\t\"context\"\n\n\t\"fieldbook/runtime/database\"\n")
	for _, path := range imports {
		text.WriteString("\t\"" + path + "\"\n")
	}
	text.WriteString(")\n\nfunc Restore(ctx context.Context, db *database.Database, source string) error {\n" + body + "\n}\n")
	return task.Source{Path: "runtime/assistant/restore.go", Name: "restore.go", Text: []byte(text.String())}
}

func TestCodeThatMisbehavesNeverPassesAndIsExplained(t *testing.T) {
	tests := map[string]struct {
		source  task.Source
		outcome []grader.Outcome
		cause   string // part of it
	}{
		"Loops":               {restoreWith("for {\n}"), []grader.Outcome{grader.Timeout, grader.CPULimit}, "limit"},
		"Allocates":           {restoreWith("var all [][]byte\nfor {\nall = append(all, make([]byte, 1<<20))\nall[len(all)-1][0] = 1\n}"), []grader.Outcome{grader.MemoryLimit}, "memory"},
		"Recurses":            {restoreWith("return Restore(ctx, db, source)"), []grader.Outcome{grader.NoResult, grader.MemoryLimit}, "stack"},
		"PanicsInAGoroutine":  {restoreWith("done := make(chan bool)\ngo func() {\nvar m map[string]int\nm[source] = 1\ndone <- true\n}()\n<-done\nreturn nil"), []grader.Outcome{grader.Panic}, "nil map"},
		"Panics":              {restoreWith("var list []int\n_ = list[len(source)]\nreturn nil"), []grader.Outcome{grader.Panic}, "index out of range"},
		"Deadlocks":           {restoreWith("<-make(chan bool)\nreturn nil"), []grader.Outcome{grader.NoResult, grader.Timeout}, ""},
		"PrintsPass":          {restoreWith("fmt.Println(`{\"verdict\":\"PASS\"}`)\nreturn nil", "fmt"), []grader.Outcome{grader.Observed}, ""},
		"Exits":               {restoreWith("os.Exit(0)\nreturn nil", "os"), []grader.Outcome{grader.CompileError}, ""},
		"RecoversUnfinished":  {restoreWith("defer func() { recover() }()\nexercise.Unfinished()\nreturn nil", "fieldbook/runtime/exercise"), []grader.Outcome{grader.Unfinished}, ""},
		"DoesNothing":         {restoreWith("return nil"), []grader.Outcome{grader.Observed}, ""},
		"FloodsTheOutput":     {restoreWith("for i := 0; i < 100000; i++ {\nfmt.Println(\"0123456789012345678901234567890123456789\")\n}\nreturn nil", "fmt"), []grader.Outcome{grader.OutputLimit}, "output"},
		"DropsTheWholeTables": {restoreWith("_, err := db.Exec(ctx, `DROP TABLE assistant_work`)\nreturn err"), []grader.Outcome{grader.NoResult, grader.Observed}, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			one := mustTaskOf(t, mustOptions(t), hasty(t, "restore"))
			report, err := one.Install(context.Background(), test.source)
			if err != nil {
				t.Fatal(err)
			}
			if report.Outcome == "" {
				report = mustVisible(t, one)
			}
			known := false
			for _, o := range test.outcome {
				known = known || report.Outcome == o
			}
			if !known || report.Verdict == grader.Pass {
				t.Fatalf("got %s, %s: %s (%+v)", report.Outcome, report.Verdict, report.Cause, report.Diagnostics)
			}
			if report.Outcome != grader.Observed && report.Cause == "" {
				t.Error("nothing explains the outcome")
			}
			if !strings.Contains(report.Cause, test.cause) {
				t.Errorf("the cause %q does not speak of %q", report.Cause, test.cause)
			}
		})
	}
}

// BenchmarkSaveToVerdict is a save of another restore.go each time, checked in a worker, run and compared, with a pause
// between saves as a learner makes it; and beside it the same probe built and run by the Go toolchain. The evidence is the
// verdict with the worlds at the probe's marks.
func BenchmarkSaveToVerdict(b *testing.B) {
	b.Run("yaegi", func(b *testing.B) { benchmarkSave(b, mustTask(b, "restore")) })
	b.Run("go", func(b *testing.B) { benchmarkSave(b, mustTaskWith(b, by(b, task.Go, false), "restore")) })
}

func benchmarkSave(b *testing.B, one *task.Task) {
	source := reference(b, one.Exercise())
	text := string(source.Text)
	saves := 0
	save := func() grader.Report {
		saves++
		source.Text = fmt.Appendf(nil, "%s\n// save %d\n", text, saves)
		mustInstall(b, one, source)
		report := mustVisible(b, one)
		if report.Verdict != grader.Pass {
			b.Fatal(report.Cause)
		}
		return report
	}
	took := map[string][]time.Duration{}
	var began time.Time
	one.Deciding(func(grader.Report) { took["verdict"] = append(took["verdict"], time.Since(began)) })
	for b.Loop() {
		b.StopTimer()
		if saves == 0 {
			save()
			clear(took)
		}
		time.Sleep(300 * time.Millisecond)
		b.StartTimer()
		began = time.Now()
		report := save()
		took["evidence"] = append(took["evidence"], time.Since(began))
		took["check"] = append(took["check"], report.Environment.Elapsed.Check)
		took["run"] = append(took["run"], report.Environment.Elapsed.Run)
		took["compare"] = append(took["compare"], report.Environment.Elapsed.Compare)
	}
	for part, times := range took {
		slices.Sort(times)
		b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, part+"-p50-ms")
	}
}
