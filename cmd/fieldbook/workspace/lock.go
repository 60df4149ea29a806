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
	Command string    `json:"command"`         // "fieldbook watch restore"
	Stays   bool      `json:"stays,omitempty"` // until a person ends it: waiting for it is no use
	Since   time.Time `json:"since"`
}

// Lock is one program's exclusive hold on a workspace. The operating system ends it with the program, however that ends.
type Lock struct{ lock *flock.Flock }

const (
	lockFile   = Folder + "/lock"
	holderFile = Folder + "/lock.json"

	lockRetry = 25 * time.Millisecond
)

// Lock takes the workspace for a program, waiting up to wait for another one to end by itself. The refusal names the other
// program. Of me, Command and Stays are used: it is what a refusal will say of this program.
func (w *Workspace) Lock(ctx context.Context, me Holder, wait time.Duration) (*Lock, error) {
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
	if other, known := w.holder(); !held && err == nil && wait > 0 && (!known || !other.Stays) {
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
	me.PID, me.Since = os.Getpid(), w.now().UTC().Truncate(time.Second)
	if err := w.writeJSON(holderFile, me); err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	return &Lock{lock: lock}, nil
}

// sweep removes what a killed program left half-written. Only the holder of the lock may: nobody else is writing.
func (w *Workspace) sweep() error {
	return filepath.WalkDir(w.root, func(path string, d fs.DirEntry, err error) error {
		// A folder that cannot be read is met, and named, by whoever needs it.
		if err == nil && unfinished(d.Name()) {
			if err := os.RemoveAll(path); err != nil {
				return trouble("remove", path, err)
			}
			if d.IsDir() {
				return fs.SkipDir
			}
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

// holder is the program that took the workspace last.
func (w *Workspace) holder() (h Holder, known bool) {
	data, err := os.ReadFile(w.Path(holderFile))
	return h, err == nil && json.Unmarshal(data, &h) == nil && h.PID > 0
}

// busy is the refusal that names the program which holds the workspace.
func (w *Workspace) busy() error {
	who := "`fieldbook`"
	if holder, known := w.holder(); known {
		who = fmt.Sprintf("`%s` (process %d, since %s)", holder.Command, holder.PID, holder.Since.Local().Format("15:04"))
	}
	return &grader.Error{
		Code:    "workspace_busy",
		Message: fmt.Sprintf("%s is using the workspace %s", who, w.root),
		Hint:    "End it first, or work in another workspace with --workspace. Nothing was changed.",
		Exit:    grader.ExitUsage,
	}
}
