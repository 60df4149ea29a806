package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"fieldbook/cmd/fieldbook/watch"
)

// watcher watches the student's files while a step runs them on save.
type watcher struct {
	changes <-chan []string
	cancel  context.CancelFunc
}

// begin watches files instead of whatever was watched before.
func (w *watcher) begin(ctx context.Context, files []string) tea.Cmd {
	w.stop()
	ctx, w.cancel = context.WithCancel(ctx)
	w.changes = watch.New(ctx, files, watch.Options{}).Changes()
	return w.wait()
}

// wait is a command that ends with the next save.
func (w *watcher) wait() tea.Cmd {
	changes := w.changes
	if changes == nil {
		return nil
	}
	return func() tea.Msg {
		files, open := <-changes
		if !open {
			return nil
		}
		return saved{files}
	}
}

func (w *watcher) stop() {
	if w.cancel != nil {
		w.cancel()
	}
	w.changes, w.cancel = nil, nil
}
