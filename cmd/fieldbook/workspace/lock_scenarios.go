package workspace

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"fieldbook/grader"
)

// scenarioLock is held by the programs that run and collect scenarios.
const scenarioLock = Folder + "/scenarios.lock"

// LockScenarios takes the folders in which scenarios leave their files, waiting up to wait for another program to end by
// itself. It does not take the workspace: a scenario reads what the student wrote and writes to those folders alone, so that
// it can run while the app is open beside it. What a killed program left unfinished in their parents is removed.
func (w *Workspace) LockScenarios(ctx context.Context, wait time.Duration, parents ...string) (*Lock, error) {
	path := w.Path(scenarioLock)
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, trouble("write", path, err)
	}
	_ = f.Close()
	lock := flock.New(path)
	waiting, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	held, err := lock.TryLockContext(waiting, lockRetry)
	switch {
	case held:
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err == nil || errors.Is(err, context.DeadlineExceeded):
		return nil, &grader.Error{
			Code: "scenario_busy", Exit: grader.ExitUsage,
			Message: "another scenario is running in the workspace " + w.root,
			Hint:    "Run one scenario at a time. Nothing was changed.",
		}
	default:
		return nil, trouble("lock", path, err)
	}
	for _, parent := range parents {
		if err := w.sweepFresh(parent); err != nil {
			return nil, errors.Join(err, lock.Unlock())
		}
	}
	return &Lock{lock: lock}, nil
}

// sweepFresh removes the folders that were being filled when a program was killed.
func (w *Workspace) sweepFresh(parent string) error {
	names, err := ListFolder(w.Path(parent))
	if err != nil {
		return err
	}
	for _, name := range names {
		if strings.HasPrefix(name, ".") && strings.HasSuffix(name, freshSuffix) {
			path := filepath.Join(w.Path(parent), name)
			if err := os.RemoveAll(path); err != nil {
				return trouble("remove", path, err)
			}
		}
	}
	return nil
}
