package files_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"fieldbook/runtime/files"
	"fieldbook/runtime/operation"
)

// record returns a recorded folder and a function that returns what was logged since it was called last, one line an
// entry: kind, paths, numbers and failures.
func record(t testing.TB, o operation.Options) (root string, log func() string) {
	t.Helper()
	root = t.TempDir()
	var entries []operation.Entry
	o.Sink = func(e operation.Entry) error { entries = append(entries, e); return nil }
	r, err := operation.Record(root, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Stop)
	return root, func() string {
		var lines []string
		for _, e := range entries {
			line := string(e.Kind)
			switch e.Kind {
			case operation.Call:
				line = e.Name + " " + e.Subject
			case operation.Return:
				line = "return"
			case operation.Write:
				line += fmt.Sprintf(" %s %d %q", e.Path, e.Offset, e.Data)
			case operation.Truncate:
				line += fmt.Sprintf(" %s %d", e.Path, e.Size)
			default:
				line += strings.TrimRight(" "+e.Path+" "+e.To, " ")
			}
			if e.Err != "" {
				line += ": failed"
			}
			lines = append(lines, line)
		}
		entries = nil
		return strings.Join(lines, "\n")
	}
}

func expect(t *testing.T, log func() string, want ...string) {
	t.Helper()
	if got, want := log(), strings.Join(want, "\n"); got != want {
		t.Errorf("the log is\n%s\nwant\n%s", got, want)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func put(t testing.TB, path, text string) {
	t.Helper()
	must(t, os.WriteFile(path, []byte(text), 0o600))
}

func contents(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	return string(data)
}

func names(t testing.TB, folder string) string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	must(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

func TestSameAndRegular(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	put(t, at("file"), "x")
	put(t, at("other"), "x")
	must(t, os.Mkdir(at("folder"), 0o700))
	must(t, os.Link(at("file"), at("hard")))
	must(t, os.Symlink(at("file"), at("soft")))
	must(t, os.Symlink(at("nothing"), at("dangling")))
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{"file", "file", true},
		{"file", "folder/../file", true},
		{"file", "hard", true},
		{"soft", "hard", true},
		{"file", "other", false},
		{"file", "missing", false},
		{"missing", "file", false},
		{"missing", "missing", false},
		{"file", "dangling", false},
		{"folder", "folder", true},
	} {
		same, err := files.Same(at(test.a), at(test.b))
		if err != nil || same != test.same {
			t.Errorf("Same(%s, %s) = %v, %v; want %v", test.a, test.b, same, err, test.same)
		}
	}
	for name, want := range map[string]bool{"file": true, "soft": true, "hard": true, "folder": false, "missing": false, "dangling": false} {
		regular, err := files.Regular(at(name))
		if err != nil || regular != want {
			t.Errorf("Regular(%s) = %v, %v; want %v", name, regular, err, want)
		}
	}
}

func TestIdentity(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	put(t, path, "x")
	identity := func() string {
		id, err := files.Identity(path)
		must(t, err)
		return id
	}
	first := identity()
	put(t, path, "longer")
	if identity() != first {
		t.Error("writing to a file changed its identity")
	}
	must(t, files.Replace(path, []byte("y")))
	if identity() == first {
		t.Error("replacing a file kept its identity")
	}
	if _, err := files.Identity(path + "x"); !errors.Is(err, files.ErrNotExist) {
		t.Errorf("identity of a missing file: error %v", err)
	}
}

func TestRead(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "file")
	put(t, path, "text")
	if data, err := files.Read(path); err != nil || string(data) != "text" {
		t.Errorf("read %q, %v", data, err)
	}
	if _, err := files.Read(folder); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a folder: error %v", err)
	}
	if _, err := files.Read(path + "x"); !errors.Is(err, files.ErrNotExist) {
		t.Errorf("a missing file: error %v", err)
	}
	must(t, os.Truncate(path, files.ReadLimit+1))
	if _, err := files.Read(path); err == nil || !strings.Contains(err.Error(), "more than the limit") {
		t.Errorf("a file above the limit: error %v", err)
	}
}

