package operation_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"fieldbook/runtime/operation"
)

// record starts a recorder on a new folder and returns the folder, the recorder and what it has logged so far.
func record(t testing.TB, o operation.Options) (string, *operation.Recorder, *[]operation.Entry) {
	t.Helper()
	root := t.TempDir()
	entries := new([]operation.Entry)
	if o.Sink == nil {
		o.Sink = func(e operation.Entry) error { *entries = append(*entries, e); return nil }
	}
	r, err := operation.Record(root, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Stop)
	return root, r, entries
}

func nothing() error { return nil }

// lines shows entries one a line, without the position.
func lines(entries []operation.Entry) []string {
	var out []string
	for _, e := range entries {
		text := fmt.Sprintf("%d %s", e.Seq, e.Kind)
		for _, part := range []string{e.Name, e.Subject, e.Detail, e.Path, e.To} {
			if part != "" {
				text += " " + part
			}
		}
		if e.Kind == operation.Write {
			text += fmt.Sprintf(" %d+%d", e.Offset, len(e.Data))
		}
		if e.Call != 0 {
			text += fmt.Sprintf(" (call %d)", e.Call)
		}
		if e.Changed != 0 {
			text += fmt.Sprintf(" changed %d", e.Changed)
		}
		if e.Err != "" {
			text += " error: " + e.Err
		}
		out = append(out, text)
	}
	return out
}

func expect(t *testing.T, got []operation.Entry, want ...string) {
	t.Helper()
	if g, w := strings.Join(lines(got), "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("the log is\n%s\nwant\n%s", g, w)
	}
}

func TestRecord(t *testing.T) {
	t.Run("calls and durable operations", func(t *testing.T) {
		root, r, log := record(t, operation.Options{})
		path := filepath.Join(root, "a", "shop.db")
		outer := r.Begin("database.Immediate", path, "")
		inner := r.Begin("database.Tx.Exec", path, "UPDATE x SET y = 1")
		inner.End(nil, 3)
		if err := outer.Write(path, 24, []byte("page"), func(p []byte) (int, error) { return len(p), nil }); err != nil {
			t.Fatal(err)
		}
		if err := outer.Do(operation.Entry{Kind: operation.Rename, Path: path, To: path + "2"}, nothing); err != nil {
			t.Fatal(err)
		}
		outer.End(errors.New("open "+path+": no"), 0)
		r.Mark("restored")
		if err := r.Outside().Do(operation.Entry{Kind: operation.SyncFolder, Path: root}, nothing); err != nil {
			t.Fatal(err)
		}
		expect(t, *log,
			"1 call database.Immediate a/shop.db",
			"2 call database.Tx.Exec a/shop.db UPDATE x SET y = 1",
			"3 return (call 2) changed 3",
			"4 write a/shop.db 24+4 (call 1)",
			"5 rename a/shop.db a/shop.db2 (call 1)",
			"6 return (call 1) error: open a/shop.db: no",
			"7 mark restored",
			"8 sync_folder .")
	})
	t.Run("nil does the work and nothing else", func(t *testing.T) {
		var r *operation.Recorder
		span := r.Begin("x", "/x", "")
		done := 0
		err := errors.Join(
			span.Do(operation.Entry{Kind: operation.Sync, Path: "/x"}, func() error { done++; return nil }),
			span.Write("/x", 0, []byte("abc"), func(p []byte) (int, error) { done += len(p); return len(p), nil }))
		if err != nil || done != 4 {
			t.Errorf("done %d, error %v", done, err)
		}
		span.End(nil, 0)
		r.Mark("x")
		r.Outside().End(nil, 0)
		r.Stop()
		if got := r.Name("/x", nil); got != "/x" {
			t.Errorf("name %q", got)
		}
	})
	t.Run("outside the root is done and not logged", func(t *testing.T) {
		_, r, log := record(t, operation.Options{})
		span := r.Begin("files.Rename", "/elsewhere/a", "")
		done := false
		err := span.Do(operation.Entry{Kind: operation.Sync, Path: filepath.Join(t.TempDir(), "a")}, func() error { done = true; return nil })
		if err != nil || !done {
			t.Errorf("done %v, error %v", done, err)
		}
		expect(t, *log, "1 call files.Rename /elsewhere/a")
	})
	t.Run("a name that is not UTF-8 is refused", func(t *testing.T) {
		root, r, _ := record(t, operation.Options{})
		err := r.Outside().Do(operation.Entry{Kind: operation.Create, Path: filepath.Join(root, "a\xff")}, nothing)
		if err == nil || !strings.Contains(err.Error(), "not valid UTF-8") {
			t.Errorf("error %v", err)
		}
	})
	t.Run("long text is cut at a character", func(t *testing.T) {
		_, r, log := record(t, operation.Options{})
		r.Begin("x", "", strings.Repeat("é", 400)).End(errors.New(strings.Repeat("x", 600)), 0)
		if got := (*log)[0].Detail; got != strings.Repeat("é", 256) {
			t.Errorf("detail has %d bytes", len(got))
		}
		if got := (*log)[1].Err; len(got) != 512 {
			t.Errorf("error has %d bytes", len(got))
		}
	})
}

