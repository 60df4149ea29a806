package sandbox

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// scratch is a worker's folder as the parent holds it: in a mount of the worker's, of which only a descriptor is left, or
// in a temporary folder.
type scratch struct {
	root   *os.Root
	folder string   // the temporary folder; "" when the worker mounted its own
	lock   *os.File // held while the folder is in use, so that a later program can tell it from a dead one's
}

// scratchPrefix begins the name of every temporary scratch folder.
const scratchPrefix = "fieldbook-scratch-"

// sweepAge is how old a folder must be to be swept: long enough for its maker to have locked it.
const sweepAge = time.Minute

// makeScratch makes a temporary scratch folder that only its owner may enter.
func makeScratch(dir string) (*scratch, error) {
	folder, err := os.MkdirTemp(dir, scratchPrefix)
	if err != nil {
		return nil, err
	}
	s := &scratch{folder: folder}
	if s.root, err = os.OpenRoot(folder); err != nil {
		s.free()
		return nil, err
	}
	s.lock = lockFolder(folder)
	return s, nil
}

// over reports whether a temporary folder holds more than disk bytes, or more entries than its mount would allow. A
// worker's own mount does not let it come to that.
func (s *scratch) over(disk int64) bool {
	if s == nil || s.folder == "" {
		return false
	}
	var size int64
	entries := 0
	_ = filepath.WalkDir(s.folder, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil // removed meanwhile
		}
		if info, err := entry.Info(); err == nil {
			size += info.Size()
		}
		if entries++; size > disk || entries > maxEntries {
			return fs.SkipAll
		}
		return nil
	})
	return size > disk || entries > maxEntries
}

// free removes a temporary folder and lets go of a mount.
func (s *scratch) free() {
	if s.root != nil {
		_ = s.root.Close()
	}
	if s.folder != "" {
		if os.RemoveAll(s.folder) != nil {
			_ = filepath.WalkDir(s.folder, func(path string, entry fs.DirEntry, err error) error {
				if entry != nil && entry.IsDir() {
					_ = os.Chmod(path, 0o700) // a folder that its maker closed to itself
				}
				return nil
			})
			_ = os.RemoveAll(s.folder)
		}
	}
	if s.lock != nil {
		_ = s.lock.Close()
	}
}

// sweepScratch removes what programs that were killed have left in dir: folders that nobody holds locked any more. Those
// younger than sweepAge are left alone.
func sweepScratch(dir string) {
	if dir == "" {
		dir = os.TempDir()
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), scratchPrefix) || !entry.IsDir() {
			continue
		}
		if info, err := entry.Info(); err != nil || time.Since(info.ModTime()) < sweepAge {
			continue
		}
		folder := filepath.Join(dir, entry.Name())
		if lock := lockFolder(folder); lock != nil {
			(&scratch{folder: folder, lock: lock}).free()
		}
	}
}
