package handoff

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// WriteFile puts data at path so that a program or a machine that stops at any instant leaves the old file or the new one,
// whole: a temporary file in the same folder is written and synced, renamed over path, and the folder is synced. Its name is
// path's with a dot before it and ".RANDOM.tmp" after it; one that a crash left behind may be deleted.
//
// The mode is that of a new file, less the umask. What stood at path is replaced without a copy: who wants one makes it
// first. A link, a folder or a device at path is refused: the write would go somewhere else than the name says.
func WriteFile(path string, data []byte, mode fs.FileMode) error {
	if err := checkTarget(path); err != nil {
		return err
	}
	temporary, err := writeTemporary(path, data, mode)
	if err != nil {
		return unwritable(path, err)
	}
	if err := os.Rename(temporary, path); err != nil {
		_ = os.Remove(temporary)
		return unwritable(path, err)
	}
	if err := SyncFolder(filepath.Dir(path)); err != nil {
		return unwritable(path, err)
	}
	return nil
}

// CreateFile puts data at path as WriteFile does, but refuses when anything is there, also when another process put it
// there a moment ago. The file is not whole until CreateFile returns.
func CreateFile(path string, data []byte, mode fs.FileMode) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if errors.Is(err, fs.ErrExist) {
		return &Error{Kind: Input, Code: CodeFileRefused, Message: path + ": there is a file already, and it is not overwritten",
			Hint: "Choose another name, or move that file away first.", Cause: err}
	}
	if err != nil {
		return unwritable(path, err)
	}
	if err := writeAndClose(f, data); err != nil {
		_ = os.Remove(path)
		return unwritable(path, err)
	}
	if err := SyncFolder(filepath.Dir(path)); err != nil {
		return unwritable(path, err)
	}
	return nil
}

// SyncFolder makes the names in a folder durable. Windows and a few file systems have no such operation; there it does
// nothing.
func SyncFolder(folder string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	err = f.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}
	return errors.Join(err, f.Close())
}

func checkTarget(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return unwritable(path, err)
	}
	if info.Mode().IsRegular() {
		return nil
	}
	what := "a device, a pipe or a socket"
	switch {
	case info.IsDir():
		what = "a folder"
	case info.Mode()&fs.ModeSymlink != 0:
		what = "a symbolic link"
	}
	return &Error{Kind: Input, Code: CodeFileRefused, Message: fmt.Sprintf("%s: this is %s, and it is not written to", path, what),
		Hint: "Move it away, or choose another name."}
}

// writeTemporary leaves a synced file beside path and returns its name; after an error there is none.
func writeTemporary(path string, data []byte, mode fs.FileMode) (string, error) {
	folder, name := filepath.Split(path)
	temporary := filepath.Join(folder, "."+name+"."+rand.Text()[:8]+".tmp")
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return "", err
	}
	if err := writeAndClose(f, data); err != nil {
		_ = os.Remove(temporary)
		return "", err
	}
	return temporary, nil
}

func writeAndClose(f *os.File, data []byte) error {
	_, err := f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

func unwritable(path string, err error) error {
	hint := "Check that the folder is there and that you may write to it."
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		hint = "The disk is full. Make room and do it again; nothing that was there before is lost."
	case errors.Is(err, syscall.EROFS):
		hint = "The disk is read-only. Choose a folder on another one."
	}
	return &Error{Kind: Machine, Code: CodeFileWrite, Message: path + ": the file cannot be written", Hint: hint, Cause: err}
}
