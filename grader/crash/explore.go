package crash

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/engine"
	"fieldbook/grader/probe"
	"fieldbook/runtime/operation"
	"fieldbook/runtime/world"
)

// Runner runs a prepared program in sandboxed workers. It is a *probe.Runner, but for tests.
type Runner interface {
	Probe(ctx context.Context, run probe.Run) (*probe.Execution, error)
	Series(ctx context.Context, run probe.Run, starts []probe.Start) (executions []*probe.Execution, folder string, err error)
}

// Subject is what is explored: an exercise that declares its crashes, and the programs that it names, prepared.
type Subject struct {
	Exercise  *exercises.Exercise
	Run       probe.Run        // what all runs have in common: profile, limits, ids. Program, Inputs and Fault are not used
	Record    *engine.Prepared // the probe that makes the recorded run, with the learner's files
	Again     *engine.Prepared // the probe that runs once more from a state, with the learner's files
	Reference *engine.Prepared // the first of these with the exercise's reference
	// Stateful says that the learner's files keep something in package-level variables. Every run then has a worker of its
	// own, which takes several times as long.
	Stateful bool
}

// Explorer explores crashes. It is safe for concurrent use.
type Explorer struct {
	Runner   Runner
	Parallel int                   // runs at a time; 0 is 1
	Progress func(done, total int) // told after each part of the work, from several goroutines; nil: nobody is
	// CrashesAlone leaves out the operations that are refused, which are more than half of the work.
	CrashesAlone bool
}

// Explore records one run and explores its crashes. An error is ours, or a context that ended; what the learner's code did is
// in the matrix.
func (x *Explorer) Explore(ctx context.Context, s Subject) (*Matrix, error) {
	begun := time.Now()
	matrix, distrust, err := x.explore(ctx, s)
	if err == nil && distrust {
		// What a run does depends on what the same process did before. So each gets a process of its own.
		s.Stateful = true
		matrix, _, err = x.explore(ctx, s)
	}
	if err != nil {
		return nil, err
	}
	matrix.Elapsed = time.Since(begun)
	return matrix, nil
}

func (x *Explorer) explore(ctx context.Context, s Subject) (matrix *Matrix, distrust bool, err error) {
	temp, err := os.MkdirTemp("", "fieldbook-crash-")
	if err != nil {
		return nil, false, fmt.Errorf("make a folder for states: %w", err)
	}
	defer os.RemoveAll(temp)
	evaluator := probe.NewEvaluator()
	defer evaluator.Close()
	e := newExploration(x, s, &judge{exercise: s.Exercise, evaluator: evaluator, temp: temp})
	err = e.explore(ctx)
	return e.matrix, e.distrust.Load(), err
}

func newExploration(x *Explorer, s Subject, j *judge) *exploration {
	matrix := &Matrix{Exercise: s.Exercise.Name, Invariants: columns(s.Exercise.Crash)}
	return &exploration{explorer: x, subject: s, crash: s.Exercise.Crash, judge: j, matrix: matrix}
}

// exploration is Explore at work.
type exploration struct {
	explorer *Explorer
	subject  Subject
	crash    *exercises.Crash
	judge    *judge
	matrix   *Matrix

	recording recording
	states    []Files
	end       grader.Snapshot // what the reference leaves
	wall      time.Duration   // of one run: a run from a crashed state that takes much longer than the recorded one hangs

	limited     atomic.Int32 // runs that used up a limit
	confirmed   atomic.Int32 // bad ends in series that were looked at again
	distrust    atomic.Bool  // one of them ended well alone
	done, total atomic.Int32
}

func (e *exploration) explore(ctx context.Context) error {
	recorded, err := e.record(ctx)
	if err != nil || !recorded {
		return err
	}
	var points [][]Instance
	if points, e.states, err = explore(e.recording.base, e.recording.entries); err != nil {
		return err
	}
	if err := e.readEnds(ctx, points); err != nil {
		return err
	}
	faults := e.injections()
	e.matrix.Faults = make([]Injected, len(faults))
	e.total.Store(int32(len(e.states) + len(faults)))
	e.matrix.States = make([]State, len(e.states))
	if err := e.parallel(ctx, append(e.stateWork(), e.faultWork(faults)...)); err != nil {
		return err
	}
	e.assemble(points)
	return nil
}

