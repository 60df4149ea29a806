package author

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"fieldbook/cmd/proctor/examine"
	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/task"
	teaching "fieldbook/runtime"
)

// solution is the author's own answer: it must pass before anything can be compared with it.
func (s *subject) solution() job {
	c := s.set.Solution
	file := path.Join(holdoutName, s.exercise.Name, "solution", c.Name+".go")
	return s.job("solution", func(ctx context.Context, i *Item) error {
		t, err := s.passesVisibly(ctx, s.checker.Engines[0], file, examine.Source(c), i)
		if err != nil || t == nil {
			return err
		}
		defer t.Close()
		outcomes, err := s.bench.Examine(t).Run(ctx, s.draws, nil)
		if message, mistake := unmet(err); mistake {
			i.complain(path.Join(holdoutName, s.exercise.Name, casesName), 0, "%s", message)
			explain(i, err)
			return nil
		}
		if err != nil {
			return err
		}
		i.holdouts(file, outcomes)
		s.whole = len(i.Complaints) == 0 && !i.Void
		return nil
	})
}

// solutionElsewhere is the solution with the other engines.
func (s *subject) solutionElsewhere() []job {
	if len(s.checker.Engines) < 2 {
		return nil
	}
	c := s.set.Solution
	file := path.Join(holdoutName, s.exercise.Name, "solution", c.Name+".go")
	j := s.job("solution in every engine", func(context.Context, *Item) error { return nil })
	j.item.Saw = "passes"
	j.then = func(ctx context.Context, i *Item) error { return s.agrees(ctx, file, examine.Source(c), i) }
	return []job{j}
}

// explain adds what the solution observed in the case that it does not meet.
func explain(i *Item, err error) {
	var unmet *task.UnmetError
	if !errors.As(err, &unmet) {
		return
	}
	last := &i.Complaints[len(i.Complaints)-1]
	last.Hint = strings.Join(differing(unmet.Result), "; ")
}

// reference is the file that ships with the runtime.
func (s *subject) reference() job {
	file := s.exercise.Replaces[0].File
	text, err := teaching.Source(file)
	if err != nil {
		return s.job("reference "+file, func(context.Context, *Item) error { return err })
	}
	return s.passing("reference "+file, file, task.Source{Path: file, Name: path.Base(file), Text: text})
}

// right is an answer in a folder of the holdouts that must pass everything.
func (s *subject) right(name, folder string, source task.Source) job {
	return s.passing(name, path.Join(holdoutName, s.exercise.Name, folder, source.Name), source)
}

// passing is an answer that must pass everything, in every engine.
func (s *subject) passing(name, file string, source task.Source) job {
	j := s.job(name, func(ctx context.Context, i *Item) error { return s.passes(ctx, file, source, i) })
	j.then = func(ctx context.Context, i *Item) error { return s.agrees(ctx, file, source, i) }
	return j
}

// passes holds that an answer passes the visible probe and every holdout, in every engine.
func (s *subject) passes(ctx context.Context, file string, source task.Source, i *Item) error {
	t, err := s.passesVisibly(ctx, s.checker.Engines[0], file, source, i)
	if err != nil || t == nil {
		return err
	}
	defer t.Close()
	examination := s.bench.Examine(t)
	var outcomes []examine.Outcome
	for _, d := range s.draws {
		meet := examination.Once
		// What is unstable is so under every seed, and a second engine is a second execution.
		if d.Seed == s.checker.Seeds[0] && len(s.checker.Engines) == 1 {
			meet = examination.Twice
		}
		o, err := meet(ctx, d)
		if err != nil {
			return err
		}
		outcomes = append(outcomes, o)
	}
	i.holdouts(file, outcomes)
	return nil
}

// agrees holds that the other engines pass a right answer too.
func (s *subject) agrees(ctx context.Context, file string, source task.Source, i *Item) error {
	for _, engine := range s.checker.Engines[1:] {
		failing, void, err := s.fails(ctx, engine, source, s.draws)
		if err != nil {
			return err
		}
		if void != nil {
			i.void(*void)
		}
		for _, f := range failing {
			i.complain(file, 0, "the engines disagree: with %s it fails %s: %s", engine.Name, f.Case, strings.Join(differing(f), "; "))
		}
		i.Saw += ", with " + engine.Name + " too"
	}
	return nil
}

