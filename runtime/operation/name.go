package operation

import (
	"io/fs"
	"os"
	"path/filepath"
)

// Name returns what an open file is called now: path, under which it was opened, as long as that still names it;
// otherwise another name under the root; "" when it has none left. An operation on a file that was renamed or removed
// while it was open would otherwise be logged for a file that it never touched. Without a recorder it is path.
func (r *Recorder) Name(path string, file os.FileInfo) string {
	if r == nil || file == nil {
		return path
	}
	if current, err := os.Lstat(path); err == nil && os.SameFile(current, file) {
		return path
	}
	found := ""
	// What can't be read can't be the file's folder either; the search goes on.
	_ = filepath.WalkDir(r.roots[0], func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			current, err := os.Lstat(name)
			if err == nil && os.SameFile(current, file) {
				found = name
				return fs.SkipAll
			}
		}
		return nil
	})
	return found
}