// record makes the recorded run and the reference's. It reports false when there is nothing to explore, and then the matrix
// says why.
func (e *exploration) record(ctx context.Context) (bool, error) {
	run := e.subject.Run
	run.Program, run.World.Process = e.subject.Record, 1
	own, err := e.explorer.Runner.Probe(ctx, run)
	if err != nil {
		return false, err
	}
	defer own.Close()
	m := e.matrix
	m.Outcome, m.Cause, m.Hint, m.Crash = own.Outcome, own.Cause, own.Hint, own.Crash
	m.Environment.Sandbox, m.Environment.Layers, m.Environment.Elapsed.Run = own.Level, own.Layers, own.Elapsed
	m.Verdict = grader.Judge(own.Outcome, false)
	if own.Outcome != grader.Observed {
		return false, nil
	}
	if returned := e.returned(*own.Observation); returned != "" {
		m.Cause = "The recorded run ended with an error, so there is nothing to explore: " + returned + "."
		m.Hint = "Run the exercise first and look at what the function refuses."
		return false, nil
	}
	if e.recording, err = record(own.Operations, e.crash); err != nil {
		return false, fmt.Errorf("cut the recorded run: %w", err)
	}
	m.Operations = e.recording.operations
	for i := range m.Operations {
		op := &m.Operations[i]
		op.Yours = slices.ContainsFunc(e.subject.Exercise.Replaces, func(r exercises.Replaced) bool { return r.File == op.File })
	}
	// Milliseconds on a machine that is free; a machine that is not must not turn a slow run into one that hangs.
	const least = 5 * time.Second
	e.wall = max(50*own.Elapsed, least)
	if limit := run.Limits.Wall; limit > 0 {
		e.wall = min(e.wall, limit)
	}

	run.Program = e.subject.Reference
	reference, err := e.explorer.Runner.Probe(ctx, run)
	if err != nil {
		return false, err
	}
	defer reference.Close()
	if reference.Outcome != grader.Observed || e.returned(*reference.Observation) != "" {
		return false, fmt.Errorf("the reference of %s does not end well in its recorded run: %s %s", m.Exercise, reference.Outcome, reference.Cause)
	}
	if e.end, err = probe.ReadSnapshot(ctx, reference.Folder); err != nil {
		return false, fmt.Errorf("read what the reference of %s leaves: %w", m.Exercise, err)
	}
	return true, nil
}

// returned is the error that the learner's function returned, as the probe observed it; "" for none.
func (e *exploration) returned(o world.Observation) string {
	value := o.Value(e.crash.Returned.Field)
	if value.Equal(e.crash.Returned.Value) {
		return ""
	}
	if text, ok := value.AsString(); ok && text != "" {
		return value.String()
	}
	return e.crash.Returned.Field + " is " + value.String()
}

// readEnds reads the first and the last state: what the values are before and after.
func (e *exploration) readEnds(ctx context.Context, points [][]Instance) (err error) {
	j := e.judge
	j.base = e.states[points[0][0].State]
	if j.before, err = j.read(ctx, j.base); err != nil {
		return fmt.Errorf("read the files before the call: %w", err)
	}
	if j.after, err = j.read(ctx, e.states[points[len(points)-1][0].State]); err != nil {
		return fmt.Errorf("read the files after the call: %w", err)
	}
	j.known = ids(j.base, j.before)
	e.end = disguise(e.end, j.known)
	return nil
}

// ids are the identities that occur in a state.
func ids(state Files, r reading) map[string]bool {
	var s grader.Snapshot
	for _, db := range r.databases {
		s.Databases = append(s.Databases, db)
	}
	for _, data := range state.data {
		if len(data) <= 64 {
			s.Files = append(s.Files, grader.FileSnapshot{Text: string(data)})
		}
	}
	for _, value := range r.values {
		text, _ := value.AsString()
		s.Files = append(s.Files, grader.FileSnapshot{Text: text})
	}
	return probe.IDs(s)
}

// stateWork judges every distinct state, some of them in one piece of work.
func (e *exploration) stateWork() []work {
	var all []work
	for _, batch := range e.batches(e.states) {
		all = append(all, func(ctx context.Context) error {
			var attempts []*attempt
			for _, i := range batch {
				found, known, err := e.look(ctx, e.states[i])
				if err != nil {
					return err
				}
				e.matrix.States[i] = found
				tree, err := e.states[i].Tree()
				if err != nil {
					return err
				}
				attempts = append(attempts, &attempt{
					start: probe.Start{Process: 2, Files: tree},
					judge: func(ctx context.Context, end ending) (bool, error) {
						return e.rerun(ctx, &e.matrix.States[i], known, end)
					},
				})
			}
			defer e.progress(len(batch))
			return e.attempt(ctx, e.subject.Again, attempts)
		})
	}
	return all
}

