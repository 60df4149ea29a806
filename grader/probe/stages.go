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
	var r rebuilding
	r.add(entries)
	return NewSnapshots().stages(ctx, r.moments)
}

// rebuilding is a world that is made again, in memory, while its log comes in.
type rebuilding struct {
	tree    *operation.Tree // nil before the first entry, and when one could not be done again
	spoilt  bool            // one could not be done again
	moments []moment
}

// moment is the world's files at a mark.
type moment struct {
	label string
	tree  *operation.Tree
}

// add does the next entries of the log.
func (r *rebuilding) add(entries []operation.Entry) {
	if r.tree == nil {
		r.tree = operation.NewTree()
	}
	for _, e := range entries {
		switch {
		case r.spoilt:
			return
		case e.Kind == operation.Mark:
			r.moments = append(r.moments, moment{label: e.Name, tree: r.tree.Clone()})
		default:
			r.spoilt = r.tree.Apply(e) != nil
		}
	}
}

// stages reads the worlds at several moments, up to the first that cannot be read.
func (s *Snapshots) stages(ctx context.Context, moments []moment) ([]grader.Stage, error) {
	folder, err := os.MkdirTemp("", "fieldbook-stages-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the rebuilt worlds: %w", err)
	}
	defer os.RemoveAll(folder)
	stages := make([]grader.Stage, len(moments))
	readable := make([]bool, len(moments))
	group, reading := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, m := range moments {
		group.Go(func() error {
			snapshot, err := s.tree(reading, m.tree, filepath.Join(folder, strconv.Itoa(i)))
			if unreadable := (*UnreadableError)(nil); errors.As(err, &unreadable) {
				return nil
			}
			stages[i], readable[i] = grader.Stage{Label: m.label, Snapshot: snapshot}, err == nil
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	if gap := slices.Index(readable, false); gap >= 0 {
		stages = stages[:gap]
	}
	return stages, nil
}

// tree reads a tree through files of its own, since reading a database applies its log.
func (s *Snapshots) tree(ctx context.Context, tree *operation.Tree, folder string) (grader.Snapshot, error) {
	if err := os.Mkdir(folder, 0o700); err != nil {
		return grader.Snapshot{}, err
	}
	if err := tree.WriteTo(folder); err != nil {
		return grader.Snapshot{}, fmt.Errorf("write a rebuilt world: %w", err)
	}
	return s.Read(ctx, folder)
}
