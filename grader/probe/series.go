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
	"fieldbook/runtime/world"
)

// Start is where one run of a series begins.
type Start struct {
	Process int
	Files   *operation.Tree // of its world; nil: none
	Fault   *Fault          // nil: none
}

// Ended is what one run of a series left.
type Ended struct {
	Observation world.Observation
	Fault       *operation.Entry // the operation that the fault refused, nil when it never came
	Folder      string           // private copy of its world
}

// Series runs the probe of a program once in each of several worlds, one after another in one worker: most of what a single
// run takes is the worker's start and the program's compilation. Each world has a folder, an operation log and ids of its
// own, and run says what they have in common; its Inputs, Fault and Process are not used. Package-level variables are
// initialised for each world, but a variable without initial value, and a goroutine that is still running, lives on from the
// world before. So a series is for programs that keep nothing there, and what it shows of a failure counts for nothing: an
// entry is nil where the run did not end with an observation, and is to be run alone. No entry is there at all when the
// worker as a whole ended badly.
//
// The caller removes the folder that it gets, which holds those of all entries.
func (r *Runner) Series(ctx context.Context, run Run, starts []Start) (ended []*Ended, folder string, err error) {
	message := run.request(worker.Series)
	var files []*operation.Tree
	for _, s := range starts {
		message.Starts = append(message.Starts, worker.Start{Process: s.Process, Fault: s.Fault})
		files = append(files, s.Files)
	}
	data, err := encodeRequest(run, message)
	if err != nil {
		return nil, "", err
	}
	limits := run.Limits
	if limits.Wall == 0 {
		limits.Wall = sandbox.DefaultLimits().Wall
	}
	limits.Wall += time.Duration(len(starts)) * seriesStep
	result, err := r.Pool.Run(ctx, sandbox.Job{Request: data, Profile: run.Profile, Limits: limits, Inputs: inputs(files)})
	if err != nil {
		return nil, "", fmt.Errorf("run a worker: %w", err)
	}
	defer result.Artifacts.Close()
	if result.Outcome != grader.Observed {
		return make([]*Ended, len(starts)), "", nil
	}
	answer, err := decodeReply(result.Reply)
	if err != nil || len(answer.Series) != len(starts) {
		return make([]*Ended, len(starts)), "", nil //nolint:nilerr // the worker's frame, not our failure
	}
	if folder, err = copyArtifacts(result.Artifacts); err != nil {
		if spoilt := (*spoiltError)(nil); errors.As(err, &spoilt) {
			return make([]*Ended, len(starts)), "", nil
		}
		return nil, "", err
	}
	for i, one := range answer.Series {
		place := filepath.Join(folder, strconv.Itoa(i))
		if _, err := os.Stat(place); err != nil || one.Observation == nil {
			ended = append(ended, nil)
			continue
		}
		ended = append(ended, &Ended{Observation: *one.Observation, Fault: one.Fault, Folder: place})
	}
	return ended, folder, nil
}

// seriesStep is how much longer a worker may take for each world. It bounds how long a series that hangs holds things up.
const seriesStep = 500 * time.Millisecond