// look judges a state by the invariants that the parent reads, and leaves room for the others.
func (e *exploration) look(ctx context.Context, state Files) (State, map[string]bool, error) {
	r, err := e.judge.read(ctx, state)
	if err != nil {
		return State{}, nil, err
	}
	findings, err := e.judge.findings(ctx, state, r)
	if err != nil {
		return State{}, nil, err
	}
	found := State{Facts: e.judge.facts(state, r)}
	for _, v := range e.crash.Invariants {
		found.Findings = append(found.Findings, findings[v.ID])
	}
	known := ids(state, r)
	maps.Copy(known, e.judge.known)
	return found, known, nil
}

// rerun judges a state by how a run from it ended. It reports whether every invariant holds that asks for one.
func (e *exploration) rerun(ctx context.Context, state *State, known map[string]bool, end ending) (good bool, err error) {
	good = true
	for i, v := range e.crash.Invariants {
		if !v.Again {
			continue
		}
		if state.Findings[i], err = e.again(ctx, v, known, end); err != nil {
			return false, err
		}
		good = good && state.Findings[i].Verdict == Holds
	}
	return good, nil
}

func (e *exploration) again(ctx context.Context, v exercises.Invariant, known map[string]bool, end ending) (Finding, error) {
	if end.observation == nil {
		return Finding{Broken, end.cause}, nil
	}
	if v.Holds != "" {
		left, err := operation.ReadTree(end.folder)
		if err != nil {
			return Finding{Broken, err.Error()}, nil //nolint:nilerr // what the run left, not our failure
		}
		r, err := e.judge.read(ctx, filesOf(left))
		if err != nil {
			return Finding{}, err
		}
		return e.judge.holds(ctx, v.Holds, r)
	}
	if returned := e.returned(*end.observation); returned != "" {
		return Finding{Broken, "the function returned an error: " + returned}, nil
	}
	difference, err := e.difference(ctx, known, end.folder)
	if err != nil || difference == "" {
		return Finding{Verdict: Holds}, err
	}
	return Finding{Broken, difference}, nil
}

// difference is the first place in which the world in folder is not the one that the reference leaves; "" for none.
func (e *exploration) difference(ctx context.Context, known map[string]bool, folder string) (string, error) {
	snapshot, err := probe.ReadSnapshot(ctx, folder)
	unread := ""
	if err := unreadable(err, func(cause error) { unread = cause.Error() }); err != nil {
		return "", fmt.Errorf("read what a run left: %w", err)
	}
	if unread != "" {
		return unread, nil
	}
	comparison := probe.Comparison{Known: known, Events: e.subject.Exercise.Events, Contents: true}
	for _, d := range comparison.Compare(masked(e.end, known), masked(snapshot, known)) {
		return d.String(), nil
	}
	return "", nil
}

// assemble makes points and rows of what was found.
func (e *exploration) assemble(points [][]Instance) {
	m := e.matrix
	disk := NewDisk(e.recording.base)
	number := map[int]int{}
	for i, instances := range points {
		if i > 0 {
			number[e.recording.entries[i-1].Seq] = i
			_ = disk.Apply(e.recording.entries[i-1]) // it was applied before, when the states were built
		}
		p := Point{After: i, Instances: instances, Cells: m.cells(instances)}
		_, pending := disk.files(Killed, nil, nil)
		for _, name := range sortedKeys(pending) {
			p.Unsynced = append(p.Unsynced, Unsynced{Path: name, First: number[pending[name].pending[0].Seq]})
		}
		m.Points = append(m.Points, p)
		m.Explored += len(instances)
	}
	m.Rows = rows(e.crash, m.Operations, m.Points)
	m.Verdict = grader.Judge(m.Outcome, m.Holds())
}

// work is a part of the exploration that can be done beside others.
type work func(ctx context.Context) error

// parallel does all work, some of it at a time. The first error ends it.
func (e *exploration) parallel(ctx context.Context, all []work) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int32
	var group sync.WaitGroup
	for range max(e.explorer.Parallel, 1) {
		group.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(all) {
					return
				}
				if err := all[i](ctx); err != nil {
					cancel(err)
				}
			}
		})
	}
	group.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

func (e *exploration) progress(n int) {
	done := e.done.Add(int32(n))
	if e.explorer.Progress != nil {
		e.explorer.Progress(int(done), int(e.total.Load()))
	}
}
