package crash

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/probe"
	"fieldbook/runtime/files"
	"fieldbook/runtime/world"
)

// saving is an exercise without a database: a text is saved over an older one.
func saving() *exercises.Exercise {
	return &exercises.Exercise{Name: "save", Crash: &exercises.Crash{
		From: "before", To: "after", Returned: exercises.Returned{Field: "error", Value: world.NullValue()},
		Values: []exercises.Reading{{Name: "text", Of: "save.txt", File: "save.txt"}},
		Invariants: []exercises.Invariant{
			{ID: "whole", Text: "the old text or the new one", Holds: "text = before_text OR text = after_text"},
			{ID: "other", Text: "the other file is unchanged", Same: "other.txt"},
			{ID: "again", Text: "saved once more, it is the new text", Again: true, Holds: "text = after_text"},
			{ID: "end", Text: "saved once more, nothing else is left", Again: true, Reference: true},
		},
		Captions: []exercises.Caption{{Place: "name", Seen: []exercises.Match{{Kind: "rename"}}}},
	}}
}

// save is a function under test.
type save func(path, text string) error

// driven drives save as a probe would.
func driven(save save) drive {
	return func(_ context.Context, again bool, w *world.World) (seen world.Observation, err error) {
		path := w.Path("save.txt")
		if !again {
			if err := errors.Join(files.Replace(path, []byte("old")), files.Replace(w.Path("other.txt"), []byte("other"))); err != nil {
				return seen, err
			}
		}
		w.Mark("before")
		err = save(path, "a new text")
		w.Mark("after")
		seen.Null("error")
		if err != nil {
			seen.String("error", err.Error())
		}
		return seen, nil
	}
}

// safely is the reference: a new file, synced, takes the old one's name.
func safely(path, text string) error {
	fresh := path + ".new"
	if err := files.Remove(fresh); err != nil && !errors.Is(err, files.ErrNotExist) {
		return err
	}
	f, err := files.CreateExclusive(fresh, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write([]byte(text))
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = files.Rename(fresh, path)
	}
	if err != nil {
		return err
	}
	return files.SyncFolder(files.Folder(path))
}

