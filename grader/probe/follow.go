package probe

import (
	"context"

	"fieldbook/grader"
	"fieldbook/grader/sandbox"
	"fieldbook/runtime/operation"
)

// follower reads the operation log of a run while the worker writes it.
type follower struct {
	decoder *operation.Decoder
	worlds  *rebuilding // nil when nobody wants the worlds at the marks
}

func (r Run) follow(ctx context.Context) *follower {
	f := &follower{decoder: operation.NewDecoder(sandbox.MaxLog)}
	if r.Snapshots != nil {
		f.worlds = newRebuilding(ctx, r.Snapshots)
	}
	return f
}

// add reads a piece of the log.
func (f *follower) add(piece []byte) {
	entries := f.decoder.Add(piece)
	if f.worlds != nil {
		f.worlds.add(entries)
	}
}

// operations is the log as far as it goes: a worker that was killed may have left half an entry.
func (f *follower) operations() []operation.Entry {
	entries, _ := f.decoder.End()
	return entries
}

// stages waits for the worlds.
func (f *follower) stages() ([]grader.Stage, error) {
	if f == nil || f.worlds == nil {
		return nil, nil
	}
	return f.worlds.stages()
}
