package teaching_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	teaching "fieldbook/runtime"
)

// onDisk lists the Go files below the folders of this package, tests left out, by their paths from the module's root.
func onDisk(t *testing.T) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		path = filepath.ToSlash(path)
		if err == nil && entry.Name() == "testdata" {
			return fs.SkipDir
		}
		if strings.Contains(path, "/") && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
			list = append(list, "runtime/"+path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(list)
	return list
}

func TestListIsCurrent(t *testing.T) {
	embedded := append(teaching.CopiedFiles(), teaching.SuppliedFiles()...)
	slices.Sort(embedded)
	want := onDisk(t)
	for _, path := range want {
		if !slices.Contains(embedded, path) {
			t.Errorf("%s is not embedded: run go generate ./runtime (a new folder is first named in runtime/generate.go)", path)
		}
	}
	for _, path := range embedded {
		if !slices.Contains(want, path) {
			t.Errorf("%s is embedded and not on disk", path)
		}
	}
	if len(slices.Compact(slices.Clone(embedded))) != len(embedded) {
		t.Error("a file is both copied and supplied")
	}
	if !slices.Contains(teaching.CopiedFiles(), "runtime/assistant/restore.go") {
		t.Error("runtime/assistant/restore.go is not among the copied files")
	}
}

func TestTrees(t *testing.T) {
	for name, tree := range map[string]struct {
		fs    fs.FS
		files []string
	}{
		"copied":   {teaching.Tree(), teaching.CopiedFiles()},
		"supplied": {teaching.Supplied(), teaching.SuppliedFiles()},
	} {
		t.Run(name, func(t *testing.T) {
			if err := fstest.TestFS(tree.fs, tree.files...); err != nil {
				t.Error(err)
			}
			var walked []string
			err := fs.WalkDir(tree.fs, ".", func(path string, entry fs.DirEntry, err error) error {
				if err == nil && !entry.IsDir() {
					walked = append(walked, path)
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
			slices.Sort(walked)
			if !slices.Equal(walked, tree.files) {
				t.Errorf("walking finds %v, the list says %v", walked, tree.files)
			}
		})
	}
}

func TestSource(t *testing.T) {
	for _, path := range onDisk(t) {
		want, err := os.ReadFile(strings.TrimPrefix(path, "runtime/"))
		if err != nil {
			t.Fatal(err)
		}
		got, err := teaching.Source(path)
		if err != nil || string(got) != string(want) {
			t.Errorf("Source(%q) is not the file (%v)", path, err)
		}
	}
	for _, path := range []string{"", "/etc/passwd", "runtime/../go.mod", "runtime/embed.go", "assistant/restore.go", "runtime/assistant/absent.go"} {
		if _, err := teaching.Source(path); !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("Source(%q) = %v, want that it does not exist", path, err)
		}
	}
}

// documented is the digest as its comment describes it, written a second time.
func documented(t *testing.T, paths []string) string {
	t.Helper()
	var all []byte
	for _, path := range paths {
		data, err := os.ReadFile(strings.TrimPrefix(path, "runtime/"))
		if err != nil {
			t.Fatal(err)
		}
		var size [8]byte
		binary.BigEndian.PutUint64(size[:], uint64(len(data)))
		all = append(all, path+"\x00"+string(size[:])+string(data)...)
	}
	sum := sha256.Sum256(all)
	return hex.EncodeToString(sum[:])
}

func TestDigest(t *testing.T) {
	if got, want := teaching.Digest(), documented(t, onDisk(t)); got != want {
		t.Errorf("Digest() = %s, its comment describes %s", got, want)
	}
	var assistant []string
	for _, path := range onDisk(t) {
		if strings.HasPrefix(path, "runtime/assistant/") {
			assistant = append(assistant, path)
		}
	}
	if got, want := teaching.PackageDigest("runtime/assistant"), documented(t, assistant); got != want {
		t.Errorf("PackageDigest(runtime/assistant) = %s, its comment describes %s", got, want)
	}
	for _, folder := range []string{"", "runtime", "runtime/assist", "runtime/assistant/", "elsewhere"} {
		if got := teaching.PackageDigest(folder); got != "" {
			t.Errorf("PackageDigest(%q) = %s, want none", folder, got)
		}
	}
}
