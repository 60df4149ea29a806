package crash

import (
	"context"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/engine"
	"fieldbook/grader/probe"
	"fieldbook/grader/sandbox"
	teaching "fieldbook/runtime"
)

// bench prepares programs and runs them in sandboxed workers.
type bench struct {
	engine   *engine.Engine
	exercise *exercises.Exercise
	explorer Explorer
}

func mustBench(t testing.TB, exercise string) *bench {
	t.Helper()
	e, err := exercises.Named(exercise)
	if err != nil {
		t.Fatal(err)
	}
	pool, err := sandbox.NewPool(sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return &bench{engine: engine.New(teaching.Tree()), exercise: e, explorer: Explorer{Runner: &probe.Runner{Pool: pool}, Parallel: 2}}
}

func (b *bench) prepare(t testing.TB, file string, text []byte) *engine.Prepared {
	t.Helper()
	driver, err := b.exercise.File(file)
	if err != nil {
		t.Fatal(err)
	}
	r := b.exercise.Replaces[0]
	prepared, found, err := b.engine.Prepare(context.Background(), engine.Program{
		Sources: []engine.Source{
			{Path: r.File, Text: text, Learner: true, Functions: []engine.FunctionSpec{{Name: r.Functions[0].Name, Signature: r.Functions[0].Signature}}},
			{Path: "probe/probe.go", Text: driver},
		},
		Entry: engine.Entry{Package: engine.ImportPath("probe/probe.go"), Function: "Probe"},
	})
	if err != nil || len(found) > 0 {
		t.Fatalf("prepare %s: %v %v", file, err, found)
	}
	return prepared
}

func (b *bench) reference(t testing.TB) []byte {
	t.Helper()
	text, err := teaching.Source(b.exercise.Replaces[0].File)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func (b *bench) subject(t testing.TB, text []byte) Subject {
	t.Helper()
	c := b.exercise.Crash
	return Subject{
		Exercise:  b.exercise,
		Run:       probe.Run{Profile: sandbox.Profile(b.exercise.Profile), Limits: b.exercise.Limits, World: probe.Origin{Seed: 19}},
		Record:    b.prepare(t, c.Probe, text),
		Again:     b.prepare(t, c.Again, text),
		Reference: b.prepare(t, c.Probe, b.reference(t)),
	}
}

func (b *bench) explore(t testing.TB, text []byte) *Matrix {
	t.Helper()
	m, err := b.explorer.Explore(t.Context(), b.subject(t, text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestTheReferenceSurvivesEveryCrash(t *testing.T) {
	b := mustBench(t, "restore")
	m := b.explore(t, b.reference(t))
	if m.Verdict != grader.Pass {
		t.Errorf("%s %s %s", m.Verdict, m.Outcome, m.Cause)
	}
	report(t, m)
	var own, children syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &own)
	syscall.Getrusage(syscall.RUSAGE_CHILDREN, &children)
	t.Log(time.Duration(own.Utime.Nano()), time.Duration(own.Stime.Nano()), time.Duration(children.Utime.Nano()), time.Duration(children.Stime.Nano()))
	t.Logf("%d operations, %d states, %d distinct, %d faults, %v", len(m.Operations), m.Explored, len(m.States), len(m.Faults), m.Elapsed.Round(time.Millisecond))
	for _, r := range m.Rows {
		t.Logf("%d-%d %s %s %s:%d", r.First, r.Last, r.Place, r.What, r.File, r.Line)
	}
}

// report writes down what does not hold.
func report(t testing.TB, m *Matrix) {
	t.Helper()
	for i, s := range m.States {
		for j, f := range s.Findings {
			if f.Verdict != Holds {
				t.Errorf("state %d: %s is %s %s %v", i, m.Invariants[j].ID, f.Verdict, f.Reason, s.Facts)
			}
		}
	}
	for _, f := range m.Faults {
		if !f.Holds() || !f.Reached {
			t.Errorf("operation %d, %s: reached %v, returned %q, %v", f.Operation, f.Kind, f.Reached, f.Returned, f.Broken)
		}
	}
	_ = fmt.Sprint
	_ = strings.Fields
}