func TestCreateExclusive(t *testing.T) {
	root, log := record(t, operation.Options{})
	path := filepath.Join(root, "file")
	f, err := files.CreateExclusive(path, 0o640)
	must(t, err)
	for _, part := range []string{"ab", "cde"} {
		n, err := f.Write([]byte(part))
		if err != nil || n != len(part) {
			t.Fatal(n, err)
		}
	}
	must(t, f.Sync())
	must(t, f.Close())
	expect(t, log,
		"files.CreateExclusive file", "create file", "return",
		"files.Write file", `write file 0 "ab"`, "return",
		"files.Write file", `write file 2 "cde"`, "return",
		"files.Sync file", "sync file", "return",
		"files.Close file", "return")
	if runtime.GOOS != "windows" {
		info, err := os.Stat(path)
		must(t, err)
		if info.Mode().Perm() != 0o640 {
			t.Errorf("mode %v", info.Mode())
		}
	}
	must(t, os.Symlink(filepath.Join(root, "nothing"), filepath.Join(root, "dangling")))
	for _, name := range []string{"file", "dangling"} {
		if _, err := files.CreateExclusive(filepath.Join(root, name), 0o600); !errors.Is(err, files.ErrExist) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if contents(t, path) != "abcde" {
		t.Errorf("contents %q", contents(t, path))
	}
}

func TestAppend(t *testing.T) {
	root, log := record(t, operation.Options{})
	path := filepath.Join(root, "trace")
	one, err := files.Append(path)
	must(t, err)
	two, err := files.Append(path)
	must(t, err)
	for _, f := range []*files.File{one, two, one} {
		_, err := f.Write([]byte("ab\n"))
		must(t, err)
	}
	must(t, errors.Join(one.Close(), two.Close()))
	expect(t, log,
		"files.Append trace", "create trace", "return",
		"files.Append trace", "return",
		"files.Write trace", `write trace 0 "ab\n"`, "return",
		"files.Write trace", `write trace 3 "ab\n"`, "return",
		"files.Write trace", `write trace 6 "ab\n"`, "return",
		"files.Close trace", "return",
		"files.Close trace", "return")
	if contents(t, path) != "ab\nab\nab\n" {
		t.Errorf("contents %q", contents(t, path))
	}
}

func TestReplace(t *testing.T) {
	root, log := record(t, operation.Options{})
	path := filepath.Join(root, "file")
	whole := []string{
		"files.Replace file", "create file.tmp-1", `write file.tmp-1 0 "one"`, "sync file.tmp-1",
		"rename file.tmp-1 file", "sync_folder .", "return",
	}
	must(t, files.Replace(path, []byte("one")))
	expect(t, log, whole...)
	must(t, files.Replace(path, []byte("one")))
	expect(t, log, whole...)

	t.Run("takes over the temporary of a crashed run", func(t *testing.T) {
		put(t, path+".tmp-1", "left by a crash")
		must(t, files.Replace(path, []byte("two")))
		expect(t, log,
			"files.Replace file", "create file.tmp-1: failed", "truncate file.tmp-1 0", `write file.tmp-1 0 "two"`,
			"sync file.tmp-1", "rename file.tmp-1 file", "sync_folder .", "return")
		if names(t, root) != "file" || contents(t, path) != "two" {
			t.Errorf("the folder holds %s, the file %q", names(t, root), contents(t, path))
		}
	})
	t.Run("passes by a name that leads elsewhere", func(t *testing.T) {
		other := filepath.Join(root, "other")
		put(t, other, "untouched")
		must(t, os.Symlink(other, path+".tmp-1"))
		must(t, files.Replace(path, []byte("three")))
		if contents(t, other) != "untouched" || contents(t, path) != "three" {
			t.Errorf("other %q, file %q", contents(t, other), contents(t, path))
		}
		must(t, os.Remove(path+".tmp-1"))
		must(t, os.Remove(other))
		log()
	})
	t.Run("many at once", func(t *testing.T) {
		var group sync.WaitGroup
		for i := range 8 {
			group.Go(func() {
				for range 20 {
					if err := files.Replace(path, []byte(strings.Repeat(string(rune('a'+i)), 5000))); err != nil {
						t.Error(err)
					}
				}
			})
		}
		group.Wait()
		text := contents(t, path)
		if len(text) != 5000 || strings.Trim(text, text[:1]) != "" {
			t.Errorf("the file has %d bytes and is mixed", len(text))
		}
		if names(t, root) != "file" {
			t.Errorf("the folder holds %s", names(t, root))
		}
	})
}

// Whatever operation of a Replace fails, the old contents stay or the new are there whole, and no temporary is left.
func TestReplaceFails(t *testing.T) {
	for _, failure := range []error{operation.ErrNoSpace, operation.ErrSyncFailed, operation.TornWrite{Bytes: 2}} {
		for n, kind := range []operation.Kind{operation.Create, operation.Write, operation.Sync, operation.Rename, operation.SyncFolder} {
			t.Run(fmt.Sprintf("%s, %v", kind, failure), func(t *testing.T) {
				durable := 0
				root, _ := record(t, operation.Options{Intercept: func(e operation.Entry) error {
					durable++
					if durable == n+1 {
						if e.Kind != kind {
							t.Errorf("operation %d is a %s, want %s", durable, e.Kind, kind)
						}
						return failure
					}
					return nil
				}})
				path := filepath.Join(root, "file")
				put(t, path, "old")
				err := files.Replace(path, []byte("new"))
				if !errors.Is(err, failure) || !strings.HasPrefix(err.Error(), "replace ") {
					t.Errorf("error %v, want %v", err, failure)
				}
				want := "old"
				if kind == operation.SyncFolder {
					want = "new"
				}
				if contents(t, path) != want || names(t, root) != "file" {
					t.Errorf("the file holds %q, the folder %s; want %q and the file alone", contents(t, path), names(t, root), want)
				}
			})
		}
	}
}

func TestFileFails(t *testing.T) {
	var failure error
	root, log := record(t, operation.Options{Intercept: func(operation.Entry) error { return failure }})
	f, err := files.CreateExclusive(filepath.Join(root, "file"), 0o600)
	must(t, err)
	t.Cleanup(func() { must(t, f.Close()) })
	failure = operation.TornWrite{Bytes: 2}
	if n, err := f.Write([]byte("abcd")); n != 2 || !errors.Is(err, operation.ErrNoSpace) {
		t.Errorf("torn write: %d bytes, error %v", n, err)
	}
	failure = operation.ErrSyncFailed
	if err := f.Sync(); !errors.Is(err, failure) {
		t.Errorf("sync: error %v", err)
	}
	failure = nil
	if n, err := f.Write([]byte("ef")); n != 2 || err != nil {
		t.Errorf("write after a torn one: %d bytes, error %v", n, err)
	}
	expect(t, log,
		"files.CreateExclusive file", "create file", "return",
		"files.Write file", `write file 0 "ab": failed`, "return: failed",
		"files.Sync file", "sync file: failed", "return: failed",
		"files.Write file", `write file 2 "ef"`, "return")
}

// An operation on an open file is logged for the name that the file has at that moment.
func TestFileRenamedWhileOpen(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED LOUDLY: Windows renames no open file")
	}
	root, log := record(t, operation.Options{})
	path := filepath.Join(root, "file")
	f, err := files.CreateExclusive(path, 0o600)
	must(t, err)
	must(t, files.Rename(path, path+"2"))
	_, err = f.Write([]byte("x"))
	must(t, err)
	must(t, files.Remove(path+"2"))
	must(t, f.Sync())
	must(t, f.Close())
	expect(t, log,
		"files.CreateExclusive file", "create file", "return",
		"files.Rename file", "rename file file2", "return",
		"files.Write file", `write file2 0 "x"`, "return",
		"files.Remove file2", "remove file2", "return",
		"files.Sync file", "return",
		"files.Close file", "return")
}

