package crash

import (
	"fmt"

	"fieldbook/exercises"
	"fieldbook/runtime/operation"
)

// recording is the operation log of a run, cut at the marks between which operations count.
type recording struct {
	base       *operation.Tree   // the files at the first mark
	operations []Operation       // those that were done, between the marks
	ordinals   []int             // of each operation: its number among all that were asked for, failing ones too
	entries    []operation.Entry // of the operations
}

// record cuts a log. A log without the marks, or one whose operations do not follow from each other, is an error: the probe
// is the author's, and the log is written by our own code.
func record(log []operation.Entry, crash *exercises.Crash) (recording, error) {
	r := recording{base: operation.NewTree()}
	calls := map[int]operation.Entry{}
	from, to, asked := false, false, 0
	for _, e := range log {
		switch {
		case e.Kind == operation.Call:
			calls[e.Seq] = e
		case e.Kind == operation.Mark && e.Name == crash.From:
			from = true
		case e.Kind == operation.Mark && e.Name == crash.To && from:
			to = true
		case !e.Kind.Durable() || to:
		case !from:
			if err := r.base.Apply(e); err != nil {
				return r, fmt.Errorf("rebuild the files at %q: %w", crash.From, err)
			}
		default:
			asked++
			if e.Err == "" || e.Kind == operation.Write && len(e.Data) > 0 {
				r.add(e, calls[e.Call], asked)
			}
		}
	}
	if !from || !to {
		return r, fmt.Errorf("the operation log has no marks %q and %q", crash.From, crash.To)
	}
	return r, nil
}

func (r *recording) add(e, call operation.Entry, ordinal int) {
	r.entries = append(r.entries, e)
	r.ordinals = append(r.ordinals, ordinal)
	r.operations = append(r.operations, Operation{
		Number: len(r.operations) + 1, Kind: e.Kind, Path: e.Path, To: e.To, Bytes: len(e.Data),
		Call: call.Name, Detail: call.Detail, File: call.File, Line: call.Line,
		entry: e, call: call,
	})
}
