package operation_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fieldbook/runtime/operation"
)

// A tree goes through the same states as a folder on which the operations are done with package os.
func TestTreeAgainstFolder(t *testing.T) {
	base, err := os.MkdirTemp("/dev/shm", "operation-*") // thousands of small files: in memory where the system has one
	if err != nil {
		base = t.TempDir()
	}
	defer os.RemoveAll(base)
	run := 0
	rapid.Check(t, func(t *rapid.T) {
		run++
		folder := filepath.Join(base, "run", string(rune('a'+run%26)))
		if err := errors.Join(os.RemoveAll(folder), os.MkdirAll(folder, 0o700)); err != nil {
			t.Fatal(err)
		}
		tree := operation.NewTree()
		path := rapid.SampledFrom([]string{"a", "b", "f", "f/a", "f/g", "f/g/a", "h/a"})
		for step := range rapid.IntRange(1, 25).Draw(t, "steps") {
			e := operation.Entry{Seq: step + 1, Path: path.Draw(t, "path")}
			e.Kind = rapid.SampledFrom([]operation.Kind{
				operation.Create, operation.Write, operation.Write, operation.Truncate, operation.Rename, operation.Remove, operation.Folder,
			}).Draw(t, "kind")
			switch e.Kind {
			case operation.Write:
				e.Offset = rapid.Int64Range(0, 20).Draw(t, "offset")
				e.Data = rapid.SliceOfN(rapid.Byte(), 1, 10).Draw(t, "data")
			case operation.Truncate:
				e.Size = rapid.Int64Range(0, 30).Draw(t, "size")
			case operation.Rename:
				e.To = path.Draw(t, "to")
			}
			if rapid.IntRange(0, 3).Draw(t, "clone") == 0 {
				// A clone shares nothing that a later operation changes.
				before := tree
				tree = tree.Clone()
				_ = before.Apply(operation.Entry{Kind: operation.Truncate, Path: "a", Size: 5})
				_ = before.Apply(operation.Entry{Kind: operation.Write, Path: "f/a", Data: []byte("other")})
			}
			wanted := do(folder, e)
			if got := tree.Apply(e); (got == nil) != (wanted == nil) {
				t.Fatalf("%+v: the tree says %v, the folder %v", e, got, wanted)
			}
			there, err := operation.ReadTree(folder)
			if err != nil {
				t.Fatal(err)
			}
			if names := tree.Differences(there); len(names) != 0 {
				t.Fatalf("after %+v they differ in %v", e, names)
			}
		}
	})
}

// do does the operation as the runtime does it.
func do(folder string, e operation.Entry) error {
	path := filepath.Join(folder, e.Path)
	switch e.Kind {
	case operation.Create:
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		return f.Close()
	case operation.Write:
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = f.WriteAt(e.Data, e.Offset)
		return errors.Join(err, f.Close())
	case operation.Truncate:
		return os.Truncate(path, e.Size)
	case operation.Remove:
		return os.Remove(path)
	case operation.Folder:
		return os.Mkdir(path, 0o700)
	}
	// Rename: the runtime renames folders to free names only; the tree refuses what would replace or nest one.
	to := filepath.Join(folder, e.To)
	if info, err := os.Lstat(path); err == nil && info.IsDir() {
		if _, err := os.Lstat(to); err == nil || to == path || strings.HasPrefix(to, path+string(filepath.Separator)) {
			return fs.ErrInvalid
		}
	}
	return os.Rename(path, to)
}

func TestTreeFailedOperations(t *testing.T) {
	tree := operation.NewTree()
	for _, e := range []operation.Entry{
		{Kind: operation.Create, Path: "a"},
		{Kind: operation.Create, Path: "b", Err: "no space"},
		{Kind: operation.Write, Path: "a", Data: []byte("abc"), Err: "no space"}, // torn: what it carries was written
		{Kind: operation.Write, Path: "a", Offset: 3, Err: "no space"},
		{Kind: operation.Remove, Path: "a", Err: "refused"},
		{Kind: operation.Rename, Path: "a", To: "c", Err: "refused"},
		{Kind: operation.Sync, Path: "a"},
		{Kind: operation.SyncFolder, Path: "."},
		{Kind: operation.Call, Name: "x"},
		{Kind: operation.Mark, Name: "x"},
	} {
		if err := tree.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
	if data, ok := tree.File("a"); !ok || string(data) != "abc" || len(tree.Files()) != 1 {
		t.Errorf("files %v, a = %q", tree.Files(), data)
	}
}

func TestTreeLimits(t *testing.T) {
	tree := operation.NewTree()
	apply := func(e operation.Entry) error { return tree.Apply(e) }
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		if err := apply(operation.Entry{Kind: operation.Create, Path: name}); err != nil {
			t.Fatal(err)
		}
	}
	if err := apply(operation.Entry{Kind: operation.Truncate, Path: "a", Size: operation.FileLimit + 1}); err == nil {
		t.Error("a file above the limit was accepted")
	}
	// Growing and cutting one file again and again costs work but no space; the work is bounded.
	var err error
	for n := 0; err == nil && n < 1000; n++ {
		err = errors.Join(
			apply(operation.Entry{Kind: operation.Truncate, Path: "a", Size: operation.FileLimit}),
			apply(operation.Entry{Kind: operation.Truncate, Path: "a", Size: 0}))
	}
	if err == nil || !strings.Contains(err.Error(), "move more than") {
		t.Errorf("error %v", err)
	}
}

func TestReplay(t *testing.T) {
	base := t.TempDir()
	outside := filepath.Join(t.TempDir(), "secret")
	for name, text := range map[string]string{"shop.db": "old", "shop.db-shm": "memory", "../" + filepath.Base(base) + "/x": "x"} {
		if err := os.WriteFile(filepath.Join(base, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.WriteFile(outside, []byte("secret"), 0o600), os.Symlink(outside, filepath.Join(base, "link"))); err != nil {
		t.Fatal(err)
	}
	log := []operation.Entry{
		{Seq: 1, Kind: operation.Folder, Path: "image"},
		{Seq: 2, Kind: operation.Create, Path: "image/a"},
		{Seq: 3, Kind: operation.Write, Path: "image/a", Offset: 2, Data: []byte("xy")},
		{Seq: 4, Kind: operation.Rename, Path: "image/a", To: "shop.db"},
		{Seq: 5, Kind: operation.Remove, Path: "image"},
	}
	to := t.TempDir()
	if err := operation.Replay(to, base, log[:4]); err != nil {
		t.Fatal(err)
	}
	tree, err := operation.ReadTree(to)
	if err != nil {
		t.Fatal(err)
	}
	if data, _ := tree.File("shop.db"); string(data) != "\x00\x00xy" {
		t.Errorf("shop.db = %q", data)
	}
	if got := strings.Join(append(tree.Files(), tree.Folders()...), " "); got != "shop.db x image" {
		t.Errorf("the folder holds %s", got)
	}
	if err := operation.Replay(t.TempDir(), base, []operation.Entry{{Seq: 9, Kind: operation.Write, Path: "none", Data: []byte("x")}}); err == nil ||
		!strings.Contains(err.Error(), "entry 9 of the operation log, write none") {
		t.Errorf("error %v", err)
	}
	if err := operation.Replay(to, base, nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("into a folder that is not empty: error %v", err)
	}
}
