package task

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"fieldbook/exercises"
	"fieldbook/grader"
)

// MaxSource is the largest learner's file that is read, in bytes.
const MaxSource = 256 << 10

// Source is a learner's file and the place that it takes in the copied runtime.
type Source struct {
	Path string // "runtime/assistant/restore.go"
	Name string // what messages call it
	Text []byte
}

// ReadSource reads a learner's file that takes replaced's place. What is wrong with the file as a file is an error with
// exit code 2; what is wrong with its text is the engine's to say.
func ReadSource(path string, replaced exercises.Replaced) (Source, error) {
	text, err := readFile(path)
	if err != nil {
		return Source{}, err
	}
	return Source{Path: replaced.File, Name: filepath.ToSlash(path), Text: text}, nil
}

func readFile(path string) ([]byte, error) {
	unreadable := func(code, format, hint string, cause error) error {
		return &grader.Error{Code: code, Message: fmt.Sprintf(format, path), Hint: hint, Exit: grader.ExitUsage, Cause: cause}
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, unreadable("source_missing", "there is no file %s", "Check the name, or name another file with --file.", err)
	case errors.Is(err, fs.ErrPermission):
		return nil, unreadable("source_unreadable", "the file %s may not be read", "Give yourself permission to read it.", err)
	case errors.Is(err, syscall.ENAMETOOLONG), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ELOOP):
		return nil, unreadable("source_missing", "%s does not name a file", "Check the name, or name another file with --file.", err)
	case err != nil:
		return nil, unreadable("source_unreadable", "the file %s cannot be read", "Check the disk, or name another file with --file.", err)
	case info.IsDir():
		return nil, unreadable("source_folder", "%s is a folder", "Name the Go file inside it.", nil)
	case !info.Mode().IsRegular():
		return nil, unreadable("source_unreadable", "%s is not a regular file", "Name a Go file.", nil)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, unreadable("source_unreadable", "the file %s cannot be read", "Give yourself permission to read it.", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, MaxSource+1))
	switch {
	case err != nil:
		return nil, unreadable("source_unreadable", "the file %s cannot be read to its end", "Check the disk, or name another file with --file.", err)
	case len(text) > MaxSource:
		return nil, unreadable("source_too_large", "the file %s is larger than 256 KiB", "A solution needs a few hundred lines. Check that this is the file you mean.", nil)
	case len(text) == 0:
		return nil, unreadable("source_empty", "the file %s is empty", "Write the function, or bring back the starter with: fieldbook reset", nil)
	}
	return text, nil
}
