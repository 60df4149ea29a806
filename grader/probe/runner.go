package probe

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"fieldbook/grader"
	"fieldbook/grader/engine"
	"fieldbook/grader/probe/worker"
	"fieldbook/grader/sandbox"
	"fieldbook/runtime/operation"
	"fieldbook/runtime/world"
)

// Runner runs prepared programs, whichever engine they are for. It is safe for concurrent use.
type Runner struct {
	Pool    *sandbox.Pool // of workers that interpret
	Require string        // sandbox level below which no built program is run; "" is any
}

// Run is one execution that is asked for.
type Run struct {
	Program *engine.Prepared
	Profile sandbox.Profile
	Limits  grader.Limits
	World   Origin
	Inputs  fs.FS    // files of scratch before the run; nil: none
	Fault   *Fault   // makes one durable operation of the probe fail; nil: none
	Learner []string // the learner's files, by their paths in the copy: a competitor waits for their calls
}

// Origin is what a world starts from, apart from its files.
type Origin struct {
	Seed    uint64
	Process int // number of this process among those that worked in the world, from 1
	Start   time.Time
	Case    map[string]world.Value
}

// Execution is how a run ended and what it left. Close removes what it left.
type Execution struct {
	Engine      string // engine.Interpreted, engine.Toolchain or engine.Both
	Note        string // what there is to say about the engine
	Outcome     grader.Outcome
	Cause, Hint string
	Crash       *grader.Crash
	Observation *world.Observation
	Fault       *operation.Entry // the operation that the run's fault refused, without its data; nil when it never came
	Output      grader.Output
	Folder      string // private copy of scratch; "" when the run had none
	Level       string
	Layers      []string
	Elapsed     time.Duration

	Operations []operation.Entry // the operation log, as far as it can be read

	rows    []Row
	replied bool // the worker's frame came
	program *engine.Prepared
}

// Close removes the private copy of the artifacts.
func (e *Execution) Close() error {
	if e.Folder == "" {
		return nil
	}
	return os.RemoveAll(e.Folder)
}

// Probe runs the probe of a program once. An error is the machine's or ours; everything that the learner's code does is in
// the Execution.
func (r *Runner) Probe(ctx context.Context, run Run) (*Execution, error) {
	message := run.request(worker.Probe)
	message.Fault = run.Fault
	return r.execute(ctx, run, message)
}

// request is what a run of a probe sends to its worker.
func (r Run) request(m worker.Mode) worker.Request {
	return worker.Request{
		Mode: m,
		Seed: r.World.Seed, Process: r.World.Process, Start: r.World.Start, Case: r.World.Case, Learner: r.Learner,
	}
}

// Table calls the program's entry once for each argument list. Rows are there only when the outcome is Observed.
func (r *Runner) Table(ctx context.Context, run Run, calls [][]world.Value) (*Execution, []Row, error) {
	execution, err := r.execute(ctx, run, worker.Request{Mode: worker.Table, Calls: calls})
	if err != nil {
		return nil, nil, err
	}
	return execution, execution.rows, nil
}

// Main runs the main function of a program once: it has no world and no observation, only output.
func (r *Runner) Main(ctx context.Context, run Run) (*Execution, error) {
	return r.execute(ctx, run, worker.Request{Mode: worker.Main})
}

func (r *Runner) execute(ctx context.Context, run Run, message worker.Request) (*Execution, error) {
	if run.Program.Other != nil {
		return r.refereed(ctx, run, message)
	}
	return r.by(ctx, run, run.Program, message)
}

// by makes a run by one engine.
func (r *Runner) by(ctx context.Context, run Run, program *engine.Prepared, message worker.Request) (*Execution, error) {
	job, err := run.job(program, message)
	if err != nil {
		return nil, err
	}
	begun := time.Now()
	pool, done, err := r.pool(program)
	if err != nil {
		return nil, err
	}
	defer done()
	log := operation.NewDecoder(sandbox.MaxLog)
	job.Log = func(piece []byte) { log.Add(piece) }
	result, err := pool.Run(ctx, job)
	if err != nil {
		return nil, fmt.Errorf("run a worker: %w", err)
	}
	defer result.Artifacts.Close()
	operations, _ := log.End() // as far as it goes: a worker that was killed may have left half an entry
	execution := &Execution{
		Engine: engine.Interpreted, Note: program.Note, program: program,
		Output: result.Stdout, Level: result.Level, Layers: result.ActiveLayers(),
		Operations: operations,
	}
	if program.Binary != "" {
		execution.Engine = engine.Toolchain
	}
	execution.classify(result, message)
	if result.LogTruncated && execution.Outcome == grader.Observed {
		execution.end(grader.OutputLimit, "The run asked the disk for more than its operation log holds (8 MiB).", "Do the work with fewer or smaller writes.")
	}
	if execution.Folder, err = copyArtifacts(result.Artifacts); err != nil {
		if spoilt := (*spoiltError)(nil); !errors.As(err, &spoilt) {
			return nil, err
		} else if execution.Outcome == grader.Observed {
			execution.end(grader.OutputLimit, spoilt.Error(), "Leave only the files that the function needs.")
		}
	}
	execution.Elapsed = time.Since(begun)
	return execution, nil
}

// pool is where a program runs. A built one is its own worker: a pool for it is cheap beside the process that it starts.
func (r *Runner) pool(program *engine.Prepared) (pool *sandbox.Pool, done func(), err error) {
	if program.Binary == "" {
		return r.Pool, func() {}, nil
	}
	pool, err = sandbox.NewPool(sandbox.Options{Command: program.Binary, Native: true, Require: r.Require})
	if err != nil {
		return nil, nil, fmt.Errorf("make a pool for a built program: %w", err)
	}
	return pool, pool.Close, nil
}