// withoutSync leaves out the sync of the new file.
func withoutSync(path, text string) error {
	fresh := path + ".new"
	if err := files.Remove(fresh); err != nil && !errors.Is(err, files.ErrNotExist) {
		return err
	}
	f, err := files.CreateExclusive(fresh, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write([]byte(text))
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := files.Rename(fresh, path); err != nil {
		return err
	}
	return files.SyncFolder(files.Folder(path))
}

// inPlace writes over the old text.
func inPlace(path, text string) error {
	if err := files.Truncate(path, 0); err != nil {
		return err
	}
	f, err := files.Append(path)
	if err != nil {
		return err
	}
	_, err = f.Write([]byte(text))
	return errors.Join(err, f.Sync(), f.Close())
}

// reckless drops the errors of a write and of a sync.
func reckless(path, text string) error {
	fresh := path + ".new"
	_ = files.Remove(fresh)
	f, err := files.CreateExclusive(fresh, 0o600)
	if err != nil {
		return err
	}
	_, _ = f.Write([]byte(text))
	_ = f.Sync()
	_ = f.Close()
	if err := files.Rename(fresh, path); err != nil {
		return err
	}
	return files.SyncFolder(files.Folder(path))
}

// referenced explores save with safely as the exercise's reference.
func referenced(t *testing.T, save save) (*native, Subject) {
	t.Helper()
	return mustNative(t, saving(), driven(save), driven(safely))
}

// broken lists the cells that do not hold: "after 3 whole: killed lost".
func broken(m *Matrix) []string {
	var list []string
	for _, p := range m.Points {
		for i, c := range p.Cells {
			if !c.Holds() {
				list = append(list, strings.TrimSpace(fmt.Sprintf("after %d %s: %s %s", p.After, m.Invariants[i].ID, models(c.Broken), models(c.Unread))))
			}
		}
	}
	return list
}

func models(list []Model) string {
	var words []string
	for _, m := range list {
		words = append(words, string(m))
	}
	return strings.Join(words, " ")
}

// breaches lists what refused operations broke: "3 torn_write whole".
func breaches(m *Matrix) []string {
	var list []string
	for _, f := range m.Faults {
		for _, b := range f.Broken {
			name := b.Invariant
			if name == "" {
				name = "rule"
			}
			list = append(list, strings.TrimSpace(fmt.Sprintf("%d %s %s %s", f.Operation, f.Kind, name, b.Model)))
		}
	}
	return list
}

// TestSaves holds matrices that were worked out by hand.
func TestSaves(t *testing.T) {
	tests := map[string]struct {
		save             save
		verdict          grader.Verdict
		rows             []string
		broken, breaches []string
	}{
		"Safely": {
			save: safely, verdict: grader.Pass,
			rows: []string{"nothing yet", "save.txt.new create save.txt.new", "save.txt.new write 10 bytes", "save.txt.new sync", "name rename to save.txt", "folder sync"},
		},
		"WithoutSync": {
			save: withoutSync, verdict: grader.NeedsWork,
			rows:   []string{"nothing yet", "save.txt.new create save.txt.new", "save.txt.new write 10 bytes", "name rename to save.txt", "folder sync"},
			broken: []string{"after 3 whole: named", "after 4 whole: lost named"},
		},
		"InPlace": {
			save: inPlace, verdict: grader.NeedsWork,
			rows: []string{"nothing yet", "save.txt truncate save.txt", "save.txt write 10 bytes", "save.txt sync"},
			// Half of the two changes is the truncation alone.
			broken: []string{"after 1 whole: killed", "after 2 whole: lost"},
			// A full disk leaves half a text or none, a failed sync after a power loss the old one; an error comes back.
			breaches: []string{"2 no_space whole", "2 torn_write whole"},
		},
		"Reckless": {
			save: reckless, verdict: grader.NeedsWork,
			rows: []string{"nothing yet", "save.txt.new create save.txt.new", "save.txt.new write 10 bytes", "save.txt.new sync", "name rename to save.txt", "folder sync"},
			breaches: []string{
				"2 no_space rule", "2 no_space whole", "2 torn_write rule", "2 torn_write whole",
				"3 failed_sync whole lost", // the text is there until the power fails
			},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			n, s := referenced(t, test.save)
			m := mustExplore(t, Explorer{Runner: n, Parallel: 2}, s)
			if m.Verdict != test.verdict {
				t.Errorf("%s, want %s: %s", m.Verdict, test.verdict, m.Cause)
			}
			var rows []string
			for _, r := range m.Rows {
				rows = append(rows, strings.TrimSpace(r.Place+" "+r.What))
			}
			if !slices.Equal(rows, test.rows) {
				t.Errorf("rows %q\nwant %q", rows, test.rows)
			}
			if got := broken(m); !slices.Equal(got, test.broken) {
				t.Errorf("broken %q\nwant   %q", got, test.broken)
			}
			if got := breaches(m); !slices.Equal(got, test.breaches) {
				t.Errorf("refused operations broke %q\nwant %q", got, test.breaches)
			}
			for _, f := range m.Faults {
				if !f.Reached {
					t.Errorf("operation %d, %s, was never reached", f.Operation, f.Kind)
				}
			}
		})
	}
}

