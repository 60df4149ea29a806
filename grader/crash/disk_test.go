package crash

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fieldbook/runtime/operation"
)

// tree makes a tree of "folder/" and "file=contents".
func tree(t testing.TB, parts ...string) *operation.Tree {
	t.Helper()
	tree := operation.NewTree()
	for _, part := range parts {
		var err error
		if name, ok := strings.CutSuffix(part, "/"); ok {
			err = tree.Apply(operation.Entry{Kind: operation.Folder, Path: name})
		} else {
			name, data, _ := strings.Cut(part, "=")
			err = tree.Put(name, []byte(data))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return tree
}

// show is files as a text: "a/ a/b=contents".
func show(f Files) string {
	parts := make([]string, 0, len(f.folders)+len(f.data))
	for _, name := range f.folders {
		parts = append(parts, name+"/")
	}
	for name, data := range f.data {
		parts = append(parts, name+"="+string(data))
	}
	slices.Sort(parts)
	return strings.Join(parts, " ")
}

// Short forms of the entries of a log.
func create(name string) operation.Entry { return operation.Entry{Kind: operation.Create, Path: name} }
func remove(name string) operation.Entry { return operation.Entry{Kind: operation.Remove, Path: name} }
func folder(name string) operation.Entry { return operation.Entry{Kind: operation.Folder, Path: name} }
func fsync(name string) operation.Entry  { return operation.Entry{Kind: operation.Sync, Path: name} }

func syncFolder(name string) operation.Entry {
	return operation.Entry{Kind: operation.SyncFolder, Path: name}
}

func write(name string, offset int64, data string) operation.Entry {
	return operation.Entry{Kind: operation.Write, Path: name, Offset: offset, Data: []byte(data)}
}

func truncate(name string, size int64) operation.Entry {
	return operation.Entry{Kind: operation.Truncate, Path: name, Size: size}
}

func rename(from, to string) operation.Entry {
	return operation.Entry{Kind: operation.Rename, Path: from, To: to}
}

// TestModels holds states that were worked out by hand: after the last of the operations, what each model leaves.
func TestModels(t *testing.T) {
	tests := []struct {
		name                string
		base                []string
		operations          []operation.Entry
		killed, lost, named string
		halves              map[string]string // by file
	}{
		{
			name: "nothing happened", base: []string{"a=1", "f/", "f/b=2"},
			killed: "a=1 f/ f/b=2", lost: "a=1 f/ f/b=2", named: "a=1 f/ f/b=2",
		},
		{
			name: "a write", base: []string{"a=12345678"},
			operations: []operation.Entry{write("a", 2, "abcd")},
			killed:     "a=12abcd78", lost: "a=12345678", named: "a=12345678",
			halves: map[string]string{"a": "a=12ab5678"}, // one write: the first half of its bytes
		},
		{
			name: "two writes", base: []string{"a="},
			operations: []operation.Entry{write("a", 0, "ab"), write("a", 2, "cd")},
			killed:     "a=abcd", lost: "a=", named: "a=",
			halves: map[string]string{"a": "a=ab"},
		},
		{
			name: "three writes, one before a sync", base: []string{"a="},
			operations: []operation.Entry{write("a", 0, "AB"), fsync("a"), write("a", 2, "cd"), write("a", 4, "ef"), write("a", 6, "ghij")},
			killed:     "a=ABcdefghij", lost: "a=AB", named: "a=AB",
			halves: map[string]string{"a": "a=ABcde"}, // of three writes one, and half of the second
		},
		{
			name: "two files", base: []string{"a=1", "b=2"},
			operations: []operation.Entry{write("a", 1, "xx"), write("b", 1, "yy")},
			killed:     "a=1xx b=2yy", lost: "a=1 b=2", named: "a=1 b=2",
			halves: map[string]string{"a": "a=1x b=2", "b": "a=1 b=2y"}, // of one file half, of the other nothing
		},
		{
			name: "a truncation and a write", base: []string{"a=12345678"},
			operations: []operation.Entry{truncate("a", 2), write("a", 2, "x")},
			killed:     "a=12x", lost: "a=12345678", named: "a=12345678",
			halves: map[string]string{"a": "a=12"},
		},
		{
			name: "half of a truncation is nothing", base: []string{"a=12345678"},
			operations: []operation.Entry{truncate("a", 2)},
			killed:     "a=12", lost: "a=12345678", named: "a=12345678",
			halves: map[string]string{"a": "a=12345678"},
		},
		{
			name:       "a file that nobody synced",
			operations: []operation.Entry{create("a"), write("a", 0, "text")},
			killed:     "a=text", lost: "", named: "a=",
		},
		{
			name:       "contents synced, name not",
			operations: []operation.Entry{create("a"), write("a", 0, "text"), fsync("a")},
			killed:     "a=text", lost: "", named: "a=text",
		},
		{
			name:       "name synced, contents not",
			operations: []operation.Entry{create("a"), write("a", 0, "text"), syncFolder(".")},
			killed:     "a=text", lost: "a=", named: "a=",
			halves: map[string]string{"a": "a=te"},
		},
		{
			name: "a rename over a file", base: []string{"a=old"},
			operations: []operation.Entry{create("n"), write("n", 0, "new"), fsync("n"), rename("n", "a")},
			killed:     "a=new", lost: "a=old", named: "a=new",
		},
		{
			name: "a rename before the sync of the contents", base: []string{"a=old"},
			operations: []operation.Entry{create("n"), write("n", 0, "new!"), rename("n", "a"), syncFolder(".")},
			killed:     "a=new!", lost: "a=", named: "a=",
			halves: map[string]string{"a": "a=ne"},
		},
		{
			name: "a write to a file that was renamed", base: []string{"a=old"},
			operations: []operation.Entry{rename("a", "b"), write("b", 0, "NEW"), fsync("b")},
			killed:     "b=NEW", lost: "a=NEW", named: "b=NEW", // the old name still leads to the file
		},
		{
			name: "a removal", base: []string{"a=1"},
			operations: []operation.Entry{remove("a")},
			killed:     "", lost: "a=1", named: "",
		},
		{
			name: "a removal that was synced", base: []string{"a=1"},
			operations: []operation.Entry{remove("a"), syncFolder(".")},
			killed:     "", lost: "", named: "",
		},
		{
			name:       "a new folder with a file",
			operations: []operation.Entry{folder("f"), create("f/a"), fsync("f/a"), syncFolder("f")},
			killed:     "f/ f/a=", lost: "", named: "f/ f/a=", // the folder itself has no durable name
		},
		{
			name:       "a new folder whose own entries were not synced",
			operations: []operation.Entry{folder("f"), create("f/a"), fsync("f/a"), syncFolder(".")},
			killed:     "f/ f/a=", lost: "f/", named: "f/ f/a=",
		},
		{
			name: "a rename from one folder to another, the target synced", base: []string{"f/", "g/", "f/a=1"},
			operations: []operation.Entry{rename("f/a", "g/a"), syncFolder("g")},
			killed:     "f/ g/ g/a=1", lost: "f/ f/a=1 g/ g/a=1", named: "f/ g/ g/a=1",
		},
		{
			name: "a rename from one folder to another, the source synced", base: []string{"f/", "g/", "f/a=1"},
			operations: []operation.Entry{rename("f/a", "g/a"), syncFolder("f")},
			killed:     "f/ g/ g/a=1", lost: "f/ g/", named: "f/ g/ g/a=1",
		},
		{
			name: "a failed sync", base: []string{"a=1"},
			operations: []operation.Entry{write("a", 1, "23"), {Kind: operation.Sync, Path: "a", Err: "failed"}},
			killed:     "a=123", lost: "a=1", named: "a=1",
			halves: map[string]string{"a": "a=12"},
		},
		{
			name: "a torn write", base: []string{"a=1"},
			operations: []operation.Entry{{Kind: operation.Write, Path: "a", Offset: 1, Data: []byte("23"), Err: "no space"}, fsync("a")},
			killed:     "a=123", lost: "a=123", named: "a=123",
		},
		{
			name:       "folders moved into each other",
			base:       []string{"f/", "f/g/"},
			operations: []operation.Entry{rename("f/g", "g"), rename("f", "g/f"), syncFolder("g")},
			killed:     "g/ g/f/", lost: "f/ f/g/", named: "g/ g/f/",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			disk := NewDisk(tree(t, test.base...))
			for _, e := range test.operations {
				if err := disk.Apply(e); err != nil {
					t.Fatal(err)
				}
			}
			for m, want := range map[Model]string{Killed: test.killed, Lost: test.lost, Named: test.named} {
				if got := show(disk.Files(m)); got != want {
					t.Errorf("%s leaves %q, want %q", m.Words(), got, want)
				}
			}
			halves, err := disk.Halves()
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			for name, files := range halves {
				got[name] = show(files)
			}
			if !maps.Equal(got, test.halves) {
				t.Errorf("half-way states %q, want %q", got, test.halves)
			}
		})
	}
}

// TestExplore walks over the operations that replace a file safely: every point, every state, and the merging of equal ones.
func TestExplore(t *testing.T) {
	operations := []operation.Entry{create("n"), write("n", 0, "NEW!"), fsync("n"), rename("n", "a"), syncFolder(".")}
	points, distinct, err := explore(tree(t, "a=old!"), operations)
	if err != nil {
		t.Fatal(err)
	}
	want := [][3]string{ // killed, lost, named
		{"a=old!", "a=old!", "a=old!"},
		{"a=old! n=", "a=old!", "a=old! n="},
		{"a=old! n=NEW!", "a=old!", "a=old! n="},
		{"a=old! n=NEW!", "a=old!", "a=old! n=NEW!"},
		{"a=NEW!", "a=old!", "a=NEW!"},
		{"a=NEW!", "a=NEW!", "a=NEW!"},
	}
	if len(points) != len(want) {
		t.Fatalf("%d points, want %d", len(points), len(want))
	}
	for i, point := range points {
		if len(point) != 3 {
			t.Errorf("point %d has %d states, want 3: the new file has no durable name that a half could be seen under", i, len(point))
		}
		for j, instance := range point {
			if got := show(distinct[instance.State]); got != want[i][j] {
				t.Errorf("after %d, %s: %q, want %q", i, instance.Model.Words(), got, want[i][j])
			}
		}
	}
	if len(distinct) != 4 {
		t.Errorf("%d distinct states, want 4", len(distinct))
	}
}

func TestExploreRefuses(t *testing.T) {
	if _, _, err := explore(tree(t), []operation.Entry{write("missing", 0, "x")}); err == nil {
		t.Error("a write to no file was explored")
	}
	many := make([]operation.Entry, maxOperations+1)
	if _, _, err := explore(tree(t), many); err == nil {
		t.Errorf("%d operations were explored", len(many))
	}
}

// TestKilledIsTheLiveTree compares the disk with the tree that replays logs, under random operations.
func TestKilledIsTheLiveTree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		live := operation.NewTree()
		for _, name := range []string{"f", "g"} {
			if err := live.Apply(folder(name)); err != nil {
				t.Fatal(err)
			}
		}
		disk := NewDisk(live)
		name := rapid.SampledFrom([]string{"a", "b", "f", "g", "f/a", "f/b", "g/a", "f/h", "g/f"})
		for range rapid.IntRange(0, 40).Draw(t, "operations") {
			e := operation.Entry{Kind: rapid.SampledFrom([]operation.Kind{
				operation.Create, operation.Write, operation.Write, operation.Truncate, operation.Sync, operation.Rename,
				operation.Remove, operation.Folder, operation.SyncFolder,
			}).Draw(t, "kind"), Path: name.Draw(t, "path")}
			switch e.Kind {
			case operation.Write:
				e.Offset = rapid.Int64Range(0, 5).Draw(t, "offset")
				e.Data = []byte(rapid.StringN(0, 4, 4).Draw(t, "data"))
			case operation.Truncate:
				e.Size = rapid.Int64Range(0, 5).Draw(t, "size")
			case operation.Rename:
				e.To = name.Draw(t, "to")
			}
			// What both refuse is left out; a tree does not look at what is synced, so a sync of nothing is left out too.
			trial := live.Clone()
			if err := trial.Apply(e); err != nil {
				continue
			}
			if err := disk.Apply(e); err != nil {
				if e.Kind == operation.Sync || e.Kind == operation.SyncFolder {
					continue
				}
				t.Fatalf("the tree accepts and the disk refuses: %v", err)
			}
			live = trial
			killed := disk.Files(Killed)
			same, err := killed.Tree()
			if err != nil {
				t.Fatal(err)
			}
			if differences := live.Differences(same); len(differences) > 0 {
				t.Fatalf("after %s %s %s: the tree and the disk differ in %v", e.Kind, e.Path, e.To, differences)
			}
		}
		// After a sync of everything nothing is left to lose.
		for _, at := range append(live.Folders(), ".") {
			if err := disk.Apply(syncFolder(at)); err != nil {
				t.Fatal(err)
			}
		}
		for _, at := range live.Files() {
			if err := disk.Apply(fsync(at)); err != nil {
				t.Fatal(err)
			}
		}
		killed := show(disk.Files(Killed))
		for _, m := range Models() {
			if got := show(disk.Files(m)); got != killed {
				t.Fatalf("everything is synced, and %s leaves %q, not %q", m.Words(), got, killed)
			}
		}
		if halves, err := disk.Halves(); err != nil || len(halves) > 0 {
			t.Fatalf("everything is synced, and there are half-way states: %v, %v", halves, err)
		}
	})
}

func TestDigest(t *testing.T) {
	d := newDigester()
	files := []Files{
		filesOf(tree(t)), filesOf(tree(t, "a=")), filesOf(tree(t, "a/")), filesOf(tree(t, "a=b")), filesOf(tree(t, "a=", "b=")),
		filesOf(tree(t, "a/", "a/b=")), filesOf(tree(t, "ab=")),
	}
	seen := map[digest]string{}
	for _, f := range files {
		sum := d.of(f)
		if other, ok := seen[sum]; ok {
			t.Errorf("%q and %q have the same digest", show(f), other)
		}
		seen[sum] = show(f)
		if again := newDigester().of(f); again != sum {
			t.Errorf("%q has two digests", show(f))
		}
	}
	if n := fmt.Sprint(len(d.known)); n != "1" {
		t.Errorf("%s contents are known, want 1", n)
	}
}
