// Package files is how the teaching runtime works with files. Every call is logged, and so is each durable operation it
// consists of: a Replace is a create, a write, a sync, a rename and a sync_folder under one call.
//
// Supplied: compiled, and offered to interpreted code. Paths are absolute. Errors name the file and what was being done;
// a missing and an existing file are told apart with errors.Is and the two errors below. Nothing here is durable until
// it is synced: contents by File.Sync or Sync, a folder's entries by SyncFolder. Imports runtime/operation only.
//
// Beyond what a program on this machine could do with package os, three calls exist for the runtime's own needs:
// MakeFolder creates missing parents, Sync makes the contents of a closed file durable, Replace publishes a file whole.
package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"fieldbook/runtime/operation"
)

// What errors.Is finds in the errors of this package.
var (
	ErrNotExist error = fs.ErrNotExist
	ErrExist    error = fs.ErrExist
)

// ReadLimit is the size of the largest file that Read reads, in bytes.
const ReadLimit = 64 << 20

// Same reports whether a and b are the same file or folder by identity: links are followed, so a hard link or a symbolic
// link to a file is the same as the file. It is false when either is missing.
func Same(a, b string) (same bool, err error) {
	if err = absolute(a, b); err != nil {
		return false, err
	}
	span := operation.For(a).Begin("files.Same", a, filepath.Base(b))
	defer func() { span.End(err, 0) }()
	first, err := os.Stat(a)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	second, err := os.Stat(b)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return os.SameFile(first, second), nil
}

// Regular reports whether path is an ordinary file, links followed. It is false when nothing is there.
func Regular(path string) (regular bool, err error) {
	if err = absolute(path); err != nil {
		return false, err
	}
	span := operation.For(path).Begin("files.Regular", path, "")
	defer func() { span.End(err, 0) }()
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return info.Mode().IsRegular(), nil
}

// Identity returns what stays the same while a file lives, however it is named: its device and its number on it, as
// text. Replacing a file changes it, writing to the file does not.
func Identity(path string) (id string, err error) {
	if err = absolute(path); err != nil {
		return "", err
	}
	span := operation.For(path).Begin("files.Identity", path, "")
	defer func() { span.End(err, 0) }()
	return identity(path)
}

// Read returns the contents of a file of at most ReadLimit bytes.
func Read(path string) (data []byte, err error) {
	if err = absolute(path); err != nil {
		return nil, err
	}
	span := operation.For(path).Begin("files.Read", path, "")
	defer func() { span.End(err, 0) }()
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("read %s: it is not a regular file", path)
	}
	if info.Size() > ReadLimit {
		return nil, fmt.Errorf("read %s: it has %d bytes, more than the limit of %d", path, info.Size(), ReadLimit)
	}
	return os.ReadFile(path)
}

// Rename gives the file or folder from the name to, replacing a file that has it. The new name is durable once the
// folder is synced.
func Rename(from, to string) (err error) {
	if err = absolute(from, to); err != nil {
		return err
	}
	span := operation.For(from).Begin("files.Rename", from, filepath.Base(to))
	defer func() { span.End(err, 0) }()
	return span.Rename(from, to)
}

// Truncate cuts the file to size bytes, or fills it up with zeros.
func Truncate(path string, size int64) (err error) {
	if err = absolute(path); err != nil {
		return err
	}
	span := operation.For(path).Begin("files.Truncate", path, fmt.Sprint(size))
	defer func() { span.End(err, 0) }()
	return span.Do(operation.Entry{Kind: operation.Truncate, Path: path, Size: size}, func() error {
		// By a descriptor: where landlock cannot keep truncate(2) inside a folder, the sandbox has to forbid it.
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		defer f.Close()
		return f.Truncate(size)
	})
}

// Remove removes a file or an empty folder.
func Remove(path string) (err error) {
	if err = absolute(path); err != nil {
		return err
	}
	span := operation.For(path).Begin("files.Remove", path, "")
	defer func() { span.End(err, 0) }()
	return span.Remove(path)
}

// Folder returns the folder that holds path.
func Folder(path string) string { return filepath.Dir(path) }

// MakeFolder creates the folder and its missing parents, mode 0700. An existing folder is left as it is.
func MakeFolder(folder string) (err error) {
	if err = absolute(folder); err != nil {
		return err
	}
	span := operation.For(folder).Begin("files.MakeFolder", folder, "")
	defer func() { span.End(err, 0) }()
	return span.MakeFolders(folder)
}

// Sync makes the contents of a closed file durable.
func Sync(path string) (err error) {
	if err = absolute(path); err != nil {
		return err
	}
	span := operation.For(path).Begin("files.Sync", path, "")
	defer func() { span.End(err, 0) }()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	return span.Sync(path, f)
}

// SyncFolder makes the entries of a folder durable: which names exist, and which files they name.
func SyncFolder(folder string) (err error) {
	if err = absolute(folder); err != nil {
		return err
	}
	span := operation.For(folder).Begin("files.SyncFolder", folder, "")
	defer func() { span.End(err, 0) }()
	return span.SyncFolder(folder)
}

func absolute(paths ...string) error {
	for _, path := range paths {
		if !filepath.IsAbs(path) {
			return fmt.Errorf("the path %q is not absolute: take paths from the world or from the database", path)
		}
	}
	return nil
}
