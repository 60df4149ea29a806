// Package examine runs the holdouts of one exercise on answers: the cases of a file at the same time, in the workers of a
// pool, with results in the order of the set whatever the order in which they arrive. What the author's solution leaves in a
// case is computed once for each draw of its parameters. A case that fails is made smaller until it is as plain as it can be
// and still fails.
//
// It runs in the parent and belongs to the instructor's command: results name cases and what they expect.
package examine

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"fieldbook/exercises/holdout"
	"fieldbook/grader"
	"fieldbook/grader/task"
	"fieldbook/runtime/world"
)

// Bench runs the cases of one set. It is safe for concurrent use.
type Bench struct {
	set      *holdout.Set
	tasks    Tasks
	parallel int

	mu         sync.Mutex
	solution   *task.Examination
	references map[string]*reference // by case and values
}

// Tasks makes a task for the set's exercise.
type Tasks func() (*task.Task, error)

// New makes a bench that runs at most parallel cases of a file at a time.
func New(set *holdout.Set, tasks Tasks, parallel int) *Bench {
	return &Bench{set: set, tasks: tasks, parallel: max(parallel, 1), references: map[string]*reference{}}
}

// Draw is one case under one seed.
type Draw struct {
	Case   holdout.Case
	Seed   uint64
	Values map[string]world.Value
}

// Draws are all cases of a set under each of the seeds: by case, then by seed.
func Draws(set *holdout.Set, seeds []uint64) []Draw {
	var all []Draw
	for _, c := range set.Cases {
		for _, seed := range seeds {
			all = append(all, Draw{Case: c, Seed: seed, Values: c.Draw(seed)})
		}
	}
	return all
}

func (d Draw) task() task.Case {
	return task.Case{
		Name: d.Case.Name, Probe: d.Case.Probe, Seed: d.Seed, Values: d.Values,
		Want: d.Case.Expectation, World: d.Case.Compare == holdout.World, Log: d.Case.Log, Calls: d.Case.With(d.Values),
	}
}

// key tells draws apart.
func (d Draw) key() string {
	var key strings.Builder
	fmt.Fprintf(&key, "%s\x00%d", d.Case.Name, d.Seed)
	for _, p := range d.Case.Parameters {
		fmt.Fprintf(&key, "\x00%s=%s %s", p.Name, d.Values[p.Name].Kind(), d.Values[p.Name])
	}
	return key.String()
}

// Outcome is how an answer met one draw.
type Outcome struct {
	Draw Draw
	task.CaseResult
}

// Examination is an answer that is installed.
type Examination struct {
	bench   *Bench
	inner   *task.Examination
	visible task.Case // of Together
}

// Examine begins the examination of what a task has installed.
func (b *Bench) Examine(t *task.Task) *Examination {
	return &Examination{bench: b, inner: t.Examine()}
}

// Together begins the examination of a file that is not installed, with one program for the probes of the given draws and
// the visible one.
func (b *Bench) Together(t *task.Task, source task.Source, draws []Draw) (*Examination, error) {
	visible, err := t.VisibleCase()
	if err != nil {
		return nil, err
	}
	probes := [][]byte{visible.Probe}
	for _, d := range draws {
		if !slices.ContainsFunc(probes, func(p []byte) bool { return bytes.Equal(p, d.Case.Probe) }) {
			probes = append(probes, d.Case.Probe)
		}
	}
	inner, err := t.Together(probes, source)
	return &Examination{bench: b, inner: inner, visible: visible}, err
}

// Visible meets the answer of Together with the visible probe, in one execution.
func (x *Examination) Visible(ctx context.Context) (task.CaseResult, error) {
	return x.inner.Once(ctx, x.visible, nil)
}

// Run meets the answer with draws, each of them twice, and returns the outcomes in the order of the draws. done is told after
// each, from several goroutines; it may be nil. An error is ours, the author's, or a context that ended.
func (x *Examination) Run(ctx context.Context, draws []Draw, done func()) ([]Outcome, error) {
	outcomes := make([]Outcome, len(draws))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(x.bench.parallel)
	for i, d := range draws {
		group.Go(func() (err error) {
			outcomes[i], err = x.Twice(ctx, d)
			if done != nil {
				done()
			}
			return err
		})
	}
	return outcomes, group.Wait()
}

// Twice meets the answer with a draw in two executions.
func (x *Examination) Twice(ctx context.Context, d Draw) (Outcome, error) {
	return x.meet(ctx, d, x.inner.Case)
}

// Once meets the answer with a draw in one execution.
func (x *Examination) Once(ctx context.Context, d Draw) (Outcome, error) {
	return x.meet(ctx, d, x.inner.Once)
}

// NearMisses asks of a right answer which outputs that are nearly right its case would not notice.
func (x *Examination) NearMisses(ctx context.Context, d Draw) (missed []string, tried int, err error) {
	reference, err := x.bench.reference(ctx, d)
	if err != nil {
		return nil, 0, err
	}
	return x.inner.NearMisses(ctx, d.task(), reference)
}

type execute func(context.Context, task.Case, *task.Reference) (task.CaseResult, error)

func (x *Examination) meet(ctx context.Context, d Draw, execute execute) (Outcome, error) {
	outcome := Outcome{Draw: d}
	reference, err := x.bench.reference(ctx, d)
	if err != nil {
		return outcome, err
	}
	outcome.CaseResult, err = execute(ctx, d.task(), reference)
	return outcome, err
}

// reference is what the solution leaves in a draw, computed at its first use.
type reference struct {
	mu    sync.Mutex
	value *task.Reference
}

func (b *Bench) reference(ctx context.Context, d Draw) (*task.Reference, error) {
	key := d.key()
	b.mu.Lock()
	r := b.references[key]
	if r == nil {
		r = &reference{}
		b.references[key] = r
	}
	b.mu.Unlock()

	r.mu.Lock()
	defer r.mu.Unlock()
	if r.value != nil {
		return r.value, nil
	}
	solution, err := b.examineSolution(ctx)
	if err != nil {
		return nil, err
	}
	r.value, err = solution.Reference(ctx, d.task())
	return r.value, err
}

// examineSolution installs the author's solution at its first use.
func (b *Bench) examineSolution(ctx context.Context) (*task.Examination, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.solution != nil {
		return b.solution, nil
	}
	t, err := b.tasks()
	if err != nil {
		return nil, err
	}
	report, err := t.Install(ctx, Source(b.set.Solution))
	if err != nil {
		return nil, err
	}
	if report.Outcome != "" {
		return nil, &UninstallableError{Exercise: b.set.Exercise.Name, Report: report}
	}
	b.solution = t.Examine()
	return b.solution, nil
}

// UninstallableError says that the author's solution does not install.
type UninstallableError struct {
	Exercise string
	Report   grader.Report
}

func (e *UninstallableError) Error() string {
	message := fmt.Sprintf("the solution of %s does not install: %s", e.Exercise, e.Report.Outcome)
	if len(e.Report.Diagnostics) > 0 {
		message += ": " + e.Report.Diagnostics[0].String()
	}
	return message
}

// Source is a candidate as a task installs it.
func Source(c holdout.Candidate) task.Source {
	return task.Source{Path: c.File, Name: c.Name + ".go", Text: c.Text}
}

// Failing are the outcomes that are no pass, in their order.
func Failing(outcomes []Outcome) []Outcome {
	return slices.DeleteFunc(slices.Clone(outcomes), func(o Outcome) bool { return o.Verdict == grader.Pass })
}
