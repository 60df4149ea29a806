package workspace_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/grader"
)

const restore = "runtime/assistant/restore.go"

var (
	supplied = []workspace.File{
		{Path: "go.mod", Text: []byte("module fieldbook\n")},
		{Path: "runtime/assistant/seed.go", Text: []byte("package assistant\n")},
	}
	starter = workspace.File{Path: restore, Text: []byte("package assistant // starter\n")}
)

// ticking is a clock that moves on one second with each reading.
func ticking() func() time.Time {
	now := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	return func() time.Time { now = now.Add(time.Second); return now }
}

// mustCreate makes a workspace that is set up. Its path has a space and letters outside ASCII.
func mustCreate(t *testing.T) *workspace.Workspace {
	t.Helper()
	w, err := workspace.Create(filepath.Join(t.TempDir(), "Lucy's café 冰"), "student", ticking())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.SetUp(supplied, []workspace.File{starter}); err != nil {
		t.Fatal(err)
	}
	return w
}

func mustRead(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func mustWrite(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func mustUnlock(t *testing.T, l *workspace.Lock) {
	t.Helper()
	if err := l.Unlock(); err != nil {
		t.Error(err)
	}
}

func wantCode(t *testing.T, err error, code string, exit int) {
	t.Helper()
	var known *grader.Error
	if !errors.As(err, &known) {
		t.Fatalf("error %v, want one with code %s", err, code)
	}
	if known.Code != code || known.Exit != exit || known.Hint == "" {
		t.Errorf("error %+v, want code %s, exit %d and a hint", known, code, exit)
	}
}

func TestSetUp(t *testing.T) {
	t.Run("FreshFolder", func(t *testing.T) {
		w, err := workspace.Create(t.TempDir(), "student", ticking())
		if err != nil {
			t.Fatal(err)
		}
		got, err := w.SetUp(supplied, []workspace.File{starter})
		if err != nil {
			t.Fatal(err)
		}
		want := workspace.Setup{Supplied: 2, Written: 2, Restored: []string{}, Starters: []string{restore}, Kept: []string{},
			Digest: workspace.TreeDigest(supplied), Matches: true}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		for _, f := range append(slices.Clone(supplied), starter) {
			if got := mustRead(t, w.Path(f.Path)); got != string(f.Text) {
				t.Errorf("%s holds %q", f.Path, got)
			}
		}
	})
	t.Run("RepeatedKeepsTheStudentsAndRestoresTheSupplied", func(t *testing.T) {
		w := mustCreate(t)
		mustWrite(t, w.Path(restore), "package assistant // mine\n")
		mustWrite(t, w.Path("runtime/assistant/seed.go"), "package assistant // edited\n")
		got, err := w.SetUp(supplied, []workspace.File{starter})
		if err != nil {
			t.Fatal(err)
		}
		if mine := mustRead(t, w.Path(restore)); !strings.Contains(mine, "mine") {
			t.Errorf("the student's file became %q", mine)
		}
		if seed := mustRead(t, w.Path("runtime/assistant/seed.go")); seed != "package assistant\n" {
			t.Errorf("the supplied file was not restored: %q", seed)
		}
		if diff := cmp.Diff([]string{"runtime/assistant/seed.go"}, got.Restored); diff != "" {
			t.Error(diff)
		}
		if kept := mustRead(t, w.Path(".fieldbook/backups/"+got.Backup+"/runtime/assistant/seed.go")); !strings.Contains(kept, "edited") {
			t.Errorf("the backup holds %q", kept)
		}
		if !got.Matches || got.Written != 0 {
			t.Errorf("set-up reported %+v", got)
		}
	})
}

func TestTreeDigestNamesPathsAndBytes(t *testing.T) {
	digest := workspace.TreeDigest(supplied)
	if swapped := workspace.TreeDigest([]workspace.File{supplied[1], supplied[0]}); swapped != digest {
		t.Error("the digest depends on the order of the files")
	}
	for name, other := range map[string][]workspace.File{
		"Renamed": {{Path: "go.mox", Text: supplied[0].Text}, supplied[1]},
		"Edited":  {{Path: "go.mod", Text: []byte("module other\n")}, supplied[1]},
		"Missing": supplied[:1],
	} {
		if workspace.TreeDigest(other) == digest {
			t.Errorf("%s: the digest did not change", name)
		}
	}
}

func TestCreateRefusesAFolderInUse(t *testing.T) {
	for _, name := range []string{"go.mod", "runtime"} {
		folder := t.TempDir()
		mustWrite(t, filepath.Join(folder, name), "theirs")
		_, err := workspace.Create(folder, "student", ticking())
		wantCode(t, err, "folder_in_use", grader.ExitUsage)
		if entries, _ := os.ReadDir(folder); len(entries) != 1 {
			t.Errorf("the refused folder now holds %d entries", len(entries))
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	mustWrite(t, file, "theirs")
	_, err := workspace.Create(file, "student", ticking())
	wantCode(t, err, "workspace_is_file", grader.ExitUsage)
}

func TestOpen(t *testing.T) {
	t.Run("OK", func(t *testing.T) {
		w := mustCreate(t)
		again, err := workspace.Open(w.Root(), ticking())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(w.About(), again.About()); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("ErrNoWorkspace", func(t *testing.T) {
		_, err := workspace.Open(t.TempDir(), ticking())
		wantCode(t, err, "no_workspace", grader.ExitUsage)
	})
	for name, c := range map[string]struct{ text, code string }{
		"ErrNewer":   {`{"format": 99}`, "workspace_newer"},
		"ErrDamaged": {`{"form`, "workspace_damaged"},
		"ErrEmpty":   {``, "workspace_damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			w := mustCreate(t)
			mustWrite(t, w.Path(".fieldbook/workspace.json"), c.text)
			_, err := workspace.Open(w.Root(), ticking())
			wantCode(t, err, c.code, grader.ExitUsage)
		})
	}
}

func TestFind(t *testing.T) {
	w := mustCreate(t)
	deep := w.Path("runtime/assistant")
	outside, data := t.TempDir(), t.TempDir()
	for name, c := range map[string]struct {
		named, cwd string
		want       workspace.Place
	}{
		"Named":         {w.Root(), outside, workspace.Place{Path: w.Root(), Reason: "named by --workspace", Exists: true}},
		"NamedRelative": {"here", outside, workspace.Place{Path: filepath.Join(outside, "here"), Reason: "named by --workspace"}},
		"NearestParent": {"", deep, workspace.Place{Path: w.Root(), Reason: "the nearest folder with .fieldbook", Exists: true}},
		"DataFolder":    {"", outside, workspace.Place{Path: filepath.Join(data, "fieldbook", "workspace"), Reason: "in your data folder"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := workspace.Find(c.named, c.cwd, data)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLock(t *testing.T) {
	t.Run("ASecondProgramIsToldWhoHoldsIt", func(t *testing.T) {
		w := mustCreate(t)
		first, err := w.Lock(t.Context(), workspace.Holder{Command: "fieldbook watch restore"}, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, err = w.Lock(t.Context(), workspace.Holder{Command: "fieldbook run restore"}, 50*time.Millisecond)
		wantCode(t, err, "workspace_busy", grader.ExitUsage)
		if !strings.Contains(err.Error(), "`fieldbook watch restore`") {
			t.Errorf("the refusal does not name the other program: %v", err)
		}
		if err := first.Unlock(); err != nil {
			t.Fatal(err)
		}
		second, err := w.Lock(t.Context(), workspace.Holder{Command: "fieldbook run restore"}, 0)
		if err != nil {
			t.Fatalf("after the first program ended: %v", err)
		}
		mustUnlock(t, second)
	})
	t.Run("NobodyWaitsForAProgramThatStays", func(t *testing.T) {
		w := mustCreate(t)
		first, err := w.Lock(t.Context(), workspace.Holder{Command: "fieldbook", Stays: true}, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer mustUnlock(t, first)
		begun := time.Now()
		_, err = w.Lock(t.Context(), workspace.Holder{Command: "fieldbook run restore"}, time.Hour)
		wantCode(t, err, "workspace_busy", grader.ExitUsage)
		if waited := time.Since(begun); waited > time.Minute {
			t.Errorf("it waited %s", waited)
		}
	})
	t.Run("SweepsWhatAKilledProgramLeft", func(t *testing.T) {
		w := mustCreate(t)
		mustWrite(t, w.Path("runtime/assistant/.fieldbook-123"), "half")
		mustWrite(t, w.Path("handoffs/.h.json.17.tmp"), "half")
		if err := os.MkdirAll(w.Path("attempts/.fieldbook-9"), 0o755); err != nil {
			t.Fatal(err)
		}
		lock, err := w.Lock(t.Context(), workspace.Holder{Command: "fieldbook"}, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer mustUnlock(t, lock)
		for _, left := range []string{"runtime/assistant/.fieldbook-123", "attempts/.fieldbook-9", "handoffs/.h.json.17.tmp"} {
			if _, err := os.Lstat(w.Path(left)); err == nil {
				t.Errorf("%s is still there", left)
			}
		}
		if !workspace.Exists(w.Root()) {
			t.Error("the sweep took the workspace's own folder")
		}
	})
}

func TestResetAndUndo(t *testing.T) {
	w := mustCreate(t)
	path := w.Path(restore)

	mustWrite(t, path, "first")
	if _, err := w.Reset(starter); err != nil {
		t.Fatal(err)
	}
	if got := mustRead(t, path); got != string(starter.Text) {
		t.Fatalf("after the reset the file holds %q", got)
	}
	mustWrite(t, path, "second")
	if _, err := w.Reset(starter); err != nil {
		t.Fatal(err)
	}

	// Undoing twice goes back through both resets, and keeps what stood there each time.
	for _, want := range []string{"second", "first"} {
		before := mustRead(t, path)
		_, kept, err := w.UndoReset(restore)
		if err != nil {
			t.Fatal(err)
		}
		if got := mustRead(t, path); got != want {
			t.Errorf("undone to %q, want %q", got, want)
		}
		if got := mustRead(t, w.Path(".fieldbook/backups/"+kept.ID+"/"+restore)); got != before {
			t.Errorf("the undoing kept %q, want %q", got, before)
		}
	}
	_, _, err := w.UndoReset(restore)
	wantCode(t, err, "nothing_to_undo", grader.ExitUsage)
}

func TestOverwriteBacksUpOnlyWhatDiffers(t *testing.T) {
	w := mustCreate(t)
	const path = "handoffs/h.json"
	for _, c := range []struct {
		data       string
		wantBackup bool
	}{{"one", false}, {"one", false}, {"two", true}} {
		backup, err := w.Overwrite(path, "a new handoff", []byte(c.data))
		if err != nil {
			t.Fatal(err)
		}
		if (backup != "") != c.wantBackup {
			t.Errorf("writing %q: backup %q, want one: %t", c.data, backup, c.wantBackup)
		}
		if got := mustRead(t, w.Path(path)); got != c.data {
			t.Errorf("the file holds %q", got)
		}
	}
}

func TestAttempts(t *testing.T) {
	w := mustCreate(t)
	add := func(exercise, text string) workspace.Attempt {
		t.Helper()
		a, err := w.AddAttempt(workspace.Attempt{
			Exercise: exercise, Label: "VISIBLE", Outcome: grader.Observed, Verdict: grader.NeedsWork,
			Sources: []workspace.AttemptSource{{Path: restore, Name: "my restore.go", Text: []byte(text)}},
		}, grader.Report{Exercise: exercise, Cause: text})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	first := add("restore", "one")
	if _, err := os.Stat(w.Path("attempts/0001/" + workspace.OutputFile)); err == nil {
		t.Error("an attempt that the report holds whole has a file of output")
	}
	add("manifest", "two")
	add("restore", "three")

	if first.Number != 1 || mustRead(t, w.Path("attempts/0001/restore.go")) != "one" {
		t.Errorf("the first attempt is %+v", first)
	}
	list, err := w.ListAttempts("restore")
	if err != nil {
		t.Fatal(err)
	}
	var numbers []int
	for _, a := range list {
		numbers = append(numbers, a.Number)
	}
	if diff := cmp.Diff([]int{1, 3}, numbers); diff != "" {
		t.Error(diff)
	}
	if report, err := w.AttemptReport(3); err != nil || report.Cause != "three" {
		t.Errorf("report of attempt 3: %+v, %v", report, err)
	}

	// Somebody's edits of the record neither stop the list nor let a number be used again.
	mustWrite(t, w.Path("attempts/0003/attempt.json"), "{")
	if next := add("restore", "four"); next.Number != 4 {
		t.Errorf("after a damaged record the next attempt is %d, want 4", next.Number)
	}
	if list, err := w.ListAttempts(""); err != nil || len(list) != 3 {
		t.Errorf("%d attempts are listed, want 3 (%v)", len(list), err)
	}

	long, err := w.AddAttempt(workspace.Attempt{Exercise: "restore", Printed: "a long story"}, grader.Report{})
	if err != nil || mustRead(t, w.Path(workspace.AttemptFolder(long.Number)+"/"+workspace.OutputFile)) != "a long story" {
		t.Errorf("the output of %+v: %v", long, err)
	}
}

func TestProgress(t *testing.T) {
	t.Run("ReadsBack", func(t *testing.T) {
		w := mustCreate(t)
		p, _, err := w.Progress()
		if err != nil {
			t.Fatal(err)
		}
		p.Unit, p.Step = "ch19-a", "construct"
		p.Of("ch19-a").Of("opening").Done = time.Unix(1, 0).UTC()
		if err := w.SaveProgress(p); err != nil {
			t.Fatal(err)
		}
		again, aside, err := w.Progress()
		if err != nil || aside != "" {
			t.Fatal(aside, err)
		}
		if diff := cmp.Diff(p, again); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("ADamagedRecordIsSetAside", func(t *testing.T) {
		w := mustCreate(t)
		mustWrite(t, w.Path(".fieldbook/progress.json"), "{broken")
		p, aside, err := w.Progress()
		if err != nil || p == nil || aside == "" {
			t.Fatalf("progress %v, aside %q, error %v", p, aside, err)
		}
		if got := mustRead(t, w.Path(".fieldbook/backups/"+aside+"/.fieldbook/progress.json")); got != "{broken" {
			t.Errorf("the backup holds %q", got)
		}
	})
}
