package probe

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"fieldbook/grader/sandbox"
)

// spoiltError says that what a run left cannot be taken: too many files, or too large ones. The run is to blame.
type spoiltError struct{ cause error }

func (e *spoiltError) Error() string { return "what the run left cannot be read: " + e.cause.Error() }

func (e *spoiltError) Unwrap() error { return e.cause }

// copyArtifacts takes what a dead worker left into a private folder of the parent, so that a database can be opened there
// with its log, by name, and nothing that is read can change any more. It returns "" when there is nothing to take.
func copyArtifacts(artifacts *sandbox.Artifacts) (folder string, err error) {
	if artifacts == nil {
		return "", nil
	}
	if folder, err = os.MkdirTemp("", "fieldbook-world-"); err != nil {
		return "", fmt.Errorf("make a folder for the artifacts: %w", err)
	}
	files := 0
	err = artifacts.Walk(func(name string, info fs.FileInfo) error {
		target := filepath.Join(folder, filepath.FromSlash(name))
		if info.IsDir() {
			return os.Mkdir(target, 0o700)
		}
		if files++; files > maxFiles {
			return &spoiltError{fmt.Errorf("more than %d files", maxFiles)}
		}
		return copyArtifact(artifacts, name, target)
	})
	if err != nil {
		os.RemoveAll(folder)
		if errors.Is(err, sandbox.ErrTooManyFiles) {
			err = &spoiltError{err}
		}
		return "", fmt.Errorf("take the artifacts: %w", err)
	}
	return folder, nil
}

func copyArtifact(artifacts *sandbox.Artifacts, name, target string) error {
	source, err := artifacts.Open(name)
	if errors.Is(err, sandbox.ErrNotRegular) {
		return nil
	}
	if err != nil {
		return err
	}
	defer source.Close()
	f, err := os.OpenFile(target, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	// Not as io.Copy would by itself: the kernel's own copying between file systems takes three times as long for such files.
	n, err := io.Copy(struct{ io.Writer }{f}, io.LimitReader(source, maxFile+1))
	if err == nil && n > maxFile {
		return &spoiltError{fmt.Errorf("the file %s is larger than %d bytes", name, maxFile)}
	}
	if err == nil {
		err = f.Close()
	}
	return err
}
