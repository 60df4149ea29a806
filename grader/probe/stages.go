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
	return NewSnapshots().Stages(ctx, entries)
}

// KnownBefore are the ids that were in the world at the first mark of a log, before the learner's function was called; none
// when nothing was marked.
func KnownBefore(ctx context.Context, entries []operation.Entry) (map[string]bool, error) {
	first := slices.IndexFunc(entries, func(e operation.Entry) bool { return e.Kind == operation.Mark })
	stages, err := Stages(ctx, entries[:first+1])
	if err != nil || len(stages) == 0 {
		return nil, err
	}
	return IDs(stages[0].Snapshot), nil
}

// moment is the world's files at a mark.
type moment struct {
	label string
	tree  *operation.Tree
}

// rebuilt does the durable operations of a log again, in memory, up to the first that cannot be done.
func rebuilt(entries []operation.Entry) []moment {
	var moments []moment
	tree := operation.NewTree()
	for _, e := range entries {
		if e.Kind == operation.Mark {
			moments = append(moments, moment{label: e.Name, tree: tree.Clone()})
		} else if tree.Apply(e) != nil {
			break
		}
	}
	return moments
}

// Stages is the function of that name; what these snapshots have read of the same run is not read again.
func (s *Snapshots) Stages(ctx context.Context, entries []operation.Entry) ([]grader.Stage, error) {
	moments := rebuilt(entries)
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
	return s.read(ctx, folder)
}
