package probe

import (
	"fieldbook/grader/sandbox"
	"fieldbook/runtime/operation"
)

// follower reads the operation log of a run while the worker writes it, and makes the world again beside it.
type follower struct {
	decoder *operation.Decoder
	world   rebuilding
}

func follow() *follower { return &follower{decoder: operation.NewDecoder(sandbox.MaxLog)} }

// add reads a piece of the log.
func (f *follower) add(piece []byte) { f.world.add(f.decoder.Add(piece)) }

// operations is the log as far as it goes: a worker that was killed may have left half an entry.
func (f *follower) operations() []operation.Entry {
	entries, _ := f.decoder.End()
	return entries
}
