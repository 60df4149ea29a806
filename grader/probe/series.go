package probe

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"fieldbook/grader"
	"fieldbook/grader/probe/worker"
	"fieldbook/grader/sandbox"
	"fieldbook/runtime/operation"
)

// Start is where one run of a series begins.
type Start struct {
	Process int
	Files   *operation.Tree // of its world; nil: none
	Fault   *Fault          // nil: none
}

// Series runs the probe of a program once in each of several worlds, one after another in one worker: most of what a single
// run takes is the worker's start and the program's compilation. Each world has a folder and ids of its own, and no operation
// log; run says what they have in common, and its Inputs, Fault and Process are not used. What a program keeps in package-level
// variables, and a goroutine that is still running, can live on from the world before: a series is for programs that keep
// nothing there.
//
// An execution is nil where a run in a series can tell nothing, and has to be made alone: all are when the worker as a whole
// ended badly. The caller removes the folder that it gets, which holds those of all executions, and closes none of them.
func (r *Runner) Series(ctx context.Context, run Run, starts []Start) (executions []*Execution, folder string, err error) {
	if run.Program.Binary != "" {
		return make([]*Execution, len(starts)), "", nil // its packages are initialised once a process
	}
	message := run.request(worker.Series)
	var files []*operation.Tree
	for _, s := range starts {
		message.Starts = append(message.Starts, worker.Start{Process: s.Process, Fault: s.Fault})
		files = append(files, s.Files)
	}
	job, err := run.job(run.Program, message)
	if err != nil {
		return nil, "", err
	}
	if job.Limits.Wall == 0 {
		job.Limits.Wall = sandbox.DefaultLimits().Wall
	}
	job.Limits.Wall += time.Duration(len(starts)) * seriesStep
	job.Inputs = inputs(files)
	result, err := r.Pool.Run(ctx, job)
	if err != nil {
		return nil, "", fmt.Errorf("run a worker: %w", err)
	}
	defer result.Artifacts.Close()
	unknown := make([]*Execution, len(starts))
	if result.Outcome != grader.Observed {
		return unknown, "", nil
	}
	answer, err := decodeReply(result.Reply)
	if err != nil || len(answer.Series) != len(starts) {
		return unknown, "", nil
	}
	folder, err = copyArtifacts(result.Artifacts)
	if spoilt := (*spoiltError)(nil); errors.As(err, &spoilt) {
		return unknown, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	for i, one := range answer.Series {
		execution := &Execution{Outcome: grader.Observed, Level: result.Level, Layers: result.ActiveLayers()}
		execution.take(one, worker.Probe)
		execution.Folder = filepath.Join(folder, strconv.Itoa(i))
		if _, err := os.Stat(execution.Folder); err != nil || one.Unfinished {
			execution = nil // which of the runs got there is not known
		}
		executions = append(executions, execution)
	}
	return executions, folder, nil
}

// seriesStep is how much longer a worker may take for each world. It bounds how long a series that hangs holds things up.
const seriesStep = 500 * time.Millisecond