func TestFolders(t *testing.T) {
	root, log := record(t, operation.Options{})
	folder := filepath.Join(root, "a", "b")
	must(t, files.MakeFolder(folder))
	must(t, files.MakeFolder(folder))
	must(t, files.SyncFolder(files.Folder(filepath.Join(folder, "x"))))
	put(t, filepath.Join(folder, "x"), "abcdef")
	must(t, files.Truncate(filepath.Join(folder, "x"), 3))
	must(t, files.Sync(filepath.Join(folder, "x")))
	expect(t, log,
		"files.MakeFolder a/b", "folder a", "folder a/b", "return",
		"files.MakeFolder a/b", "return",
		"files.SyncFolder a/b", "sync_folder a/b", "return",
		"files.Truncate a/b/x", "truncate a/b/x 3", "return",
		"files.Sync a/b/x", "sync a/b/x", "return")
	if err := files.MakeFolder(filepath.Join(folder, "x", "y")); err == nil || !strings.Contains(err.Error(), "x: it is a file") {
		t.Errorf("a folder below a file: error %v", err)
	}
	if err := files.Remove(folder); err == nil {
		t.Error("a folder with files was removed")
	}
	if err := files.SyncFolder(filepath.Join(root, "missing")); !errors.Is(err, files.ErrNotExist) {
		t.Errorf("a missing folder: error %v", err)
	}
}

func TestRelativePaths(t *testing.T) {
	calls := map[string]func() error{
		"Same":            func() error { _, err := files.Same("a", "/b"); return err },
		"Regular":         func() error { _, err := files.Regular("a"); return err },
		"Identity":        func() error { _, err := files.Identity("a"); return err },
		"Read":            func() error { _, err := files.Read("a"); return err },
		"CreateExclusive": func() error { _, err := files.CreateExclusive("a", 0o600); return err },
		"Append":          func() error { _, err := files.Append("a"); return err },
		"Replace":         func() error { return files.Replace("a", nil) },
		"Rename":          func() error { return files.Rename("/a", "b") },
		"Truncate":        func() error { return files.Truncate("a", 0) },
		"Remove":          func() error { return files.Remove("a") },
		"MakeFolder":      func() error { return files.MakeFolder("a") },
		"Sync":            func() error { return files.Sync("a") },
		"SyncFolder":      func() error { return files.SyncFolder("a") },
	}
	for name, call := range calls {
		if err := call(); err == nil || !strings.Contains(err.Error(), "is not absolute") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