func TestRegistry(t *testing.T) {
	root, r, log := record(t, operation.Options{})
	inside := filepath.Join(root, "folder", "file")
	if operation.For(inside) != r || operation.For(root) != r {
		t.Error("a path under the root does not find its recorder")
	}
	for _, path := range []string{root + "x", filepath.Dir(root), filepath.Join(root, "..", "y"), ""} {
		if got := operation.For(path); got != nil {
			t.Errorf("%q finds a recorder", path)
		}
	}
	for _, other := range []string{root, filepath.Dir(root)} {
		if _, err := operation.Record(other, operation.Options{}); err == nil || !strings.Contains(err.Error(), "still running") {
			t.Errorf("a second recorder on %s: error %v", other, err)
		}
	}
	if _, err := operation.Record(filepath.Join(root, "missing"), operation.Options{}); err == nil {
		t.Error("a missing root was accepted")
	}

	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(root, link); err != nil {
		t.Fatal(err)
	}
	if _, err := operation.Record(link, operation.Options{}); err == nil {
		t.Error("a second recorder through a link was accepted")
	}

	span := r.Begin("x", inside, "")
	r.Stop()
	if operation.For(inside) != nil {
		t.Error("the recorder is found after Stop")
	}
	done := false
	if err := span.Do(operation.Entry{Kind: operation.Sync, Path: inside}, func() error { done = true; return nil }); err != nil || !done {
		t.Errorf("after Stop: done %v, error %v", done, err)
	}
	span.End(nil, 0)
	r.Mark("late")
	if s := r.Begin("late", inside, ""); s != nil {
		t.Error("a call began after Stop")
	}
	expect(t, *log, "1 call x folder/file")

	again, err := operation.Record(link, operation.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Stop()
	if operation.For(filepath.Join(link, "a")) != again || operation.For(filepath.Join(root, "a")) != again {
		t.Error("a recorder on a link does not cover both names of its root")
	}
}

func TestParallelRecorders(t *testing.T) {
	const recorders, calls = 8, 200
	var group sync.WaitGroup
	for range recorders {
		root, r, log := record(t, operation.Options{})
		path := filepath.Join(root, "file")
		for range 2 {
			group.Add(1)
			go func() {
				defer group.Done()
				for range calls {
					span := operation.For(path).Begin("x", path, "")
					_ = span.Do(operation.Entry{Kind: operation.Sync, Path: path}, nothing)
					span.End(nil, 0)
				}
			}()
		}
		t.Cleanup(func() {
			r.Stop()
			if len(*log) != 2*calls*3 {
				t.Errorf("a log has %d entries, want %d", len(*log), 2*calls*3)
			}
			for i, e := range *log {
				if e.Seq != i+1 {
					t.Fatalf("entry %d is numbered %d", i+1, e.Seq)
				}
			}
		})
	}
	group.Wait()
}

func TestSinkFails(t *testing.T) {
	broken := errors.New("pipe closed")
	count := 0
	root, r, _ := record(t, operation.Options{Sink: func(operation.Entry) error {
		if count++; count > 1 {
			return broken
		}
		return nil
	}})
	path := filepath.Join(root, "file")
	done := 0
	act := func() error { done++; return nil }
	entry := operation.Entry{Kind: operation.Sync, Path: path}
	span := r.Begin("x", path, "")
	for range 2 {
		if err := span.Do(entry, act); !errors.Is(err, broken) {
			t.Errorf("error %v, want %v", err, broken)
		}
	}
	if done != 1 {
		t.Errorf("%d operations were done, want only the one before the failure was known", done)
	}
}

func TestIntercept(t *testing.T) {
	other := errors.New("crash here")
	tests := []struct {
		name    string
		err     error
		written string
		logged  string
	}{
		{"let through", nil, "abcdef", "2 write file 0+6 (call 1)"},
		{"refused", other, "", "2 write file 0+0 (call 1) error: crash here"},
		{"full disk", operation.ErrNoSpace, "", "2 write file 0+0 (call 1) error: no space left on the disk"},
		{"torn", operation.TornWrite{Bytes: 3}, "abc", "2 write file 0+3 (call 1) error: no space left on the disk in the middle of a write"},
		{"torn at nothing", operation.TornWrite{}, "", "2 write file 0+0 (call 1) error: no space left on the disk in the middle of a write"},
		{"torn beyond the end", operation.TornWrite{Bytes: 9}, "abcdef", "2 write file 0+6 (call 1) error: no space left on the disk in the middle of a write"},
		{"torn and wrapped", fmt.Errorf("at 2: %w", operation.TornWrite{Bytes: 1}), "a", "2 write file 0+1 (call 1) error: at 2: no space left on the disk in the middle of a write"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var seen []operation.Entry
			root, r, log := record(t, operation.Options{Intercept: func(e operation.Entry) error { seen = append(seen, e); return test.err }})
			path := filepath.Join(root, "file")
			written := ""
			err := r.Begin("x", "", "").Write(path, 0, []byte("abcdef"), func(p []byte) (int, error) { written = string(p); return len(p), nil })
			if !errors.Is(err, test.err) || (err == nil) != (test.err == nil) {
				t.Errorf("error %v, want %v", err, test.err)
			}
			if strings.Contains(test.name, "torn") && !errors.Is(err, operation.ErrNoSpace) {
				t.Error("a torn write is no ErrNoSpace")
			}
			if written != test.written {
				t.Errorf("wrote %q, want %q", written, test.written)
			}
			expect(t, (*log)[1:], test.logged)
			if len(seen) != 1 || seen[0].Seq != 2 || seen[0].Path != "file" || string(seen[0].Data) != "abcdef" || seen[0].Err != "" {
				t.Errorf("the interceptor saw %+v", seen)
			}
		})
	}
	t.Run("a torn write fails another operation whole", func(t *testing.T) {
		root, r, log := record(t, operation.Options{Intercept: func(operation.Entry) error { return operation.TornWrite{Bytes: 3} }})
		err := r.Outside().Do(operation.Entry{Kind: operation.Truncate, Path: filepath.Join(root, "file"), Size: 9}, func() error {
			t.Error("it was done")
			return nil
		})
		if !errors.Is(err, operation.ErrNoSpace) {
			t.Errorf("error %v", err)
		}
		expect(t, *log, "1 truncate file error: no space left on the disk in the middle of a write")
	})
}

