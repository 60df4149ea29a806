package probe_test

import (
	"encoding/base64"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"fieldbook/grader"
	"fieldbook/grader/engine"
	"fieldbook/grader/probe"
	"fieldbook/grader/sandbox"
	teaching "fieldbook/runtime"
)

func mustPrepare(t *testing.T, p engine.Program) *engine.Prepared {
	t.Helper()
	prepared, found, err := engine.New(teaching.Tree()).Prepare(t.Context(), p)
	if err != nil || len(found) > 0 {
		t.Fatal(found, err)
	}
	return prepared
}

// A program that assigns to a variable of a package changes its own copy: not this process, and no other interpreter in it.
func TestReassigningReachesNoOne(t *testing.T) {
	reassigning := mustPrepare(t, solveProgram(hostileSource(t, "36_mutate_io_only")))
	reading := mustPrepare(t, solveProgram(`package main

import (
	"encoding/base64"
	"io"
)

func Solve(in string) string {
	if io.EOF == nil || base64.StdEncoding == nil {
		return "changed"
	}
	return base64.StdEncoding.EncodeToString([]byte(in)) + io.EOF.Error()
}
`))
	for _, step := range []struct {
		program *engine.Prepared
		want    string
	}{{reassigning, "MUTATED"}, {reading, "eA==EOF"}} {
		i, err := engine.NewInterpreter(io.Discard, os.Stderr)
		if err != nil {
			t.Fatal(err)
		}
		if err := i.Load(*step.program); err != nil {
			t.Fatal(err)
		}
		function, err := i.Function()
		if err != nil {
			t.Fatal(err)
		}
		if got := function.Interface().(func(string) string)("x"); got != step.want {
			t.Errorf("got %q, want %q", got, step.want)
		}
	}
	if io.EOF == nil || base64.StdEncoding == nil {
		t.Error("a variable of this process was changed")
	}
}

func newRunner(t *testing.T, options sandbox.Options) *probe.Runner {
	t.Helper()
	pool, err := sandbox.NewPool(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return &probe.Runner{Pool: pool}
}

// Where init is allowed, in a program that stands alone, a loop there meets the run's limits.
func TestLoopInInit(t *testing.T) {
	execution, err := newRunner(t, sandbox.Options{}).Main(t.Context(), probe.Run{
		Program: mustPrepare(t, engine.Program{
			Sources: []engine.Source{{Path: "main.go", Text: []byte(hostileSource(t, "70_init_loop") + "\nfunc main() {}\n"), Learner: true}},
			Entry:   engine.Entry{Package: "main", Function: "main"},
			Rules:   engine.Rules{Main: true},
		}),
		Limits: grader.Limits{Wall: 300 * time.Millisecond, CPU: 200 * time.Millisecond},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer execution.Close()
	if execution.Outcome != grader.Timeout && execution.Outcome != grader.CPULimit || !strings.Contains(execution.Cause, "limit: 0.") {
		t.Errorf("%s (%s)", execution.Outcome, execution.Cause)
	}
}

// The runtime's own file operations work where only part of the sandbox can be had: without namespaces and landlock, the
// filter is all that keeps paths in, and lets fewer calls pass.
func TestFilesUnderTheFilterAlone(t *testing.T) {
	text := `package probe

import (
	"context"
	"fmt"

	"fieldbook/runtime/files"
	"fieldbook/runtime/world"
)

// Probe does everything that package files can do.
func Probe(ctx context.Context, w *world.World) (world.Observation, error) {
	var seen world.Observation
	folder := w.Path("a", "b")
	from, to := w.Path("a", "b", "from"), w.Path("a", "b", "to")
	if err := files.MakeFolder(folder); err != nil {
		return seen, err
	}
	f, err := files.CreateExclusive(from, 0o600)
	if err != nil {
		return seen, err
	}
	if _, err := f.Write([]byte("0123456789")); err != nil {
		return seen, err
	}
	if err := f.Sync(); err != nil {
		return seen, err
	}
	if err := f.Close(); err != nil {
		return seen, err
	}
	steps := []error{files.Truncate(from, 4), files.Sync(from), files.Rename(from, to), files.SyncFolder(folder), files.Replace(from, []byte("x"))}
	for i, err := range steps {
		if err != nil {
			return seen, fmt.Errorf("step %d: %w", i, err)
		}
	}
	data, err := files.Read(to)
	if err != nil {
		return seen, err
	}
	seen.String("to", string(data))
	return seen, files.Remove(from)
}
`
	program := mustPrepare(t, engine.Program{
		Sources: []engine.Source{{Path: "probe/probe.go", Text: []byte(text)}},
		Entry:   engine.Entry{Package: engine.ImportPath("probe/probe.go"), Function: "Probe"},
	})
	for _, without := range [][]string{nil, {"namespaces"}, {"namespaces", "landlock"}} {
		execution, err := newRunner(t, sandbox.Options{Without: without}).Probe(t.Context(), probe.Run{Program: program, Profile: sandbox.Scratch})
		if err != nil {
			t.Fatal(err)
		}
		defer execution.Close()
		if execution.Outcome != grader.Observed {
			t.Errorf("without %s: %s (%s)", without, execution.Outcome, execution.Cause)
			continue
		}
		if got, _ := execution.Observation.Value("to").AsString(); got != "0123" {
			t.Errorf("without %s: the file holds %q", without, got)
		}
	}
}
