package crash

import (
	"context"
	"fmt"

	"fieldbook/grader/probe"
	"fieldbook/runtime/operation"
)

// injection is one operation of the recorded run that is refused in a run of its own.
type injection struct {
	index   int // in the matrix's list
	fault   probe.Fault
	outcome *Injected
	left    Files           // what the run left
	known   map[string]bool // ids in it
	found   State
}

// injections lists what is refused: every operation that needs space finds none, every write is torn, every sync fails. A
// removal needs no space.
func (e *exploration) injections() []*injection {
	var list []*injection
	if e.explorer.CrashesAlone {
		return nil
	}
	add := func(i int, kind probe.FaultKind) {
		list = append(list, &injection{index: len(list), fault: probe.Fault{
			After: e.crash.From, Before: e.crash.To, Operation: e.recording.ordinals[i], Kind: kind,
		}})
	}
	for i, op := range e.matrix.Operations {
		switch op.Kind {
		case operation.Remove:
		case operation.Sync, operation.SyncFolder:
			add(i, probe.FailedSync)
		case operation.Write:
			add(i, probe.NoSpace)
			add(i, probe.TornWrite)
		default:
			add(i, probe.NoSpace)
		}
	}
	return list
}

// faultWork runs every injection, and then once more from what it left.
func (e *exploration) faultWork(list []*injection) []work {
	number := map[int]int{}
	for i, ordinal := range e.recording.ordinals {
		number[ordinal] = i + 1
	}
	end := e.states[len(e.states)-1] // about as large as what a run leaves
	sizes := make([]Files, len(list))
	for i, one := range list {
		sizes[i] = end
		one.outcome = &e.matrix.Faults[i]
		*one.outcome = Injected{Operation: number[one.fault.Operation], Kind: one.fault.Kind}
	}
	var all []work
	for _, batch := range e.batches(sizes) {
		all = append(all, func(ctx context.Context) error {
			defer e.progress(len(batch))
			var attempts, again []*attempt
			for _, i := range batch {
				attempts = append(attempts, e.injected(list[i]))
			}
			if err := e.attempt(ctx, e.subject.Record, attempts); err != nil {
				return err
			}
			for _, i := range batch {
				one := list[i]
				if one.found.Findings == nil {
					continue
				}
				next, err := e.after(one)
				if err != nil {
					return err
				}
				again = append(again, next)
			}
			if err := e.attempt(ctx, e.subject.Again, again); err != nil {
				return err
			}
			for _, i := range batch {
				e.blame(list[i])
			}
			return nil
		})
	}
	return all
}

// injected is the run in which an operation is refused.
func (e *exploration) injected(one *injection) *attempt {
	return &attempt{
		start: probe.Start{Process: 1, Fault: &one.fault},
		// What a failed sync costs shows in a power loss, which is worked out from the run's operation log.
		alone: one.fault.Kind == probe.FailedSync,
		judge: func(ctx context.Context, end ending) (bool, error) { return e.judgeInjected(ctx, one, end) },
	}
}

func (e *exploration) judgeInjected(ctx context.Context, one *injection, end ending) (good bool, err error) {
	outcome := one.outcome
	one.found = State{}
	outcome.Reached, outcome.Returned, outcome.Broken = end.fault != nil, "", nil
	if end.observation == nil && end.folder == "" {
		outcome.Reached = true
		outcome.Broken = []Breach{{Reason: end.cause}}
		return false, nil
	}
	if !outcome.Reached {
		return end.observation != nil, nil
	}
	left, err := operation.ReadTree(end.folder)
	if err != nil {
		outcome.Broken = []Breach{{Reason: err.Error()}}
		return false, nil //nolint:nilerr // what the run left, not our failure
	}
	one.left = filesOf(left)
	if one.found, one.known, err = e.look(ctx, one.left); err != nil {
		return false, err
	}
	if err := e.complete(ctx, outcome, end); err != nil {
		return false, err
	}
	if err := e.lost(ctx, outcome, end.operations); err != nil {
		return false, err
	}
	good = len(outcome.Broken) == 0
	for i, v := range e.crash.Invariants {
		good = good && (v.Again || one.found.Findings[i].Verdict == Holds)
	}
	return good, nil
}

// complete holds the rule: an error comes back, or the complete end state is there.
func (e *exploration) complete(ctx context.Context, outcome *Injected, end ending) error {
	if end.observation == nil {
		outcome.Broken = append(outcome.Broken, Breach{Reason: end.cause})
		return nil
	}
	if outcome.Returned = e.returned(*end.observation); outcome.Returned != "" {
		return nil
	}
	difference, err := e.difference(ctx, e.judge.known, end.folder)
	if difference != "" {
		outcome.Broken = append(outcome.Broken, Breach{Reason: "no error came back, and the end is not complete: " + difference})
	}
	return err
}

// lost judges what a power loss leaves after a sync has failed and the function has returned.
func (e *exploration) lost(ctx context.Context, outcome *Injected, log []operation.Entry) error {
	if outcome.Kind != probe.FailedSync || len(log) == 0 {
		return nil
	}
	r, err := record(log, e.crash)
	if err != nil {
		return nil //nolint:nilerr // the run did not come to its second mark, which the rule above says
	}
	disk := NewDisk(r.base)
	for _, entry := range r.entries {
		if err := disk.Apply(entry); err != nil {
			return fmt.Errorf("rebuild the disk after a failed sync: %w", err)
		}
	}
	found, _, err := e.look(ctx, disk.Files(Lost))
	if err != nil {
		return err
	}
	for i, v := range e.crash.Invariants {
		if f := found.Findings[i]; !v.Again && f.Verdict != Holds {
			outcome.Broken = append(outcome.Broken, Breach{Invariant: v.ID, Model: Lost, Reason: f.Reason})
		}
	}
	return nil
}

// after is the run once more from what an injection left.
func (e *exploration) after(one *injection) (*attempt, error) {
	tree, err := one.left.Tree()
	if err != nil {
		return nil, err
	}
	return &attempt{
		start: probe.Start{Process: 2, Files: tree},
		judge: func(ctx context.Context, end ending) (bool, error) { return e.rerun(ctx, &one.found, one.known, end) },
	}, nil
}

// blame adds the invariants that do not hold in what an injection left.
func (e *exploration) blame(one *injection) {
	for i, f := range one.found.Findings {
		if f.Verdict == Broken || f.Verdict == Unread {
			one.outcome.Broken = append(one.outcome.Broken, Breach{Invariant: e.crash.Invariants[i].ID, Reason: f.Reason})
		}
	}
}
