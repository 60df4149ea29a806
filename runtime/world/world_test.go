package world_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fieldbook/runtime/database"
	"fieldbook/runtime/files"
	"fieldbook/runtime/operation"
	"fieldbook/runtime/world"
)

// mustNew makes a world that ends with the test.
func mustNew(t *testing.T, o world.Options) *world.World {
	t.Helper()
	if o.Root == "" {
		o.Root = t.TempDir()
	}
	w, err := world.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Errorf("closing the world: %v", err)
		}
	})
	return w
}

func mustOpen(t *testing.T, w *world.World) *database.Database {
	t.Helper()
	db, err := w.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return db
}

func TestNew(t *testing.T) {
	if _, err := world.New(world.Options{}); err == nil {
		t.Error("a world without a folder was made")
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := world.New(world.Options{Root: file}); err == nil {
		t.Error("a world was made in a file")
	}
	w := mustNew(t, world.Options{Root: filepath.Join(t.TempDir(), "made", "when", "missing")})
	if _, err := world.New(world.Options{Root: w.Path()}); err == nil {
		t.Error("two worlds were made in one folder")
	}
}

func TestClockStartsOnMondayMorning(t *testing.T) {
	w := mustNew(t, world.Options{})
	if got, want := w.Clock().Now().Format(time.RFC1123), "Mon, 02 Mar 2026 08:00:00 UTC"; got != want {
		t.Errorf("the clock stands at %s, want %s", got, want)
	}
	db := mustOpen(t, w)
	before := db.Now()
	w.Clock().Advance(90 * time.Second)
	if got := db.Now() - before; got != 90 {
		t.Errorf("the handle's clock moved by %d seconds, want 90", got)
	}
	other := time.Date(2026, time.July, 1, 12, 0, 0, 0, time.FixedZone("", 3600))
	if got := mustNew(t, world.Options{Start: other}).Clock().Now(); !got.Equal(other) || got.Location() != time.UTC {
		t.Errorf("the clock stands at %s, want %s in UTC", got, other)
	}
}

// TestIDs opens a shop several times in two processes of a run, and the whole run again.
func TestIDs(t *testing.T) {
	run := func(seed uint64) (ids []string) {
		root := t.TempDir()
		for process := 1; process <= 2; process++ {
			w, err := world.New(world.Options{Root: root, Seed: seed, Process: process})
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				db := mustOpen(t, w)
				ids = append(ids, db.NewEpoch(), db.NewEpoch())
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		}
		return ids
	}
	first, again, other := run(1), run(1), run(2)
	if !slices.Equal(first, again) {
		t.Errorf("the same run made other ids:\n%v\n%v", first, again)
	}
	seen := map[string]bool{}
	for _, id := range append(first, other...) {
		if seen[id] {
			t.Errorf("%s was made twice", id)
		}
		seen[id] = true
	}
}

func TestFiles(t *testing.T) {
	w := mustNew(t, world.Options{})
	db := mustOpen(t, w)
	if got, want := db.Path(), w.Path("shop.sqlite"); got != want {
		t.Errorf("database %s, want %s", got, want)
	}
	if got, want := db.Marker(), w.Path("shop.authority"); got != want {
		t.Errorf("marker %s, want %s", got, want)
	}
	if info, err := os.Stat(w.Path(world.MarkerFile)); err != nil || info.Size() != 32 {
		t.Errorf("marker: %v, %v", info, err)
	}
}

func TestPathStaysInside(t *testing.T) {
	root := t.TempDir()
	w := mustNew(t, world.Options{Root: root})
	for _, test := range []struct {
		elem []string
		want string
	}{
		{nil, "."},
		{[]string{"a"}, "a"},
		{[]string{"a", "b"}, "a/b"},
		{[]string{".."}, "."},
		{[]string{"..", "..", "etc", "passwd"}, "etc/passwd"},
		{[]string{"a/../../.."}, "."},
		{[]string{"/etc/passwd"}, "etc/passwd"},
		{[]string{"a", "", "."}, "a"},
	} {
		if got, want := w.Path(test.elem...), filepath.Join(root, test.want); got != want {
			t.Errorf("Path(%q) = %s, want %s", test.elem, got, want)
		}
	}
}

func TestCase(t *testing.T) {
	w := mustNew(t, world.Options{Case: map[string]world.Value{"pieces": world.IntValue(3)}})
	if got := w.Case("pieces"); !got.Equal(world.IntValue(3)) {
		t.Errorf("pieces = %s", got)
	}
	if got := w.Case("other"); got.Kind() != world.Absent {
		t.Errorf("a case that was not drawn is %s", got)
	}
}

func TestLogAndMarks(t *testing.T) {
	var log []operation.Entry
	w := mustNew(t, world.Options{Sink: func(e operation.Entry) error { log = append(log, e); return nil }})
	w.Mark("begun")
	mustOpen(t, w)
	w.Mark("opened")
	var marks []string
	durable := 0
	for i, e := range log {
		if e.Seq != i+1 {
			t.Fatalf("entry %d has number %d", i+1, e.Seq)
		}
		if e.Kind == operation.Mark {
			marks = append(marks, e.Name)
		}
		if e.Kind.Durable() {
			durable++
		}
	}
	if !slices.Equal(marks, []string{"begun", "opened"}) || log[0].Name != "begun" || log[len(log)-1].Name != "opened" {
		t.Errorf("marks %v", marks)
	}
	if durable == 0 {
		t.Error("opening a new shop logged no durable operation")
	}
}

func TestWait(t *testing.T) {
	w := mustNew(t, world.Options{Wait: time.Millisecond})
	holder, waiter := mustOpen(t, w), mustOpen(t, w)
	err := holder.Immediate(t.Context(), func(*database.Tx) error {
		_, err := waiter.Exec(t.Context(), "UPDATE assistant_control SET paused = 1")
		return err
	})
	if !errors.Is(err, database.ErrBusy) {
		t.Errorf("a change while another handle holds the lock: %v", err)
	}
}

func TestIntercept(t *testing.T) {
	w := mustNew(t, world.Options{Intercept: func(operation.Entry) error { return operation.ErrNoSpace }})
	if _, err := w.Open(t.Context()); !errors.Is(err, database.ErrNoSpace) {
		t.Errorf("opening on a full disk: %v", err)
	}
}

func TestClose(t *testing.T) {
	root := t.TempDir()
	w := mustNew(t, world.Options{Root: root})
	first, second := mustOpen(t, w), mustOpen(t, w)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := second.Exec(t.Context(), "UPDATE inventory SET on_hand = 0"); !errors.Is(err, database.ErrClosed) {
		t.Errorf("a handle of a closed world: %v", err)
	}
	if _, err := w.Open(t.Context()); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("opening in a closed world: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Errorf("closing again: %v", err)
	}
	mustNew(t, world.Options{Root: root}) // the folder is free again
}

// calls makes n logged calls.
func calls(t *testing.T, w *world.World, n int) {
	t.Helper()
	for range n {
		if _, err := files.Regular(w.Path("x")); err != nil {
			t.Fatal(err)
		}
	}
}

func TestBefore(t *testing.T) {
	var log []string
	w := mustNew(t, world.Options{Sink: func(e operation.Entry) error {
		if e.Kind == operation.Call {
			log = append(log, e.Name)
		}
		return nil
	}})
	ran := 0
	act := func(context.Context) error {
		ran++
		_, err := files.Same(w.Path("a"), w.Path("b"))
		return err
	}
	calls(t, w, 2) // before Before nothing is counted
	w.Before(3, act)
	calls(t, w, 2)
	if ran != 0 {
		t.Fatalf("the competitor ran before call %d", len(log))
	}
	calls(t, w, 3)
	if ran != 1 {
		t.Fatalf("the competitor ran %d times", ran)
	}
	regular, same := "files.Regular", "files.Same"
	if want := []string{regular, regular, regular, regular, same, regular, regular, regular}; !slices.Equal(log, want) {
		t.Errorf("calls %v, want %v", log, want)
	}
	w.Before(9, act)
	calls(t, w, 8)
	if ran != 1 || w.Err() != nil {
		t.Errorf("ran %d times, error %v", ran, w.Err())
	}
}

func TestBeforeCountsTheLearnersCalls(t *testing.T) {
	file := "runtime/assistant/probe.go"
	w := mustNew(t, world.Options{
		Learner:  []string{"runtime/assistant/restore.go"},
		Position: func() (string, int) { return file, 7 },
	})
	ran := false
	w.Before(1, func(context.Context) error { ran = true; return nil })
	calls(t, w, 3)
	if ran {
		t.Error("a call from another file was counted")
	}
	file = "runtime/assistant/restore.go"
	calls(t, w, 1)
	if !ran {
		t.Error("the learner's first call was not counted")
	}
}

func TestTwoCompetitors(t *testing.T) {
	w := mustNew(t, world.Options{})
	var order []string
	for _, name := range []string{"first", "second"} {
		w.Before(2, func(context.Context) error {
			order = append(order, name)
			calls(t, w, 5) // its own calls wake nobody
			return nil
		})
	}
	calls(t, w, 2)
	if !slices.Equal(order, []string{"first", "second"}) {
		t.Errorf("ran %v", order)
	}
}

func TestCompetitorErrors(t *testing.T) {
	w := mustNew(t, world.Options{})
	failed := errors.New("no vanilla")
	w.Before(1, func(context.Context) error { return failed })
	if err := w.Err(); err != nil {
		t.Errorf("before it ran: %v", err)
	}
	calls(t, w, 1)
	if err := w.Err(); !errors.Is(err, failed) || !strings.Contains(err.Error(), "before call 1") {
		t.Errorf("error %v", err)
	}
}