func TestFacts(t *testing.T) {
	n, s := referenced(t, withoutSync)
	m := mustExplore(t, Explorer{Runner: n, Parallel: 1}, s)
	got := map[Model]string{}
	for _, i := range m.Points[4].Instances {
		got[i.Model+Model(i.Half)] = m.States[i.State].Facts[0].Of + ": " + m.States[i.State].Facts[0].Text
	}
	want := map[Model]string{
		Killed: "save.txt: a new text  10 bytes", Lost: "save.txt: empty  0 bytes", Named: "save.txt: empty  0 bytes",
		"lostsave.txt": "save.txt: a new  5 bytes",
	}
	for m, text := range want {
		if got[m] != text {
			t.Errorf("%s: %q, want %q", m, got[m], text)
		}
	}
	if u := m.Points[4].Unsynced; len(u) != 1 || u[0] != (Unsynced{Path: "save.txt", First: 2}) {
		t.Errorf("unsynced after the last operation: %v", u)
	}
	if after, states, ok := m.Broken("whole"); !ok || after != 3 || len(states) != 1 || states[0].Model != Named {
		t.Errorf("the first broken point is %d, %v", after, states)
	}
	if _, _, ok := m.Broken("other"); ok {
		t.Error("an invariant that holds is broken somewhere")
	}
}

// TestSeriesThatMislead: what a worker remembers from one world to the next must change no matrix.
func TestSeriesThatMislead(t *testing.T) {
	n, s := referenced(t, safely)
	n.series = func([]probe.Start) bool { return true }
	inner := n.drive
	n.drive = func(ctx context.Context, again bool, w *world.World) (world.Observation, error) {
		if n.inSeries.Load() {
			return driven(func(string, string) error { return errors.New("I have run before") })(ctx, again, w)
		}
		return inner(ctx, again, w)
	}
	m := mustExplore(t, Explorer{Runner: n, Parallel: 1}, s)
	if m.Verdict != grader.Pass {
		t.Errorf("%s: %q %q", m.Verdict, broken(m), breaches(m))
	}
}

// TestSeriesThatEndBadly: what nothing is known of is run alone.
func TestSeriesThatEndBadly(t *testing.T) {
	n, s := referenced(t, safely)
	var series atomic.Int32
	n.series = func([]probe.Start) bool { series.Add(1); return false }
	m := mustExplore(t, Explorer{Runner: n, Parallel: 2}, s)
	if m.Verdict != grader.Pass || series.Load() == 0 {
		t.Errorf("%s after %d series: %q %q", m.Verdict, series.Load(), broken(m), breaches(m))
	}
}

// TestAFunctionThatHangsAfterACrash: the runs after the first ones that hang are not made.
func TestAFunctionThatHangsAfterACrash(t *testing.T) {
	n, s := referenced(t, safely)
	n.series = func([]probe.Start) bool { return false }
	var hung atomic.Int32
	n.ending = func(again bool) grader.Outcome {
		if again {
			hung.Add(1)
			return grader.Timeout
		}
		return grader.Observed
	}
	m := mustExplore(t, Explorer{Runner: n, Parallel: 1}, s)
	if m.Verdict != grader.NeedsWork || hung.Load() != maxLimited {
		t.Errorf("%s, %d runs hung, want %d", m.Verdict, hung.Load(), maxLimited)
	}
	reasons := map[string]bool{}
	for _, state := range m.States {
		if f := state.Findings[2]; f.Verdict != Broken {
			t.Errorf("a run that hangs gives %s", f.Verdict)
		} else {
			reasons[f.Reason] = true
		}
	}
	if !reasons["it ended: timeout"] || len(reasons) != 2 {
		t.Errorf("the reasons are %v", reasons)
	}
}

// TestOurFailure is an error, never a broken cell.
func TestOurFailure(t *testing.T) {
	n, s := referenced(t, safely)
	n.series = func([]probe.Start) bool { return false }
	n.ending = func(again bool) grader.Outcome {
		if again {
			return grader.Infrastructure
		}
		return grader.Observed
	}
	x := Explorer{Runner: n}
	if m, err := x.Explore(t.Context(), s); err == nil {
		t.Errorf("a machine that fails gives a matrix: %s", m.Verdict)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := x.Explore(ctx, s); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context gives %v", err)
	}
}
