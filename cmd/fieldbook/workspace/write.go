package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"

	"fieldbook/grader"
)

// temporaryPrefix begins the names of files and folders that are being written.
const temporaryPrefix = Folder + "-"

// WriteFile puts data in place of the file at path, whole or not at all: a temporary file beside it is written, synced
// and renamed over it, then the folder is synced. Parents are made. After an error the earlier file is unchanged and no
// temporary file is left.
func WriteFile(path string, data []byte) error {
	return place(path, data, func(temporary string) error { return os.Rename(temporary, path) })
}

// writeNew is WriteFile for a path where nothing may be yet: it returns fs.ErrExist, unwrapped by errors.Is, instead of
// replacing anything.
func writeNew(path string, data []byte) error {
	if _, err := os.Lstat(path); err == nil {
		return fs.ErrExist
	}
	return place(path, data, func(temporary string) error {
		if err := os.Link(temporary, path); err == nil || errors.Is(err, fs.ErrExist) {
			return errors.Join(err, os.Remove(temporary))
		}
		// File systems without hard links: the look above has to do.
		return os.Rename(temporary, path)
	})
}

// place writes a temporary file beside path and lets put move it there.
func place(path string, data []byte, put func(temporary string) error) error {
	folder := filepath.Dir(path)
	if err := makeFolder(folder); err != nil {
		return err
	}
	f, err := os.CreateTemp(folder, temporaryPrefix+"*")
	if err != nil {
		return trouble("write", path, err)
	}
	temporary := f.Name()
	err = fill(f, data)
	if err == nil {
		err = put(temporary)
	}
	if err != nil {
		os.Remove(temporary)
		if errors.Is(err, fs.ErrExist) {
			return fs.ErrExist
		}
		return trouble("write", path, err)
	}
	return syncFolder(folder)
}

// fill writes, syncs and closes f.
func fill(f *os.File, data []byte) error {
	_, err := f.Write(data)
	if err == nil {
		err = f.Chmod(0o644)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// makeFolder makes a folder and its missing parents, each durable in its own parent.
func makeFolder(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil
	}
	if parent := filepath.Dir(path); parent != path {
		if err := makeFolder(parent); err != nil {
			return err
		}
	}
	if err := os.Mkdir(path, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return trouble("make folder", path, err)
	}
	return syncFolder(filepath.Dir(path))
}

// syncFolder makes the entries of a folder durable. Windows has no such call and needs none: NTFS journals its folders.
func syncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return trouble("sync folder", path, err)
	}
	err = f.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		err = nil // file systems that cannot sync a folder
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return trouble("sync folder", path, err)
	}
	return nil
}

// trouble says for people what kept a file from being read or written.
func trouble(doing, path string, err error) error {
	var known *grader.Error
	if errors.As(err, &known) {
		return err
	}
	e := &grader.Error{Cause: err}
	switch {
	case errors.Is(err, syscall.ENOSPC) || errors.Is(err, errQuota):
		e.Code, e.Exit = "disk_full", grader.ExitVoid
		e.Message = fmt.Sprintf("the disk is full: %s was not saved", path)
		e.Hint = "Free some space and run the command again. What was saved before is unchanged."
	case errors.Is(err, errReadOnly):
		e.Code, e.Exit = "read_only", grader.ExitUsage
		e.Message = fmt.Sprintf("%s lies on a file system that can only be read", path)
		e.Hint = "Name a folder that can be written with --workspace."
	case errors.Is(err, fs.ErrPermission):
		e.Code, e.Exit = "no_permission", grader.ExitUsage
		e.Message = fmt.Sprintf("no permission to %s %s", doing, path)
		e.Hint = "Give yourself the permission, or name another folder with --workspace."
	case errors.Is(err, fs.ErrNotExist):
		e.Code, e.Exit = "missing", grader.ExitUsage
		e.Message = fmt.Sprintf("%s does not exist", path)
		e.Hint = "Check the path."
	default:
		e.Code, e.Exit = "file_trouble", grader.ExitVoid
		e.Message = fmt.Sprintf("could not %s %s (%v)", doing, path, rootCause(err))
		e.Hint = "Check the disk and the folder, then run the command again. What was saved before is unchanged."
	}
	return e
}

// rootCause is the operating system's own word, without the path that the message names already.
func rootCause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}
