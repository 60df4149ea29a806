package probe

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"fieldbook/grader"
	"fieldbook/runtime/operation"
)

// Stages rebuilds the world at each moment that the probe marked, by doing the logged durable operations again: in memory,
// and at each mark in a private folder. The log is a worker's, so a log that cannot be done again, or that leaves a
// database which cannot be read, is no error: the moments before that place are what it shows.
func Stages(ctx context.Context, entries []operation.Entry) ([]grader.Stage, error) {
	folder, err := os.MkdirTemp("", "fieldbook-stages-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the rebuilt worlds: %w", err)
	}
	defer os.RemoveAll(folder)
	var stages []grader.Stage
	tree := operation.NewTree()
	for i, e := range entries {
		if e.Kind != operation.Mark {
			if err := tree.Apply(e); err != nil {
				return stages, nil // see above: the worker's log, not our failure
			}
			continue
		}
		snapshot, err := treeSnapshot(ctx, tree, filepath.Join(folder, fmt.Sprint(i)))
		if unreadable := (*UnreadableError)(nil); errors.As(err, &unreadable) {
			return stages, nil
		}
		if err != nil {
			return nil, err
		}
		stages = append(stages, grader.Stage{Label: e.Name, Snapshot: snapshot})
	}
	return stages, nil
}

// treeSnapshot reads a tree through files of its own, since reading a database applies its log.
func treeSnapshot(ctx context.Context, tree *operation.Tree, folder string) (grader.Snapshot, error) {
	if err := os.Mkdir(folder, 0o700); err != nil {
		return grader.Snapshot{}, err
	}
	if err := tree.WriteTo(folder); err != nil {
		return grader.Snapshot{}, fmt.Errorf("write a rebuilt world: %w", err)
	}
	return ReadSnapshot(ctx, folder)
}