// A competitor runs before the call it competes with: its entries come first, and it comes through BeforeCall itself.
func TestBeforeCall(t *testing.T) {
	var r *operation.Recorder
	var path string
	depth, seen := 0, 0
	root, r, log := record(t, operation.Options{BeforeCall: func(e operation.Entry) {
		seen++
		if e.Seq != 0 {
			t.Errorf("the call is numbered %d before it begins", e.Seq)
		}
		if depth++; depth == 1 && e.Name == "second" {
			span := r.Begin("competitor", path, "")
			_ = span.Do(operation.Entry{Kind: operation.Sync, Path: path}, nothing)
			span.End(nil, 0)
		}
		depth--
	}})
	path = filepath.Join(root, "file")
	r.Begin("first", path, "").End(nil, 0)
	r.Begin("second", path, "").End(nil, 0)
	expect(t, *log,
		"1 call first file",
		"2 return (call 1)",
		"3 call competitor file",
		"4 sync file (call 3)",
		"5 return (call 3)",
		"6 call second file",
		"7 return (call 6)")
	if seen != 3 {
		t.Errorf("BeforeCall ran %d times, want 3", seen)
	}
}

func TestPosition(t *testing.T) {
	t.Run("from the call stack", func(t *testing.T) {
		_, r, log := record(t, operation.Options{})
		r.Begin("x", "", "").End(nil, 0)
		if e := (*log)[0]; e.File != "runtime/operation/recorder_test.go" || e.Line == 0 {
			t.Errorf("position %s:%d", e.File, e.Line)
		}
	})
	t.Run("from an option", func(t *testing.T) {
		_, r, log := record(t, operation.Options{Position: func() (string, int) { return "a.go", 7 }})
		r.Begin("x", "", "").End(nil, 0)
		if e := (*log)[0]; e.File != "a.go" || e.Line != 7 {
			t.Errorf("position %s:%d", e.File, e.Line)
		}
	})
}

func TestName(t *testing.T) {
	root, r, _ := record(t, operation.Options{})
	path := filepath.Join(root, "a")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	check := func(want string) {
		t.Helper()
		if got := r.Name(path, info); got != want {
			t.Errorf("the name is %q, want %q", got, want)
		}
	}
	check(path)
	moved := filepath.Join(root, "folder", "b")
	if err := errors.Join(os.Mkdir(filepath.Dir(moved), 0o700), os.Rename(path, moved)); err != nil {
		t.Fatal(err)
	}
	check(moved)
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	check(moved)
	if err := os.Remove(moved); err != nil {
		t.Fatal(err)
	}
	check("")
}
