package operation

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// The operations of package os that files and database share, done and logged. Paths are absolute.

// Create creates a file exclusively and opens it for reading and writing.
func (s *Span) Create(path string, mode os.FileMode) (file *os.File, err error) {
	err = s.Do(Entry{Kind: Create, Path: path}, func() error {
		file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode.Perm())
		return err
	})
	if err != nil && file != nil {
		file.Close() // created, and then the log failed
	}
	return file, err
}

// Sync makes the contents of an open file durable; path is its name.
func (s *Span) Sync(path string, file *os.File) error {
	return s.Do(Entry{Kind: Sync, Path: path}, file.Sync)
}

// Rename renames a file or a folder, replacing a file that has the name.
func (s *Span) Rename(from, to string) error {
	return s.Do(Entry{Kind: Rename, Path: from, To: to}, func() error { return os.Rename(from, to) })
}

// Remove removes a file or an empty folder.
func (s *Span) Remove(path string) error {
	return s.Do(Entry{Kind: Remove, Path: path}, func() error { return os.Remove(path) })
}

// MakeFolder creates one folder, mode 0700.
func (s *Span) MakeFolder(folder string) error {
	return s.Do(Entry{Kind: Folder, Path: folder}, func() error { return os.Mkdir(folder, 0o700) })
}

// MakeFolders creates a folder and its missing parents.
func (s *Span) MakeFolders(folder string) error {
	info, err := os.Stat(folder)
	switch {
	case err == nil && info.IsDir():
		return nil
	case err == nil:
		return fmt.Errorf("make folder %s: it is a file", folder)
	case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR):
		return err
	}
	if err := s.MakeFolders(filepath.Dir(folder)); err != nil {
		return err
	}
	if err := s.MakeFolder(folder); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil // another one made it a moment ago
}

// SyncFolder makes the entries of a folder durable. On Windows it logs and does nothing: a folder cannot be synced there,
// and NTFS keeps folder entries in a journal of its own.
func (s *Span) SyncFolder(folder string) error {
	return s.Do(Entry{Kind: SyncFolder, Path: folder}, func() error {
		f, err := os.Open(folder)
		if err != nil {
			return err
		}
		defer f.Close()
		if runtime.GOOS == "windows" {
			return nil
		}
		return f.Sync()
	})
}
