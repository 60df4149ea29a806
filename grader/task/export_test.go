package task

import (
	"context"

	"fieldbook/grader"
)

// VisibleResult is Visible with the canonical result of an observed run.
func (t *Task) VisibleResult(ctx context.Context) (grader.Report, []byte, error) {
	return t.visible(ctx, LabelVisible, t.installed)
}

// Stateful is stateful.
func Stateful(sources []Source) bool { return stateful(sources) }

// Deciding has every later run of a probe told as soon as it is decided.
func (t *Task) Deciding(decided func(grader.Report)) { t.options.Decided = decided }