// fails runs an answer with one of the other engines against the visible probe and draws, and returns what it fails; void is
// the report of a run that failed for a reason of ours.
func (s *subject) fails(ctx context.Context, engine Engine, source task.Source, draws []examine.Draw) (failing []task.CaseResult, void *grader.Report, err error) {
	t, err := engine.Tasks(s.exercise)
	if err != nil {
		return nil, nil, err
	}
	defer t.Close()
	examination, err := s.bench.Together(t, source, draws)
	if err != nil {
		return nil, nil, err
	}
	result, err := examination.Visible(ctx)
	for n := 0; err == nil; n++ {
		switch {
		case result.Verdict == grader.Void:
			return nil, &result.Report, nil
		case result.Verdict != grader.Pass:
			failing = append(failing, result)
		}
		if n == len(draws) {
			return failing, nil, nil
		}
		var o examine.Outcome
		o, err = examination.Once(ctx, draws[n])
		result = o.CaseResult
	}
	return nil, nil, err
}

// passesVisibly installs an answer that must pass the visible probe and show every line of the contract. The task is nil
// when it does not; the item says why. Who gets a task closes it.
func (s *subject) passesVisibly(ctx context.Context, engine Engine, file string, source task.Source, i *Item) (*task.Task, error) {
	t, err := engine.Tasks(s.exercise)
	if err != nil {
		return nil, err
	}
	report, err := t.Install(ctx, source)
	if err == nil && report.Outcome == "" {
		report, err = t.Visible(ctx)
	}
	if err != nil {
		t.Close()
		return nil, err
	}
	switch {
	case report.Verdict == grader.Void:
		i.void(report)
	case report.Verdict != grader.Pass:
		i.refused(file, report)
	default:
		for _, step := range s.exercise.Follow(s.exercise.Contract, report.Operations) {
			if step.Progress != exercises.Seen {
				i.complain(file, step.Line, "the contract's line %s is %s in a right answer's log: %s", step.Rule.ID, step.Progress, step.Rule.Text)
			}
		}
		if len(i.Complaints) == 0 {
			return t, nil
		}
	}
	t.Close()
	return nil, nil
}

// refused complains that an answer which must pass the visible probe does not.
func (i *Item) refused(file string, report grader.Report) {
	if len(report.Diagnostics) > 0 {
		for _, d := range report.Diagnostics {
			i.complain(file, d.Line, "%s", d.Message)
		}
		return
	}
	i.complain(file, 0, "the visible probe does not pass: %s", strings.Join(differing(task.CaseResult{Report: report}), "; "))
}

// void notes that a run failed for a reason of ours.
func (i *Item) void(report grader.Report) {
	i.Void = true
	i.complain("", 0, "our machine failed, which says nothing about the exercise: %s", report.Cause)
}

// holdouts complains about the holdouts that an answer should have passed.
func (i *Item) holdouts(file string, outcomes []examine.Outcome) {
	for _, o := range examine.Failing(outcomes) {
		if o.Verdict == grader.Void {
			i.void(o.Report)
			continue
		}
		i.complain(file, 0, "fails the holdout %s under seed %d (%s): %s", o.Case, o.Draw.Seed, o.Report.Outcome, strings.Join(differing(o.CaseResult), "; "))
	}
	i.Saw = fmt.Sprintf("passes the visible probe and %d holdouts", len(outcomes)-len(examine.Failing(outcomes)))
}

// most differences that are told of one case.
const mostTold = 3

// differing says in words what a result shows that it should not.
func differing(r task.CaseResult) []string {
	var words []string
	if r.Report.Cause != "" {
		words = append(words, strings.TrimSuffix(r.Report.Cause, "."))
	}
	for _, f := range r.Report.Fields {
		if !f.Agrees {
			words = append(words, fmt.Sprintf("%s is %s and should be %s", f.Name, f.Observed, f.Expected))
		}
	}
	for _, d := range slices.Concat(r.Differences, r.Apart) {
		words = append(words, d.String())
	}
	for _, m := range r.Missing {
		words = append(words, fmt.Sprintf("%s: %s", m.Rule.Text, m.Progress))
	}
	if len(words) > mostTold {
		words = append(words[:mostTold], fmt.Sprintf("%d more", len(words)-mostTold))
	}
	return words
}
