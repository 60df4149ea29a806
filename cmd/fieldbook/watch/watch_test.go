package watch_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fieldbook/cmd/fieldbook/watch"
)

// patience is far beyond any time a change may take; quiet is how long nothing must come.
const (
	patience = 10 * time.Second
	quiet    = 400 * time.Millisecond
)

// methods are the two ways of finding a change.
func methods() map[string]watch.Options {
	return map[string]watch.Options{
		"Notified": {Debounce: 20 * time.Millisecond, Poll: 50 * time.Millisecond},
		"Polled":   {Debounce: 20 * time.Millisecond, FastPoll: 20 * time.Millisecond, Silent: true},
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func wantChange(t *testing.T, w *watch.Watcher, path string) {
	t.Helper()
	select {
	case changed := <-w.Changes():
		if len(changed) != 1 || changed[0] != path {
			t.Errorf("changed: %v, want %s", changed, path)
		}
	case <-time.After(patience):
		t.Fatal("the change was not seen")
	}
}

func wantQuiet(t *testing.T, w *watch.Watcher) {
	t.Helper()
	select {
	case changed := <-w.Changes():
		t.Errorf("changed: %v, want nothing", changed)
	case <-time.After(quiet):
	}
}

func TestSaves(t *testing.T) {
	saves := map[string]func(t *testing.T, path string){
		"InPlace": func(t *testing.T, path string) { write(t, path, "new") },
		"TruncatedThenWritten": func(t *testing.T, path string) {
			f, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0o644)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if _, err := f.WriteString("new"); err != nil {
				t.Error(err)
			}
		},
		"Renamed": func(t *testing.T, path string) {
			write(t, path+".swp", "new")
			if err := os.Rename(path+".swp", path); err != nil {
				t.Fatal(err)
			}
		},
		"RenamedAway": func(t *testing.T, path string) { // vim with a backup: the old file moves, a new one is written
			if err := os.Rename(path, path+"~"); err != nil {
				t.Fatal(err)
			}
			write(t, path, "new")
			os.Remove(path + "~")
		},
		"WithLockFile": func(t *testing.T, path string) {
			lock := filepath.Join(filepath.Dir(path), ".#"+filepath.Base(path))
			if err := os.Symlink("user@host.1", lock); err != nil {
				t.Skipf("SKIPPED LOUDLY: no symbolic links here: %v", err)
			}
			write(t, path, "new")
			os.Remove(lock)
		},
		"DeletedThenWritten": func(t *testing.T, path string) {
			os.Remove(path)
			time.Sleep(50 * time.Millisecond)
			write(t, path, "new")
		},
		"FolderReplaced": func(t *testing.T, path string) {
			folder := filepath.Dir(path)
			if err := os.Rename(folder, folder+".old"); err != nil {
				t.Fatal(err)
			}
			write(t, path, "new")
		},
	}
	for method, options := range methods() {
		for name, save := range saves {
			t.Run(method+name, func(t *testing.T) {
				t.Parallel()
				path := filepath.Join(t.TempDir(), "a folder", "restore é.go")
				write(t, path, "old")
				w := watch.New(t.Context(), []string{path}, options)
				save(t, path)
				wantChange(t, w, path)

				// It goes on: the next save of the same kind of file is seen too.
				write(t, path, "newer")
				wantChange(t, w, path)
			})
		}
	}
}

// Notification alone finds a save at once; looking would come an hour later.
func TestNotificationAlone(t *testing.T) {
	for name, save := range map[string]func(path string) error{
		"InPlace": func(path string) error { return os.WriteFile(path, []byte("new"), 0o644) },
		"Renamed": func(path string) error {
			if err := os.WriteFile(path+".new", []byte("new"), 0o644); err != nil {
				return err
			}
			return os.Rename(path+".new", path)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "restore.go")
			write(t, path, "old")
			w := watch.New(t.Context(), []string{path}, watch.Options{Debounce: 20 * time.Millisecond, Poll: time.Hour})
			if err := save(path); err != nil {
				t.Fatal(err)
			}
			select {
			case changed := <-w.Changes():
				if len(changed) != 1 || changed[0] != path {
					t.Errorf("changed: %v", changed)
				}
			case <-time.After(patience):
				t.Skip("SKIPPED LOUDLY: this file system notifies nobody of changes; here the files are looked at")
			}
		})
	}
}

func TestNoChange(t *testing.T) {
	for method, options := range methods() {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "restore.go")
			write(t, path, "same")
			w := watch.New(t.Context(), []string{path}, options)
			write(t, path, "same")                                      // saved without an edit
			write(t, filepath.Join(filepath.Dir(path), "other.go"), "") // a neighbour
			wantQuiet(t, w)
			os.Remove(path)
			wantQuiet(t, w)
			write(t, path, "same") // back as it was
			wantQuiet(t, w)
		})
	}
}

func TestAFileThatAppears(t *testing.T) {
	for method, options := range methods() {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "not yet", "restore.go")
			w := watch.New(t.Context(), []string{path}, options)
			write(t, path, "first")
			wantChange(t, w, path)
		})
	}
}

func TestEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	w := watch.New(ctx, []string{filepath.Join(t.TempDir(), "x")}, watch.Options{})
	cancel()
	select {
	case _, open := <-w.Changes():
		if open {
			t.Error("a change after the end")
		}
	case <-time.After(patience):
		t.Fatal("the channel was not closed")
	}
}
