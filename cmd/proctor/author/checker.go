// Package author is the check that an author of exercises runs: it holds an exercise's folders, its visible probe and its
// holdouts to what they promise. Starters fail; solution and variants pass everything; each wrong solution, each impostor and
// each answer that says nothing fails something, and which; outputs that are nearly right are noticed; texts keep the voice.
// With mutants asked for, every small change of the reference is killed by a probe or justified.
//
// It runs in the parent of the instructor's command. What is wrong is in the result, in the author's words: file, line and
// reason; an error is ours, or a context that ended.
package author

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"fieldbook/cmd/proctor/examine"
	"fieldbook/exercises"
	"fieldbook/exercises/holdout"
	"fieldbook/grader/task"
)

// Checker checks exercises.
type Checker struct {
	Folders  Folders
	Engines  []Engine // the first checks everything; the others must agree with it
	Seeds    []uint64 // that cases are drawn from
	Long     bool     // leave nothing out that takes time
	Mutants  bool     // survey the mutants of the references
	Parallel int      // answers at a time
	Progress Progress // nil: nobody looks
}

// Engine executes answers.
type Engine struct {
	Name  string // "yaegi", "go"
	Tasks func(*exercises.Exercise) (*task.Task, error)
}

// Progress is told how far the check is, from several goroutines.
type Progress interface {
	Grow(steps int) // so many more things will be checked
	Step()          // one of them was
}

type silence struct{}

func (silence) Grow(int) {}
func (silence) Step()    {}

// subject is an exercise that can be read, with its holdouts.
type subject struct {
	checker  *Checker
	set      *holdout.Set
	exercise *exercises.Exercise
	bench    *examine.Bench // of the first engine
	draws    []examine.Draw
	whole    bool // the solution meets every case, so that other answers can be compared with it
}

// job makes one item.
type job struct {
	item Item
	do   func(context.Context, *Item) error
	// then goes on when do is right so far: what the other engines say. Engines that build take one program at a time, so this
	// waits without keeping others from their work; nil: nothing follows.
	then func(context.Context, *Item) error
}

// Check checks the named exercises.
func (c *Checker) Check(ctx context.Context, names []string) (Result, error) {
	begun := time.Now()
	if c.Progress == nil {
		c.Progress = silence{}
	}
	result := Result{Place: c.Folders.Place, Seeds: c.Seeds, Items: []Item{}}
	for _, e := range c.Engines {
		result.Engines = append(result.Engines, e.Name)
	}
	for _, name := range names {
		items, survey, err := c.exercise(ctx, name)
		if err != nil {
			return result, err
		}
		result.Items = append(result.Items, items...)
		if survey != nil {
			result.Mutants = append(result.Mutants, *survey)
		}
	}
	result.Elapsed = time.Since(begun)
	return result, nil
}

// exercise checks one exercise: its files, then its solution, then everything that is compared with the solution.
func (c *Checker) exercise(ctx context.Context, name string) ([]Item, *Survey, error) {
	subject, items := c.read(name)
	if subject == nil {
		return items, nil, nil
	}
	first, err := c.run(ctx, []job{subject.solution()}) // the other engines have it with the jobs below
	if err != nil {
		return nil, nil, err
	}
	items = append(items, first...)
	if !subject.whole {
		return items, nil, nil
	}
	rest, err := c.run(ctx, subject.jobs())
	if err != nil {
		return nil, nil, err
	}
	items = append(items, rest...)
	if !c.Mutants {
		return items, nil, nil
	}
	survey, item, err := subject.survey(ctx)
	return append(items, item), survey, err
}

// run does jobs, some at a time, and returns their items in the order of the jobs.
func (c *Checker) run(ctx context.Context, jobs []job) ([]Item, error) {
	c.Progress.Grow(len(jobs))
	items := make([]Item, len(jobs))
	group, ctx := errgroup.WithContext(ctx)
	slots := make(chan struct{}, max(c.Parallel, 1))
	others := make(chan struct{}, othersParallel)
	for n, j := range jobs {
		item := &items[n]
		*item = j.item
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
			return items, group.Wait()
		}
		group.Go(func() error {
			begun := time.Now()
			err := j.do(ctx, item)
			<-slots
			if err == nil && j.then != nil && len(item.Complaints) == 0 && !item.Void {
				others <- struct{}{}
				err = j.then(ctx, item)
				<-others
			}
			if err != nil {
				return fmt.Errorf("%s, %s: %w", j.item.Subject, j.item.Name, err)
			}
			item.Elapsed = time.Since(begun)
			item.close()
			c.Progress.Step()
			return nil
		})
	}
	return items, group.Wait()
}

// othersParallel is how many answers are with the other engines at a time: while one is built, another runs.
const othersParallel = 2

// job is one item of the subject.
func (s *subject) job(name string, do func(context.Context, *Item) error) job {
	return job{item: Item{Subject: s.exercise.Name, Name: name}, do: do}
}

// jobs are everything that is compared with the solution: what takes longest first, so that the end is not one long item.
func (s *subject) jobs() []job {
	var jobs []job
	if s.exercise.Crash != nil {
		jobs = append(jobs, s.job("crash matrix", s.crash))
	}
	jobs = append(jobs, s.solutionElsewhere()...)
	jobs = append(jobs, s.reference())
	for _, v := range s.set.Variants {
		jobs = append(jobs, s.right("variant "+v.Name, "variants", examine.Source(v)))
	}
	jobs = append(jobs, s.job("near misses", s.nearMisses))
	for _, f := range s.exercise.Faults {
		jobs = append(jobs, s.job("fault "+f.Name, func(ctx context.Context, i *Item) error { return s.fault(ctx, i, f) }))
	}
	for _, w := range s.set.Wrong {
		jobs = append(jobs, s.wrong("wrong solution "+w.Name, "wrong/"+w.Name+".go", examine.Source(w)))
	}
	jobs = append(jobs, s.impostors()...)
	jobs = append(jobs, s.starter())
	return append(jobs, s.generated()...)
}

// unmet is the author's mistake in an error, when it is one.
func unmet(err error) (message string, ok bool) {
	var solution *task.UnmetError
	var install *examine.UninstallableError
	switch {
	case errors.As(err, &solution):
		return solution.Error(), true
	case errors.As(err, &install):
		return install.Error(), true
	default:
		return "", false
	}
}
