package holdout_test

import (
	"io/fs"
	"os"
	"testing"
	"testing/fstest"
)

// copied reads a folder of this package into memory, where a test can change it.
func copied(t *testing.T, name string) fstest.MapFS {
	t.Helper()
	folder := fstest.MapFS{}
	disk := os.DirFS(name)
	err := fs.WalkDir(disk, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(disk, path)
		folder[path] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return folder
}
