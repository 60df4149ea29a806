package task

import (
	"context"
	"fmt"

	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/probe"
	"fieldbook/runtime/world"
)

// Case is one holdout: a probe that the student never had, with values that the parent drew for it; or, for a direct
// exercise, calls that the student never saw.
type Case struct {
	Name   string
	Probe  []byte
	Seed   uint64                 // of the ids in the world
	Values map[string]world.Value // what the probe reads with World.Case
	Want   []exercises.Expectation
	World  bool             // the world must be the one that the reference leaves: every table and row, marker and file set
	Log    []exercises.Rule // what the operation log must show, in time
	Calls  []exercises.TableCase
}

// CaseResult is how an installed source met a case. Report is for the instructor: it names what the case observed.
type CaseResult struct {
	Case        string             `json:"case"`
	Verdict     grader.Verdict     `json:"verdict"`
	Report      grader.Report      `json:"report"`
	Differences []probe.Difference `json:"differences,omitempty"` // from the reference's world
	Missing     []exercises.Step   `json:"missing,omitempty"`     // rules that the operation log does not show in time
}

// Reference is what the reference observes and leaves in one case.
type Reference struct {
	snapshot grader.Snapshot
	known    map[string]bool
}

// Reference runs what is installed, the author's solution, in a case. It must meet the case's own expectation: a case that
// its reference fails is the author's mistake, an error.
func (t *Task) Reference(ctx context.Context, c Case) (*Reference, error) {
	trial, err := t.trial(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("run the reference in %s: %w", c.Name, err)
	}
	if trial.report.Verdict != grader.Pass || len(t.missing(c, trial)) > 0 {
		return nil, fmt.Errorf("the reference does not meet the case %s: %s %s %v", c.Name, trial.report.Outcome, trial.report.Cause, trial.report.Fields)
	}
	return &Reference{snapshot: trial.snapshot, known: trial.known}, nil
}

// Holdout runs what is installed in a case, twice, and compares it with the case's expectation and with what the reference
// left.
func (t *Task) Holdout(ctx context.Context, c Case, reference *Reference) (CaseResult, error) {
	result := CaseResult{Case: c.Name}
	first, err := t.trial(ctx, c)
	if err != nil {
		return result, err
	}
	result.Report, result.Verdict = first.report, first.report.Verdict
	if first.report.Outcome != grader.Observed {
		return result, nil
	}
	second, err := t.trial(ctx, c)
	if err != nil {
		return result, err
	}
	if string(first.result) != string(second.result) {
		unstable(&result.Report)
		result.Verdict = result.Report.Verdict
		return result, nil
	}
	if c.World {
		result.Differences = probe.Comparison{Known: reference.known, Events: t.exercise.Events}.Compare(reference.snapshot, first.snapshot)
	}
	result.Missing = t.missing(c, first)
	if result.Verdict == grader.Pass {
		switch {
		case len(result.Differences) > 0:
			result.fail("The observation is as expected; the world is not the one that the reference leaves.")
		case len(result.Missing) > 0:
			result.fail("The world is as expected; the operation log does not show how it may survive a crash.")
		}
	}
	return result, nil
}

func (r *CaseResult) fail(cause string) {
	r.Verdict, r.Report.Verdict, r.Report.Cause = grader.NeedsWork, grader.NeedsWork, cause
}

// missing are the rules of a case that a run's operation log does not show, or shows too late.
func (t *Task) missing(c Case, one trial) []exercises.Step {
	var missing []exercises.Step
	for _, step := range t.exercise.Follow(c.Log, one.report.Operations) {
		if step.Progress != exercises.Seen {
			missing = append(missing, step)
		}
	}
	return missing
}

// trial is one execution of a case.
type trial struct {
	report   grader.Report
	result   []byte
	snapshot grader.Snapshot
	known    map[string]bool // ids from before the learner's call: those at the probe's first mark
}

func (t *Task) trial(ctx context.Context, c Case) (trial, error) {
	var one trial
	one.report = t.blank(c.Name)
	if t.exercise.Kind == exercises.Direct {
		prepared, err := t.visiblyReady(ctx, &one.report, t.installed)
		if err != nil || prepared == nil {
			return one, err
		}
		one.report, one.result, err = t.call(ctx, one.report, prepared, c.Calls)
		return one, err
	}
	prepared, err := t.ready(ctx, &one.report, t.installed.sources, program{probe: c.Probe})
	if err != nil || prepared == nil {
		return one, err
	}
	run := t.run(prepared)
	run.World.Seed, run.World.Case = c.Seed, c.Values
	execution, err := t.runner.Probe(ctx, run)
	if err != nil {
		return one, err
	}
	defer execution.Close()
	if one.report, one.result, err = t.judge(ctx, one.report, execution, c.Want); err != nil {
		return one, err
	}
	if n := len(one.report.Stages); n > 0 {
		one.known = probe.IDs(one.report.Stages[0].Snapshot)
		one.snapshot = one.report.Stages[n-1].Snapshot
	}
	return one, nil
}
