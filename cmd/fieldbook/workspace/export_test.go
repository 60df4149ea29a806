package workspace_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/grader"
	"fieldbook/handoff/archive"
)

func names(files []archive.File) []string {
	var list []string
	for _, f := range files {
		list = append(list, f.Name)
	}
	return list
}

func TestFiles(t *testing.T) {
	w := mustCreate(t)
	lock, err := w.Lock(t.Context(), workspace.Holder{Command: "fieldbook export"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer mustUnlock(t, lock)
	mustWrite(t, w.Path(".fieldbook-123"), "half")
	if err := os.MkdirAll(w.Path("attempts/.fieldbook-9"), 0o755); err != nil {
		t.Fatal(err)
	}
	mustWrite(t, w.Path("attempts/.fieldbook-9/restore.go"), "half")
	mustWrite(t, w.Path("notes/meine Notiz.md"), "mine")
	want := []string{".fieldbook/workspace.json", "go.mod", "notes/meine Notiz.md", restore, "runtime/assistant/seed.go"}
	var links []string
	if err := os.Symlink("/etc", w.Path("notes/link")); err == nil {
		links = []string{"notes/link"}
	}
	files, left, err := w.Files()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, names(files)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(links, left); diff != "" {
		t.Error(diff)
	}
}

func TestUnpack(t *testing.T) {
	from := mustCreate(t)
	files, _, err := from.Files()
	if err != nil {
		t.Fatal(err)
	}
	nothing := func(string) error { return nil }
	t.Run("OK", func(t *testing.T) {
		for name, prepare := range map[string]func(string){
			"NewFolder":   func(string) {},
			"EmptyFolder": func(root string) { os.MkdirAll(root, 0o755) },
		} {
			root := filepath.Join(t.TempDir(), "deep", name)
			prepare(root)
			if err := workspace.Unpack(root, files, nothing); err != nil {
				t.Fatal(err)
			}
			to, err := workspace.Open(root, ticking())
			if err != nil {
				t.Fatal(err)
			}
			got, _, err := to.Files()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(files, got); diff != "" {
				t.Error(diff)
			}
		}
	})
	t.Run("ErrTaken", func(t *testing.T) {
		root := t.TempDir()
		mustWrite(t, filepath.Join(root, "theirs"), "theirs")
		for _, place := range []string{root, filepath.Join(root, "theirs")} {
			wantCode(t, workspace.Unpack(place, files, nothing), "place_taken", grader.ExitUsage)
		}
		if entries, _ := os.ReadDir(root); len(entries) != 1 {
			t.Errorf("the refused folder holds %d entries", len(entries))
		}
	})
	t.Run("NothingIsLeftOfOneThatFails", func(t *testing.T) {
		parent := t.TempDir()
		root := filepath.Join(parent, "w")
		failure := errors.New("no")
		if err := workspace.Unpack(root, files, func(string) error { return failure }); !errors.Is(err, failure) {
			t.Errorf("error %v", err)
		}
		if entries, _ := os.ReadDir(parent); len(entries) != 0 {
			t.Errorf("%d entries are left", len(entries))
		}
	})
}

// layout1 is a workspace as the first layout had it, with a start that no other machine has.
func layout1(t *testing.T, start string) *workspace.Workspace {
	t.Helper()
	w := mustCreate(t)
	mustWrite(t, w.Path(".fieldbook/workspace.json"), `{"format": 1, "edition": "autumn"}`)
	mustWrite(t, w.Path(".fieldbook/progress.json"), `{"format": 1, "unit": "ch19-b", "units": {"ch19-b": {"start": `+start+`}, "ch19-a": null}}`)
	return w
}

func TestUpgrade(t *testing.T) {
	me := workspace.Holder{Command: "fieldbook init"}
	for name, c := range map[string]struct{ start, want string }{
		"Unix":      {`"/home/lucy/w/handoffs/ch19-unit-a-handoff-v1.json"`, "handoffs/ch19-unit-a-handoff-v1.json"},
		"Windows":   {`"C:\\w\\handoffs\\h.json"`, "handoffs/h.json"},
		"Reference": {`"SUPPLIED_REFERENCE"`, "SUPPLIED_REFERENCE"},
		"None":      {`""`, ""},
		"CutOff":    {`"handoffs/h.json"`, "handoffs/h.json"}, // an upgrade was killed before it ended
	} {
		t.Run(name, func(t *testing.T) {
			w := layout1(t, c.start)
			_, err := workspace.Open(w.Root(), ticking())
			wantCode(t, err, "workspace_older", grader.ExitUsage)
			done, err := workspace.Upgrade(t.Context(), w.Root(), "student", ticking(), me)
			if err != nil {
				t.Fatal(err)
			}
			if !done.Changed || done.From.Format != 1 || done.To.Format != workspace.Format || done.To.Edition != "student" {
				t.Errorf("it did %+v", done)
			}
			if kept := mustRead(t, w.Path(".fieldbook/backups/"+done.Backup+"/.fieldbook/workspace.json")); !strings.Contains(kept, "autumn") {
				t.Errorf("the backup holds %q", kept)
			}
			again, err := workspace.Open(w.Root(), ticking())
			if err != nil {
				t.Fatal(err)
			}
			p, err := again.ReadProgress()
			if err != nil || p.Of("ch19-b").Start != c.want {
				t.Errorf("start %q, want %q (%v)", p.Of("ch19-b").Start, c.want, err)
			}
			if done, err := workspace.Upgrade(t.Context(), w.Root(), "student", ticking(), me); err != nil || done.Changed {
				t.Errorf("a second upgrade changed something: %+v %v", done, err)
			}
		})
	}
	t.Run("ErrNewer", func(t *testing.T) {
		w := mustCreate(t)
		mustWrite(t, w.Path(".fieldbook/workspace.json"), `{"format": 99}`)
		_, err := workspace.Upgrade(t.Context(), w.Root(), "student", ticking(), me)
		wantCode(t, err, "workspace_newer", grader.ExitUsage)
	})
	t.Run("ErrBusy", func(t *testing.T) {
		w := layout1(t, `""`)
		lock, err := w.Lock(t.Context(), workspace.Holder{Command: "fieldbook"}, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer mustUnlock(t, lock)
		_, err = workspace.Upgrade(t.Context(), w.Root(), "student", ticking(), me)
		wantCode(t, err, "workspace_busy", grader.ExitUsage)
	})
	t.Run("ADamagedRecordStays", func(t *testing.T) {
		w := layout1(t, `""`)
		mustWrite(t, w.Path(".fieldbook/progress.json"), "{broken")
		if _, err := workspace.Upgrade(t.Context(), w.Root(), "student", ticking(), me); err != nil {
			t.Fatal(err)
		}
		if got := mustRead(t, w.Path(".fieldbook/progress.json")); got != "{broken" {
			t.Errorf("the record became %q", got)
		}
	})
}

func TestRecordedPaths(t *testing.T) {
	w := mustCreate(t)
	outside := filepath.Join(t.TempDir(), "h.json")
	for path, want := range map[string]string{w.Path("handoffs/h.json"): "handoffs/h.json", outside: outside} {
		if got := w.Relative(path); got != want {
			t.Errorf("%s is recorded as %q", path, got)
		}
		if got := w.Located(want); got != path {
			t.Errorf("%q is located at %s", want, got)
		}
	}
	if slices.Contains([]string{"", "."}, w.Relative(w.Root()+"x")) {
		t.Error("a neighbour is taken for the workspace")
	}
}
