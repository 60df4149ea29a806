package crash

import (
	"context"
	"fmt"
	"os"

	"fieldbook/grader"
	"fieldbook/grader/engine"
	"fieldbook/grader/probe"
	"fieldbook/grader/sandbox"
	"fieldbook/runtime/operation"
	"fieldbook/runtime/world"
)

// attempt is one run that is wanted, and what is made of its end.
type attempt struct {
	start probe.Start
	alone bool // it needs a worker of its own: its operation log is looked at
	// judge is told how the run ended and says whether that is as it should be. It can be told twice, and then the second
	// time counts: some of what goes wrong in a series is run again alone.
	judge func(ctx context.Context, end ending) (good bool, err error)
}

// ending is how a run ended.
type ending struct {
	observation *world.Observation // nil: it did not come to its end, and cause says why
	cause       string
	folder      string            // private copy of what it left; "" for nothing
	fault       *operation.Entry  // the operation that was refused
	operations  []operation.Entry // of a run alone
}

// maxLimited is how many runs may use up a limit before the others are no longer made: a function that hangs after a crash
// would hang after every one.
const maxLimited = 2

// maxConfirmed is how many bad ends in series are looked at again with a worker of their own. When those all agree, the
// others are believed too; a single one that does not sets distrust, and then nothing of a series counts.
const maxConfirmed = 6

// attempt makes all the runs: in one worker, and some that did not end well there once more alone.
func (e *exploration) attempt(ctx context.Context, program *engine.Prepared, attempts []*attempt) error {
	run := e.subject.Run
	run.Program = program
	var series, alone []*attempt
	for _, a := range attempts {
		if e.subject.Stateful || a.alone {
			alone = append(alone, a)
		} else {
			series = append(series, a)
		}
	}
	unknown, err := e.series(ctx, run, series)
	if err != nil {
		return err
	}
	for _, a := range append(alone, unknown...) {
		if _, err := e.single(ctx, run, a); err != nil {
			return err
		}
	}
	return nil
}

// series makes runs in one worker and returns those of which nothing is known after that.
func (e *exploration) series(ctx context.Context, run probe.Run, attempts []*attempt) (unknown []*attempt, err error) {
	if len(attempts) < 2 || e.limited.Load() >= maxLimited {
		return attempts, nil
	}
	var starts []probe.Start
	for _, a := range attempts {
		starts = append(starts, a.start)
	}
	run.Limits.Wall = e.wall
	executions, folder, err := e.explorer.Runner.Series(ctx, run, starts)
	if err != nil {
		return nil, err
	}
	if folder != "" {
		defer os.RemoveAll(folder)
	}
	for i, execution := range executions {
		if execution == nil {
			unknown = append(unknown, attempts[i])
			continue
		}
		good, err := attempts[i].judge(ctx, endingOf(execution))
		if err != nil {
			return nil, err
		}
		if !good && e.confirmed.Add(1) <= maxConfirmed {
			if good, err = e.single(ctx, run, attempts[i]); err != nil {
				return nil, err
			}
			if good {
				e.distrust.Store(true)
			}
		}
	}
	return unknown, nil
}

// single makes one run in a worker of its own.
func (e *exploration) single(ctx context.Context, run probe.Run, a *attempt) (good bool, err error) {
	if e.limited.Load() >= maxLimited {
		return a.judge(ctx, ending{cause: "not run: the runs before it used up their time or memory"})
	}
	run.World.Process, run.Fault = a.start.Process, a.start.Fault
	run.Inputs = probe.FS(a.start.Files)
	run.Limits.Wall = e.wall
	execution, err := e.explorer.Runner.Probe(ctx, run)
	if err != nil {
		return false, err
	}
	defer execution.Close()
	switch grader.Judge(execution.Outcome, true) {
	case grader.Limit:
		e.limited.Add(1)
	case grader.Void:
		return false, fmt.Errorf("run a program again: %s: %s", execution.Outcome, execution.Cause)
	}
	return a.judge(ctx, endingOf(execution))
}

func endingOf(execution *probe.Execution) ending {
	end := ending{cause: execution.Cause, folder: execution.Folder, fault: execution.Fault, operations: execution.Operations}
	if execution.Outcome == grader.Observed {
		end.observation = execution.Observation
	}
	return end
}

// Bounds of a series: a worker's scratch holds its worlds, and what is left of them is taken in one piece.
const (
	seriesLength = 12
	seriesGrowth = 6 // a run can multiply the files of its world: a copy, an image, a log
)

// batches groups states, by their indexes, into series.
func (e *exploration) batches(states []Files) [][]int {
	disk := e.subject.Run.Limits.Disk
	if disk == 0 {
		disk = sandbox.DefaultLimits().Disk
	}
	var batches [][]int
	var size int64
	for i, s := range states {
		own := seriesGrowth * s.size()
		last := len(batches) - 1
		if last < 0 || len(batches[last]) == seriesLength || size+own > disk {
			batches, size = append(batches, nil), 0
			last++
		}
		batches[last] = append(batches[last], i)
		size += own
	}
	return batches
}
