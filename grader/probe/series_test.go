package probe_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"fieldbook/grader"
	"fieldbook/grader/engine"
	"fieldbook/grader/probe"
	"fieldbook/grader/sandbox"
	"fieldbook/runtime/operation"
)

func TestInputsAreAFileSystem(t *testing.T) {
	if files := probe.FS(nil); files != nil {
		t.Errorf("no tree gives %v", files)
	}
	tree := operation.NewTree()
	for _, e := range []operation.Entry{
		{Kind: operation.Folder, Path: "f"}, {Kind: operation.Create, Path: "f/a"}, {Kind: operation.Create, Path: "b"},
		{Kind: operation.Write, Path: "f/a", Data: []byte("text")}, {Kind: operation.Folder, Path: "f/g"},
	} {
		if err := tree.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
	files := probe.FS(tree)
	if err := fstest.TestFS(files, "f/a", "b", "f/g"); err != nil {
		t.Error(err)
	}
	if data, err := fs.ReadFile(files, "f/a"); err != nil || string(data) != "text" {
		t.Errorf("f/a holds %q, %v", data, err)
	}
	if _, err := fs.ReadFile(files, "f"); err == nil {
		t.Error("a folder was read as a file")
	}
}

// counting is a probe that appends a line to a file, and says how long it is and which process it was.
const counting = `package probe

import (
	"context"
	"errors"

	"fieldbook/runtime/exercise"
	"fieldbook/runtime/files"
	"fieldbook/runtime/world"
)

func Probe(ctx context.Context, w *world.World) (world.Observation, error) {
	var seen world.Observation
	w.Mark("before")
	f, err := files.Append(w.Path("log"))
	if err == nil {
		_, err = f.Write([]byte("line\n"))
		if err == nil {
			err = f.Sync()
		}
	}
	w.Mark("after")
	seen.Null("error")
	if err != nil {
		seen.String("error", "failed")
	}
	data, err := files.Read(w.Path("log"))
	if err != nil {
		return seen, err
	}
	seen.String("log", string(data))
	if string(data) == "panic\nline\n" {
		panic("as asked")
	}
	if string(data) == "error\nline\n" {
		return seen, errors.New("as asked")
	}
	if string(data) == "loop\nline\n" {
		for {
		}
	}
	if string(data) == "unfinished\nline\n" {
		exercise.Unfinished()
	}
	return seen, nil
}
`

func mustRunner(t *testing.T) (*probe.Runner, probe.Run) {
	t.Helper()
	pool, err := sandbox.NewPool(sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	program := mustPrepare(t, engine.Program{
		Sources: []engine.Source{{Path: "probe/probe.go", Text: []byte(counting)}},
		Entry:   engine.Entry{Package: engine.ImportPath("probe/probe.go"), Function: "Probe"},
	})
	return &probe.Runner{Pool: pool}, probe.Run{Program: program, Profile: sandbox.Scratch, Limits: grader.Limits{Wall: 2 * time.Second}}
}

// start is a run in a world with a log of the given text; "" for none.
func start(t *testing.T, text string, fault *probe.Fault) probe.Start {
	t.Helper()
	s := probe.Start{Process: 2, Fault: fault}
	if text != "" {
		s.Files = operation.NewTree()
		if err := s.Files.Put("log", []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// TestSeries: every run has its own world and its own end.
func TestSeries(t *testing.T) {
	runner, run := mustRunner(t)
	fault := func(operation int, kind probe.FaultKind) *probe.Fault {
		return &probe.Fault{After: "before", Before: "after", Operation: operation, Kind: kind}
	}
	executions, folder, err := runner.Series(t.Context(), run, []probe.Start{
		start(t, "", nil),
		start(t, "old\n", nil),
		start(t, "panic\n", nil),
		start(t, "error\n", nil),
		start(t, "old\n", fault(1, probe.NoSpace)),
		start(t, "old\n", fault(1, probe.TornWrite)),
		start(t, "old\n", fault(2, probe.FailedSync)),
		start(t, "old\n", fault(9, probe.NoSpace)),
		start(t, "old\n", nil),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(folder)
	tests := []struct {
		outcome grader.Outcome
		log     string
		failed  bool
		refused operation.Kind
	}{
		{grader.Observed, "line\n", false, ""},
		{grader.Observed, "old\nline\n", false, ""},
		{grader.Panic, "panic\nline\n", false, ""},
		{grader.NoResult, "error\nline\n", false, ""},
		{grader.Observed, "old\n", true, operation.Write},
		{grader.Observed, "old\nli", true, operation.Write},
		{grader.Observed, "old\nline\n", true, operation.Sync},
		{grader.Observed, "old\nline\n", false, ""},
		{grader.Observed, "old\nline\n", false, ""},
	}
	if len(executions) != len(tests) {
		t.Fatalf("%d executions, want %d", len(executions), len(tests))
	}
	for i, want := range tests {
		got := executions[i]
		if got == nil || got.Outcome != want.outcome {
			t.Errorf("run %d ended %+v, want %s", i, got, want.outcome)
			continue
		}
		if data, err := os.ReadFile(filepath.Join(got.Folder, "log")); err != nil || string(data) != want.log {
			t.Errorf("run %d left the log %q, %v; want %q", i, data, err, want.log)
		}
		if refused := got.Fault; (refused == nil) != (want.refused == "") || refused != nil && (refused.Kind != want.refused || len(refused.Data) > 0) {
			t.Errorf("run %d: refused %+v, want %q", i, refused, want.refused)
		}
		if want.outcome == grader.Observed {
			failure, _ := got.Observation.Value("error").AsString()
			if (failure != "") != want.failed {
				t.Errorf("run %d saw the error %q", i, failure)
			}
		} else if got.Observation != nil || got.Cause == "" {
			t.Errorf("run %d: observation %v, cause %q", i, got.Observation, got.Cause)
		}
	}
	// Alone, a run ends in the same way, and its operation log is there.
	run.Fault, run.Inputs, run.World.Process = fault(1, probe.TornWrite), probe.FS(start(t, "old\n", nil).Files), 2
	alone, err := runner.Probe(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	defer alone.Close()
	if alone.Fault == nil || !alone.Observation.Value("log").Equal(executions[5].Observation.Value("log")) {
		t.Errorf("alone: refused %v, %v", alone.Fault, alone.Observation)
	}
	if !slices.ContainsFunc(alone.Operations, func(e operation.Entry) bool {
		return e.Kind == operation.Write && string(e.Data) == "li" && strings.Contains(e.Err, "no space")
	}) {
		t.Error("the torn write is not in the operation log")
	}
}

// TestSeriesThatTellsNothing: a worker that ends badly, and what a process-wide flag leaves open, are unknown.
func TestSeriesThatTellsNothing(t *testing.T) {
	runner, run := mustRunner(t)
	run.Limits.Wall = 200 * time.Millisecond
	executions, folder, err := runner.Series(t.Context(), run, []probe.Start{start(t, "", nil), start(t, "loop\n", nil)})
	if err != nil || folder != "" || len(executions) != 2 || executions[0] != nil || executions[1] != nil {
		t.Errorf("a series that hangs: %v, %q, %v", executions, folder, err)
	}
	run.Limits.Wall = 2 * time.Second
	executions, folder, err = runner.Series(t.Context(), run, []probe.Start{start(t, "", nil), start(t, "unfinished\n", nil), start(t, "", nil)})
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(folder)
	if executions[0] == nil || executions[1] != nil || executions[2] != nil {
		t.Errorf("a series with an unfinished function: %v", executions)
	}
}
