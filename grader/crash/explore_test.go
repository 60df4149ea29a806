package crash

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

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

func mustExercise(t testing.TB, name string) *exercises.Exercise {
	t.Helper()
	e, err := exercises.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func mustBench(t testing.TB, exercise string) *bench {
	t.Helper()
	pool, err := sandbox.NewPool(sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return &bench{
		engine: engine.New(teaching.Tree()), exercise: mustExercise(t, exercise),
		explorer: Explorer{Runner: &probe.Runner{Pool: pool}, Parallel: 2},
	}
}

func (b *bench) prepare(t testing.TB, file string, text string) *engine.Prepared {
	t.Helper()
	driver, err := b.exercise.File(file)
	if err != nil {
		t.Fatal(err)
	}
	r := b.exercise.Replaces[0]
	prepared, found, err := b.engine.Prepare(context.Background(), engine.Program{
		Sources: []engine.Source{
			{Path: r.File, Text: []byte(text), Learner: true, Functions: []engine.FunctionSpec{{Name: r.Functions[0].Name, Signature: r.Functions[0].Signature}}},
			{Path: "probe/probe.go", Text: driver},
		},
		Entry: engine.Entry{Package: engine.ImportPath("probe/probe.go"), Function: "Probe"},
	})
	if err != nil || len(found) > 0 {
		t.Fatalf("prepare %s: %v %v", file, err, found)
	}
	return prepared
}

func (b *bench) reference(t testing.TB) string {
	t.Helper()
	text, err := teaching.Source(b.exercise.Replaces[0].File)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func (b *bench) subject(t testing.TB, text string) Subject {
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

func mustExplore(t testing.TB, x Explorer, s Subject) *Matrix {
	t.Helper()
	m, err := x.Explore(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// complain writes down everything that does not hold.
func complain(t testing.TB, m *Matrix) {
	t.Helper()
	for i, s := range m.States {
		for j, f := range s.Findings {
			if f.Verdict != Holds {
				t.Errorf("state %d: %s is %s: %s %v", i, m.Invariants[j].ID, f.Verdict, f.Reason, s.Facts)
			}
		}
	}
	for _, f := range m.Faults {
		if !f.Holds() || !f.Reached {
			t.Errorf("operation %d, %s: reached %v, returned %q, broken %v", f.Operation, f.Kind, f.Reached, f.Returned, f.Broken)
		}
	}
}

func TestTheReferenceSurvivesEveryCrash(t *testing.T) {
	b := mustBench(t, "restore")
	var mu sync.Mutex
	last, total := 0, 0
	b.explorer.Progress = func(done, all int) {
		mu.Lock()
		defer mu.Unlock()
		last, total = max(last, done), all
	}
	m := mustExplore(t, b.explorer, b.subject(t, b.reference(t)))
	complain(t, m)
	if m.Verdict != grader.Pass || !m.Holds() {
		t.Errorf("%s %s %s", m.Verdict, m.Outcome, m.Cause)
	}
	if last != total || total != len(m.States)+len(m.Faults) {
		t.Errorf("the progress ended at %d of %d, for %d states and %d faults", last, total, len(m.States), len(m.Faults))
	}
	if len(m.Points) != len(m.Operations)+1 || len(m.Operations) < 40 || m.Explored < 3*len(m.Points) || len(m.States) >= m.Explored {
		t.Errorf("%d operations, %d points, %d states, %d distinct", len(m.Operations), len(m.Points), m.Explored, len(m.States))
	}
	next := 0
	for _, r := range m.Rows {
		if r.First != next || r.Last < r.First || r.What == "" || len(r.Cells) != len(m.Invariants) {
			t.Errorf("row %d-%d %q does not follow operation %d", r.First, r.Last, r.What, next-1)
		}
		next = r.Last + 1
	}
	if next != len(m.Points) {
		t.Errorf("the rows end before operation %d", next)
	}
	for _, op := range m.Operations {
		if op.File != "runtime/assistant/restore.go" || op.Line == 0 || !op.Yours {
			t.Errorf("operation %d, %s %s, belongs to %s:%d", op.Number, op.Kind, op.Path, op.File, op.Line)
		}
	}
}

func TestSpoken(t *testing.T) {
	for name, want := range map[string]string{"": "", "Replace": "replace", "CopyInto": "copy into"} {
		if got := spoken(name); got != want {
			t.Errorf("%q is spoken %q, want %q", name, got, want)
		}
	}
}

func TestARunThatCannotBeExplored(t *testing.T) {
	b := mustBench(t, "restore")
	head := "package assistant\n\nimport (\n\t\"context\"\n\n\t\"fieldbook/runtime/database\"\n)\n\nfunc Restore(ctx context.Context, db *database.Database, source string) error {\n"
	for name, test := range map[string]struct {
		body    string
		outcome grader.Outcome
		verdict grader.Verdict
		cause   string
	}{
		"ItReturnsAnError": {"return database.ErrBusy\n}\n", grader.Observed, grader.NeedsWork, "ended with an error"},
		"ItPanics":         {"var none []int\n_ = none[len(source)]\nreturn nil\n}\n", grader.Panic, grader.NeedsWork, "index out of range"},
		"ItHangs":          {"for {\n}\n}\n", grader.Timeout, grader.Limit, "limit"},
	} {
		t.Run(name, func(t *testing.T) {
			s := b.subject(t, head+test.body)
			s.Run.Limits.Wall = 1e9
			m := mustExplore(t, b.explorer, s)
			if m.Outcome != test.outcome || m.Verdict != test.verdict || !strings.Contains(m.Cause, test.cause) || len(m.Points) > 0 {
				t.Errorf("%s %s %q, %d points", m.Outcome, m.Verdict, m.Cause, len(m.Points))
			}
		})
	}
}

// With synchronous = NORMAL a commit returns before it is durable: the exploration must see it. Only what the parent reads is
// judged here: that alone is red.
func TestCommitsThatDoNotWaitAreSeen(t *testing.T) {
	for synchronous, want := range map[string]bool{"FULL": false, "NORMAL": true} {
		t.Run(synchronous, func(t *testing.T) {
			n, s := mustNative(t, mustExercise(t, "restore"), restoring, restoring)
			n.synchronous = synchronous
			m := mustLook(t, n, s)
			after, states, broken := m.Broken("I3")
			if broken != want {
				t.Fatalf("I3 broken: %v", broken)
			}
			if !broken {
				return
			}
			// The marker names the new history, and the pause is lost with the power.
			if op := m.Operations[after-1]; op.Kind != "rename" {
				t.Errorf("I3 breaks after %s %s, want the rename of the marker", op.Kind, op.Path)
			}
			if slices.ContainsFunc(states, func(i Instance) bool { return i.Model == Killed }) {
				t.Error("I3 breaks although the process is only killed")
			}
			if cell := m.Points[after+1].Cells[2]; !slices.Contains(cell.Broken, Lost) {
				t.Errorf("once the folder is synced, I3 breaks under %v alone", cell.Broken)
			}
		})
	}
}

// mustLook explores without running anything again.
func mustLook(t *testing.T, r Runner, s Subject) *Matrix {
	t.Helper()
	evaluator := probe.NewEvaluator()
	defer evaluator.Close()
	x := newExploration(&Explorer{Runner: r}, s, &judge{exercise: s.Exercise, evaluator: evaluator, temp: t.TempDir()})
	if ok, err := x.record(t.Context()); err != nil || !ok {
		t.Fatal(ok, err)
	}
	points, states, err := explore(x.recording.base, x.recording.entries)
	if err != nil {
		t.Fatal(err)
	}
	x.states = states
	if err := x.readEnds(t.Context(), points); err != nil {
		t.Fatal(err)
	}
	for _, state := range states {
		found, _, err := x.look(t.Context(), state)
		if err != nil {
			t.Fatal(err)
		}
		x.matrix.States = append(x.matrix.States, found)
	}
	x.assemble(points)
	return x.matrix
}

func BenchmarkReference(b *testing.B) {
	bench := mustBench(b, "restore")
	subject := bench.subject(b, bench.reference(b))
	mustExplore(b, bench.explorer, subject) // the pool's workers are warm
	var m *Matrix
	for b.Loop() {
		if m = mustExplore(b, bench.explorer, subject); m.Verdict != grader.Pass {
			b.Fatal(m.Verdict)
		}
	}
	b.ReportMetric(float64(len(m.Operations)), "operations")
	b.ReportMetric(float64(m.Explored), "states")
	b.ReportMetric(float64(len(m.States)), "distinct")
	b.ReportMetric(float64(len(m.Faults)), "faults")
	b.ReportMetric(m.Elapsed.Seconds(), "s/matrix")
}
