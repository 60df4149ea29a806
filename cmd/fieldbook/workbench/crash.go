package workbench

import (
	"context"

	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/crash"
	"fieldbook/grader/task"
)

// Crash explores what crashes can do to the student's files: those that were named, and the workspace's for the rest. The
// matrix is nil when the files cannot be run, and the report says why. Nothing is kept.
func (b *Bench) Crash(ctx context.Context, e *exercises.Exercise, o task.Exploration, files ...string) (*crash.Matrix, grader.Report, error) {
	sources, err := b.sources(e, files)
	if err != nil {
		return nil, grader.Report{}, err
	}
	t, err := task.New(b.Task, e)
	if err != nil {
		return nil, grader.Report{}, err
	}
	defer t.Close()
	if report, err := t.Install(ctx, sources...); err != nil || report.Outcome != "" {
		return nil, report, err
	}
	return t.Crash(ctx, o)
}
