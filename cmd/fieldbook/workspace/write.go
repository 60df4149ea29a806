package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"fieldbook/grader"
	"fieldbook/handoff"
)

// temporaryPrefix begins the names of files and folders that are being written.
const temporaryPrefix = Folder + "-"

// WriteFile puts data in place of the file at path, whole or not at all, and durably. Parents are made. After an error the
// earlier file is unchanged.
func WriteFile(path string, data []byte) error {
	if err := makeFolder(filepath.Dir(path)); err != nil {
		return err
	}
	if err := handoff.WriteFile(path, data, 0o644); err != nil {
		return trouble("write", path, err)
	}
	return nil
}

// Lay puts a file at a slash path of the workspace where nothing is yet. What lies there already stays.
func (w *Workspace) Lay(slash string, data []byte) error {
	err := writeNew(w.Path(slash), data)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// writeNew is WriteFile for a path where nothing may be yet: errors.Is(err, fs.ErrExist) when something is.
func writeNew(path string, data []byte) error {
	if _, err := os.Lstat(path); err == nil {
		return fs.ErrExist
	}
	folder := filepath.Dir(path)
	temporary := filepath.Join(folder, temporaryPrefix+filepath.Base(path))
	if err := WriteFile(temporary, data); err != nil {
		return err
	}
	err := os.Link(temporary, path)
	switch {
	case err == nil || errors.Is(err, fs.ErrExist):
		err = errors.Join(err, os.Remove(temporary))
	default:
		// File systems without hard links: the look above has to do.
		err = os.Rename(temporary, path)
	}
	if errors.Is(err, fs.ErrExist) {
		return fs.ErrExist
	}
	if err != nil {
		return trouble("write", path, err)
	}
	return syncFolder(folder)
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

func syncFolder(path string) error {
	if err := handoff.SyncFolder(path); err != nil {
		return trouble("sync folder", path, err)
	}
	return nil
}

// trouble says for people what kept a file from being read or written.
func trouble(doing, path string, err error) error {
	var known *grader.Error
	var refused *handoff.Error
	if errors.As(err, &known) || errors.As(err, &refused) && refused.Kind == handoff.Input {
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
