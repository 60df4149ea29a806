package probe

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"

	"golang.org/x/sync/errgroup"

	"fieldbook/grader"
	"fieldbook/runtime/operation"
)

// Stages rebuilds the world at each moment that the probe marked, by doing the logged durable operations again: in memory,
// and at each mark in a private folder. The log is a worker's, so a log that cannot be done again, or that leaves a
// database which cannot be read, is no error: the moments before that place are what it shows.
func Stages(ctx context.Context, entries []operation.Entry) ([]grader.Stage, error) {
	r := newRebuilding(ctx, NewSnapshots())
	r.add(entries)
	return r.stages()
}

// rebuilding is a world that is made again beside the run that makes it: what a mark shows is read while the worker goes on.
type rebuilding struct {
	snapshots *Snapshots
	group     *errgroup.Group
	reading   context.Context
	tree      *operation.Tree // nil when an operation could not be done again
	folder    string          // of the moments; "" before the first
	moments   []*moment
}

// moment is the world at a mark.
type moment struct {
	stage    grader.Stage
	readable bool
}

func newRebuilding(ctx context.Context, snapshots *Snapshots) *rebuilding {
	r := &rebuilding{snapshots: snapshots, tree: operation.NewTree()}
	r.group, r.reading = errgroup.WithContext(ctx)
	r.group.SetLimit(runtime.GOMAXPROCS(0))
	return r
}

// add does the next entries of the log.
func (r *rebuilding) add(entries []operation.Entry) {
	for _, e := range entries {
		switch {
		case r.tree == nil:
			return
		case e.Kind == operation.Mark:
			r.mark(e.Name, r.tree.Clone())
		case r.tree.Apply(e) != nil:
			r.tree = nil
		}
	}
}

// mark reads a tree through files of its own, since reading a database applies its log.
func (r *rebuilding) mark(label string, tree *operation.Tree) {
	m := &moment{stage: grader.Stage{Label: label}}
	r.moments = append(r.moments, m)
	if r.folder == "" {
		var err error
		if r.folder, err = os.MkdirTemp("", "fieldbook-stages-"); err != nil {
			r.group.Go(func() error { return fmt.Errorf("make a folder for the rebuilt worlds: %w", err) })
			r.tree = nil
			return
		}
	}
	folder := filepath.Join(r.folder, strconv.Itoa(len(r.moments)))
	r.group.Go(func() (err error) {
		if err := os.Mkdir(folder, 0o700); err != nil {
			return err
		}
		if err := tree.WriteTo(folder); err != nil {
			return fmt.Errorf("write a rebuilt world: %w", err)
		}
		m.stage.Snapshot, err = r.snapshots.Read(r.reading, folder)
		if unreadable := (*UnreadableError)(nil); errors.As(err, &unreadable) {
			return nil
		}
		m.readable = err == nil
		return err
	})
}

// stages waits for all moments and returns those before the first that cannot be read.
func (r *rebuilding) stages() ([]grader.Stage, error) {
	err := r.group.Wait()
	if r.folder != "" {
		defer os.RemoveAll(r.folder)
	}
	if err != nil {
		return nil, err
	}
	moments := r.moments
	if gap := slices.IndexFunc(moments, func(m *moment) bool { return !m.readable }); gap >= 0 {
		moments = moments[:gap]
	}
	stages := make([]grader.Stage, len(moments))
	for i, m := range moments {
		stages[i] = m.stage
	}
	return stages, nil
}
