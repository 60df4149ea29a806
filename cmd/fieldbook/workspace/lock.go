package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"fieldbook/grader"
)

// Holder is the program that holds a workspace.
type Holder struct {
	PID     int       `json:"pid"`
	Command string    `json:"command"` // "fieldbook watch restore"
	Since   time.Time `json:"since"`
}

// Lock is one program's exclusive hold on a workspace. The operating system ends it with the program, however that ends.
type Lock struct{ lock *flock.Flock }

const (
	lockFile   = Folder + "/lock"
	holderFile = Folder + "/lock.json"

	lockRetry = 25 * time.Millisecond
)

// Lock takes the workspace for this program, waiting up to wait for another one to end. The refusal names the other
// program. command is what that refusal will say of this one.
func (w *Workspace) Lock(ctx context.Context, command string, wait time.Duration) (*Lock, error) {
	// The lock is taken on a file, and opening it is also the earliest point at which a folder that cannot be written
	// says so: before anything ran whose result could then not be kept.
	path := w.Path(lockFile)
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, trouble("write", path, err)
	}
	f.Close()

	lock := flock.New(path)
	held, err := lock.TryLock()
	if !held && err == nil && wait > 0 {
		waiting, cancel := context.WithTimeout(ctx, wait)
		defer cancel()
		held, err = lock.TryLockContext(waiting, lockRetry)
	}
	switch {
	case held:
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err == nil || errors.Is(err, context.DeadlineExceeded):
		return nil, w.busy()
	default:
		return nil, trouble("lock", path, err)
	}
	if err := w.sweep(); err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	holder := Holder{PID: os.Getpid(), Command: command, Since: w.now().UTC().Truncate(time.Second)}
	if err := w.writeJSON(holderFile, holder); err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	return &Lock{lock: lock}, nil
}

// sweep removes what a killed program left half-written. Only the holder of the lock may: nobody else is writing.
func (w *Workspace) sweep() error {
	return filepath.WalkDir(w.root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !unfinished(d.Name()) {
			return nil // a folder that cannot be read is met, and named, by whoever needs it
		}
		if err := os.RemoveAll(path); err != nil {
			return trouble("remove", path, err)
		}
		if d.IsDir() {
			return fs.SkipDir
		}
		return nil
	})
}

// unfinished are the names of what is being written, by this package and by handoff.WriteFile.
func unfinished(name string) bool {
	return strings.HasPrefix(name, temporaryPrefix) || strings.HasPrefix(name, ".") && strings.HasSuffix(name, ".tmp")
}

// Unlock gives the workspace back. A second call does nothing.
func (l *Lock) Unlock() error {
	if l == nil || l.lock == nil {
		return nil
	}
	return l.lock.Unlock()
}

// busy is the refusal that names the program which holds the workspace.
func (w *Workspace) busy() error {
	who := "another Fieldbook"
	var holder Holder
	if data, err := os.ReadFile(w.Path(holderFile)); err == nil && json.Unmarshal(data, &holder) == nil && holder.PID > 0 {
		who = fmt.Sprintf("`%s` (process %d, since %s)", holder.Command, holder.PID, holder.Since.Local().Format("15:04"))
	}
	return &grader.Error{
		Code:    "workspace_busy",
		Message: fmt.Sprintf("%s is using the workspace %s", who, w.root),
		Hint:    "End it first, or work in another workspace with --workspace. Nothing was changed.",
		Exit:    grader.ExitUsage,
	}
}
