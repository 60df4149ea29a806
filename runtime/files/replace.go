package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"fieldbook/runtime/files/lock"
	"fieldbook/runtime/operation"
)

// attempts bounds how many temporary names Replace tries: as many Replaces of one path can run at once.
const attempts = 64

// Replace gives path new contents as a whole: a reader sees the old ones or the new ones, also after a crash. It writes
// a temporary file beside path, syncs it, renames it over path and syncs the folder. When it fails no temporary is left;
// after a crash the next Replace of the same path takes the temporary over.
func Replace(path string, data []byte) (err error) {
	if err = absolute(path); err != nil {
		return err
	}
	span := operation.For(path).Begin("files.Replace", path, fmt.Sprintf("%d bytes", len(data)))
	defer func() { span.End(err, 0) }()

	file, err := temporary(span, path)
	if err != nil {
		return fmt.Errorf("replace %s: %w", path, err)
	}
	name := file.Name()
	renamed := false
	defer func() {
		file.Close()
		if !renamed {
			// The caller learns why Replace failed; a disk that also refuses the removal keeps the temporary.
			_ = span.Remove(name)
		}
	}()
	if err = span.Write(name, 0, data, file.Write); err != nil {
		return fmt.Errorf("replace %s: %w", path, err)
	}
	if err = span.Sync(name, file); err != nil {
		return fmt.Errorf("replace %s: %w", path, err)
	}
	// Elsewhere the lock is held until the new name stands. Windows renames no open file.
	if runtime.GOOS == "windows" {
		file.Close()
	}
	if err = span.Rename(name, path); err != nil {
		return fmt.Errorf("replace %s: %w", path, err)
	}
	renamed = true
	if err = span.SyncFolder(filepath.Dir(path)); err != nil {
		return fmt.Errorf("replace %s: %w", path, err)
	}
	return nil
}

// temporary returns an empty, locked file beside path. A name left by a crashed Replace is taken over, since nobody
// holds its lock; a name in use is passed by.
func temporary(span *operation.Span, path string) (*os.File, error) {
	for n := 1; n <= attempts; n++ {
		name := fmt.Sprintf("%s.tmp-%d", path, n)
		file, err := span.Create(name, 0o600)
		left := errors.Is(err, fs.ErrExist)
		if left {
			file, err = os.OpenFile(name, os.O_WRONLY, 0)
			if errors.Is(err, fs.ErrNotExist) {
				continue // renamed a moment ago
			}
		}
		if err != nil {
			return nil, err
		}
		mine, err := claim(file)
		if err == nil && mine && left {
			err = span.Do(operation.Entry{Kind: operation.Truncate, Path: name}, func() error { return file.Truncate(0) })
		}
		if err != nil {
			file.Close()
			return nil, err
		}
		if mine {
			return file, nil
		}
		file.Close()
	}
	return nil, fmt.Errorf("%d temporary files of it are in use", attempts)
}

// claim locks the file and makes sure that it still has its name: between opening and locking, its owner may have renamed it.
func claim(file *os.File) (bool, error) {
	mine, err := lock.Try(file)
	if !mine || err != nil {
		return false, err
	}
	opened, err := file.Stat()
	if err != nil {
		return false, err
	}
	named, err := os.Lstat(file.Name())
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return os.SameFile(opened, named), nil
}
