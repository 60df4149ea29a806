// Package crashes_test shows that the exploration of crashes bites: for each wrong solution whose mistake is one of order on
// the disk, the operation at which an invariant breaks.
package crashes_test

import (
	"os"
	"slices"
	"testing"
	"time"

	"fieldbook/exercises/holdout"
	"fieldbook/grader"
	"fieldbook/grader/crash"
	"fieldbook/grader/engine"
	"fieldbook/grader/probe"
	"fieldbook/grader/sandbox"
	"fieldbook/grader/task"
	teaching "fieldbook/runtime"
	"fieldbook/runtime/operation"
)

func TestMain(m *testing.M) {
	if sandbox.IsWorker(os.Args) {
		probe.Serve()
	}
	os.Exit(m.Run())
}

func TestWrongSolutionsBreakWhereTheirMistakeIs(t *testing.T) {
	set, err := holdout.Named("restore")
	if err != nil {
		t.Fatal(err)
	}
	pool, err := sandbox.NewPool(sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	options := task.Options{Engine: engine.New(teaching.Tree()), Pool: pool, Edition: "student", Now: func() time.Time { return time.Unix(0, 0) }}

	tests := []struct {
		wrong     string
		invariant string
		kind      operation.Kind // of the operation after which it breaks first
		path      string         // of that operation; To for a rename
		call      string
		models    []crash.Model  // under which it breaks there
		mends     operation.Kind // the operation after which it holds again; "" for never
	}{
		// The name reaches the disk, and no sync of the contents ever follows.
		{"marker-not-synced", "I2", operation.Rename, "shop.authority", "files.Rename", []crash.Model{crash.Named}, ""},
		{"marker-not-synced", "I4", operation.Sync, "shop.sqlite-wal", "database.CopyInto", []crash.Model{crash.Lost, crash.Named}, ""},
		// The sync follows, one operation too late.
		{"rename-before-sync", "I2", operation.Rename, "shop.authority", "files.Rename", []crash.Model{crash.Named}, operation.Sync},
		// The new rows count, and the marker is still the old one.
		{"copy-before-marker", "I4", operation.Write, "shop.sqlite-wal", "database.CopyInto", []crash.Model{crash.Killed}, operation.SyncFolder},
		// The shop is open between marker and rows.
		{"resume-early", "I3", operation.Write, "shop.sqlite-wal", "database.Immediate", []crash.Model{crash.Killed}, operation.Sync},
	}
	matrices := map[string]*crash.Matrix{}
	for _, test := range tests {
		t.Run(test.wrong+"/"+test.invariant, func(t *testing.T) {
			m := matrices[test.wrong]
			if m == nil {
				m = explore(t, options, set, test.wrong)
				matrices[test.wrong] = m
			}
			if m.Verdict != grader.NeedsWork {
				t.Fatalf("%s: %s", m.Verdict, m.Cause)
			}
			after, states, broken := m.Broken(test.invariant)
			if !broken || after == 0 {
				t.Fatalf("%s is never broken, or from the beginning", test.invariant)
			}
			op := m.Operations[after-1]
			path := op.Path
			if op.Kind == operation.Rename {
				path = op.To
			}
			if op.Kind != test.kind || path != test.path || op.Call != test.call || op.Line == 0 {
				t.Errorf("it breaks after operation %d, %s %s of %s, line %d", after, op.Kind, path, op.Call, op.Line)
			}
			var models []crash.Model
			for _, s := range states {
				if !slices.Contains(models, s.Model) {
					models = append(models, s.Model)
				}
				if len(m.States[s.State].Facts) == 0 {
					t.Error("a broken state is not told in words")
				}
			}
			if !slices.Equal(models, test.models) {
				t.Errorf("it breaks under %v, want %v", models, test.models)
			}
			if got := mended(m, test.invariant, after); got != test.mends {
				t.Errorf("it holds again after a %q, want %q", got, test.mends)
			}
			if _, _, early := m.Broken("I1"); early {
				t.Error("I1 is broken too")
			}
		})
	}
}

func explore(t *testing.T, o task.Options, set *holdout.Set, name string) *crash.Matrix {
	t.Helper()
	i := slices.IndexFunc(set.Wrong, func(c holdout.Candidate) bool { return c.Name == name })
	if i < 0 {
		t.Fatalf("there is no wrong solution %s", name)
	}
	one, err := task.New(o, set.Exercise)
	if err != nil {
		t.Fatal(err)
	}
	defer one.Close()
	c := set.Wrong[i]
	if report, err := one.Install(t.Context(), task.Source{Path: c.File, Name: c.Name, Text: c.Text}); err != nil || report.Outcome != "" {
		t.Fatalf("install %s: %v %v", name, err, report.Diagnostics)
	}
	m, report, err := one.Crash(t.Context(), task.Exploration{CrashesAlone: true})
	if err != nil || m == nil {
		t.Fatalf("explore %s: %v %v", name, err, report.Diagnostics)
	}
	return m
}

// mended is the kind of the first operation from which on an invariant holds to the end; "" when it does not.
func mended(m *crash.Matrix, invariant string, after int) operation.Kind {
	column := slices.IndexFunc(m.Invariants, func(c crash.Column) bool { return c.ID == invariant })
	last := after
	for _, p := range m.Points[after:] {
		if !p.Cells[column].Holds() {
			last = p.After
		}
	}
	if last == len(m.Operations) {
		return ""
	}
	return m.Operations[last].Kind
}
