package crash

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/engine"
	"fieldbook/grader/probe"
	"fieldbook/runtime/assistant"
	"fieldbook/runtime/operation"
	"fieldbook/runtime/shop"
	"fieldbook/runtime/world"
)

// native runs compiled functions in this process: no sandbox and no interpreter, and databases whose commits may wait for
// less.
type native struct {
	synchronous string
	folder      string

	record, again, reference *engine.Prepared // stand for the programs
	drive, ends              drive            // the learner's function, and the reference

	series   func(starts []probe.Start) bool // reports whether a series tells anything; nil: it does
	ending   func(again bool) grader.Outcome // how a run ends; nil: observed
	inSeries atomic.Bool                     // a series is under way
}

// drive does what a probe does: from the beginning, or once more from a state.
type drive func(ctx context.Context, again bool, w *world.World) (world.Observation, error)

func mustNative(t testing.TB, e *exercises.Exercise, learner, reference drive) (*native, Subject) {
	t.Helper()
	n := &native{folder: t.TempDir(), drive: learner, ends: reference}
	n.record, n.again, n.reference = &engine.Prepared{Entry: "record"}, &engine.Prepared{Entry: "again"}, &engine.Prepared{Entry: "reference"}
	return n, Subject{Exercise: e, Record: n.record, Again: n.again, Reference: n.reference}
}

// restoring is the reference of restore, driven as by the probes of the exercise.
func restoring(ctx context.Context, again bool, w *world.World) (seen world.Observation, err error) {
	db, err := w.Open(ctx)
	if err != nil {
		return seen, err
	}
	backup := w.Path("shop-backups", "morning.sqlite")
	if !again {
		if err := assistant.SeedLucy(ctx, db); err != nil {
			return seen, err
		}
		if _, err := assistant.Enqueue(ctx, db, shop.Request{Origin: "morning:brief", Session: "lucy", Prompt: "What is short?", Role: shop.Schedule}); err != nil {
			return seen, err
		}
		if err := assistant.Backup(ctx, db, backup); err != nil {
			return seen, err
		}
	}
	w.Mark("at backup")
	restored := assistant.Restore(ctx, db, backup)
	w.Mark("restored")
	if restored == nil {
		seen.Null("restore_error")
	} else {
		seen.String("restore_error", shop.Refusal(restored))
	}
	return seen, nil
}

// Probe makes one run.
func (n *native) Probe(ctx context.Context, run probe.Run) (*probe.Execution, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	root, err := os.MkdirTemp(n.folder, "world-")
	if err != nil {
		return nil, err
	}
	if run.Inputs != nil {
		if err := copyFiles(root, run.Inputs); err != nil {
			return nil, err
		}
	}
	again := run.Program == n.again
	execution := &probe.Execution{Outcome: grader.Observed, Elapsed: time.Millisecond}
	if n.ending != nil {
		if execution.Outcome = n.ending(again); execution.Outcome != grader.Observed {
			execution.Cause = "it ended: " + string(execution.Outcome)
			return execution, nil
		}
	}
	var log []operation.Entry
	defer func() { execution.Operations = log }()
	ordinal := 0
	armed := false
	w, err := world.New(world.Options{
		Root: root, Seed: 19, Process: run.World.Process, Synchronous: n.synchronous,
		Sink: func(e operation.Entry) error {
			armed = run.Fault != nil && (armed || e.Kind == operation.Mark && e.Name == run.Fault.After)
			log = append(log, e)
			return nil
		},
		Intercept: func(e operation.Entry) error {
			if !armed {
				return nil
			}
			if ordinal++; ordinal != run.Fault.Operation {
				return nil
			}
			execution.Fault = &e
			switch run.Fault.Kind {
			case probe.TornWrite:
				return operation.TornWrite{Bytes: len(e.Data) / 2}
			case probe.FailedSync:
				return operation.ErrSyncFailed
			}
			return operation.ErrNoSpace
		},
	})
	if err != nil {
		return nil, err
	}
	drive := n.drive
	if run.Program == n.reference {
		drive = n.ends
	}
	seen, err := drive(ctx, again, w)
	operation.For(root).Stop()
	if err != nil {
		execution.Outcome, execution.Cause = grader.NoResult, err.Error()
	} else {
		execution.Observation = &seen
	}
	execution.Folder = root + "-left"
	if err := copyFiles(execution.Folder, os.DirFS(root)); err != nil {
		return nil, err
	}
	// The handles are closed only now: what they tidy up is not what a killed process leaves.
	return execution, w.Close()
}

// Series makes its runs one by one.
func (n *native) Series(ctx context.Context, run probe.Run, starts []probe.Start) (executions []*probe.Execution, folder string, err error) {
	if n.series != nil && !n.series(starts) {
		return make([]*probe.Execution, len(starts)), "", nil
	}
	n.inSeries.Store(true)
	defer n.inSeries.Store(false)
	for _, s := range starts {
		run.World.Process, run.Fault, run.Inputs = s.Process, s.Fault, probe.FS(s.Files)
		execution, err := n.Probe(ctx, run)
		if err != nil {
			return nil, "", err
		}
		execution.Operations = nil
		executions = append(executions, execution)
	}
	return executions, "", nil
}

func copyFiles(folder string, files fs.FS) error {
	return fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		at := filepath.Join(folder, filepath.FromSlash(name))
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			return os.MkdirAll(at, 0o700)
		case operation.IsSharedMemory(name):
			return nil
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		return os.WriteFile(at, data, 0o600)
	})
}
