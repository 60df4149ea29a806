package task

import (
	"context"
	"crypto/sha256"
	"fmt"
	"sync"
	"time"

	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/engine"
	"fieldbook/grader/probe"
	"fieldbook/handoff"
	"fieldbook/runtime/operation"
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
	Case    string         `json:"case"`
	Verdict grader.Verdict `json:"verdict"`
	// Result is the digest of the canonical result: a second examination gives the same. handoff.None when the run gave no
	// observation.
	Result      string             `json:"result"`
	Report      grader.Report      `json:"report"`
	Differences []probe.Difference `json:"differences,omitempty"` // from the reference's world
	Missing     []exercises.Step   `json:"missing,omitempty"`     // rules that the operation log does not show in time

	// Of an unstable case: the second execution, and where its world is another than the first one's.
	Second *grader.Report     `json:"second,omitempty"`
	Apart  []probe.Difference `json:"apart,omitempty"`
}

// Reference is what the reference observes and leaves in one case.
type Reference struct {
	snapshot grader.Snapshot
	known    map[string]bool
}

// Examination puts what a task had installed when it began through cases. It prepares each probe once, and is safe for
// concurrent use.
type Examination struct {
	task      *Task
	installed set
	probes    [][]byte // that share one program; nil: each has its own

	mu       sync.Mutex
	programs map[[sha256.Size]byte]*preparation // by probe
}

// Examine begins an examination of what is installed.
func (t *Task) Examine() *Examination {
	return &Examination{task: t, installed: t.installed, programs: map[[sha256.Size]byte]*preparation{}}
}

// Together begins an examination of files that are not installed, with one program for all of the probes: where a program
// takes long to make, as with the Go toolchain, that is what decides.
func (t *Task) Together(probes [][]byte, sources ...Source) (*Examination, error) {
	arranged, err := t.arrange(sources)
	if err != nil {
		return nil, err
	}
	x := t.Examine()
	x.installed, x.probes = set{sources: arranged}, probes
	return x, nil
}

// VisibleCase is the exercise's own probe, or its table, as a case.
func (t *Task) VisibleCase() (Case, error) {
	p, err := t.visibleProgram()
	return Case{Name: LabelVisible, Probe: p.probe, Seed: visibleSeed, Want: t.exercise.Expectation, Calls: t.exercise.Table}, err
}

// Reference runs what is installed, the author's solution, in a case. It must meet the case's own expectation: a case that
// its reference fails is the author's mistake, an *UnmetError.
func (x *Examination) Reference(ctx context.Context, c Case) (*Reference, error) {
	one, err := x.trial(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("run the reference in %s: %w", c.Name, err)
	}
	result := CaseResult{Case: c.Name, Verdict: one.report.Verdict, Report: one.report, Missing: x.task.missing(c, one)}
	if result.Verdict != grader.Pass || len(result.Missing) > 0 {
		return nil, &UnmetError{Result: result}
	}
	known, err := probe.KnownBefore(ctx, one.log)
	if err != nil {
		return nil, fmt.Errorf("rebuild the world of %s before the function: %w", c.Name, err)
	}
	return &Reference{snapshot: one.snapshot, known: known}, nil
}

// UnmetError says that the author's solution does not meet a case.
type UnmetError struct{ Result CaseResult }

func (e *UnmetError) Error() string {
	return fmt.Sprintf("the solution does not meet the case %s: %s %s", e.Result.Case, e.Result.Report.Outcome, e.Result.Report.Cause)
}

// Case runs what is installed in a case, twice, and compares it with the case's expectation and with what the reference
// left. Two executions that differ are unstable.
func (x *Examination) Case(ctx context.Context, c Case, reference *Reference) (CaseResult, error) {
	first, err := x.trial(ctx, c)
	if err != nil || first.report.Outcome != grader.Observed {
		return x.compare(c, reference, first), err
	}
	second, err := x.trial(ctx, c)
	if err != nil {
		return CaseResult{Case: c.Name}, err
	}
	result := x.compare(c, reference, first)
	switch {
	case string(first.result) == string(second.result):
	case second.report.Verdict == grader.Void, second.report.Verdict == grader.Limit:
		// A machine that fails, or a limit that is reached the second time alone, is no other behaviour of the code.
		return x.compare(c, reference, second), nil
	default:
		unstable(&result.Report)
		result.Verdict, result.Second = result.Report.Verdict, &second.report
		result.Differences, result.Missing = nil, nil
		result.Apart = probe.Comparison{Known: probe.IDs(first.snapshot), Contents: true}.Compare(first.snapshot, second.snapshot)
	}
	return result, nil
}

// Once is Case with one execution: it cannot tell what is unstable.
func (x *Examination) Once(ctx context.Context, c Case, reference *Reference) (CaseResult, error) {
	one, err := x.trial(ctx, c)
	return x.compare(c, reference, one), err
}

// compare judges a trial by everything that a case asks for.
func (x *Examination) compare(c Case, reference *Reference, one trial) CaseResult {
	result := CaseResult{Case: c.Name, Verdict: one.report.Verdict, Report: one.report, Result: handoff.None}
	if one.report.Outcome != grader.Observed {
		return result
	}
	if one.result != nil {
		result.Result = handoff.Digest(one.result)
	}
	if c.World && reference != nil {
		result.Differences = probe.Comparison{Known: reference.known, Events: x.task.exercise.Events, Contents: true}.Compare(reference.snapshot, one.snapshot)
	}
	result.Missing = x.task.missing(c, one)
	if result.Verdict == grader.Pass {
		switch {
		case len(result.Differences) > 0:
			result.fail("The observation is as expected; the world is not the one that the reference leaves.")
		case len(result.Missing) > 0:
			result.fail("The world is as expected; the operation log does not show how it may survive a crash.")
		}
	}
	return result
}

func (r *CaseResult) fail(cause string) {
	r.Verdict, r.Report.Verdict, r.Report.Cause = grader.NeedsWork, grader.NeedsWork, cause
}

// missing are the rules of a case that a run's operation log does not show, or shows too late.
func (t *Task) missing(c Case, one trial) []exercises.Step {
	var missing []exercises.Step
	for _, step := range t.exercise.Follow(c.Log, one.log) {
		if step.Progress != exercises.Seen {
			missing = append(missing, step)
		}
	}
	return missing
}

// trial is one execution of a case.
type trial struct {
	report   grader.Report // without the operation log and the moments of the run: a case has no reader who steps through it
	result   []byte        // canonical; nil unless observed
	snapshot grader.Snapshot
	log      []operation.Entry
}

func (x *Examination) trial(ctx context.Context, c Case) (trial, error) {
	t := x.task
	one := trial{report: t.blank(c.Name)}
	prepared, err := x.prepare(ctx, &one.report, c)
	if err != nil || prepared == nil {
		return one, err
	}
	if t.exercise.Kind == exercises.Direct {
		one.report, one.result, err = t.call(ctx, one.report, prepared, c.Calls)
		return one, err
	}
	run := t.run(prepared)
	run.World.Seed, run.World.Case = c.Seed, x.values(c)
	execution, err := t.runner.Probe(ctx, run)
	if err != nil {
		return one, err
	}
	defer execution.Close()
	begun := time.Now()
	attach(&one.report, execution)
	one.log = execution.Operations
	end, err := readEnd(ctx, probe.NewSnapshots(), execution, c.Want)
	if err != nil {
		return one, fmt.Errorf("read what the run left: %w", err)
	}
	if end.snapshot != nil {
		one.snapshot = *end.snapshot
	}
	if end.spoilt != "" {
		one.report.Cause = end.spoilt
	}
	one.result, one.report.Fields = end.result, end.fields
	one.report.Verdict = grader.Judge(one.report.Outcome, end.agrees)
	one.report.Environment.Elapsed.Compare = time.Since(begun)
	return one, nil
}

// preparation is a probe's program, made at its first use; or the report that says why there is none.
type preparation struct {
	mu      sync.Mutex
	done    bool
	program *engine.Prepared
	refusal grader.Report
}

// prepare is the program in which a case's probe drives what is installed; nil when the report says why there is none.
func (x *Examination) prepare(ctx context.Context, report *grader.Report, c Case) (*engine.Prepared, error) {
	x.mu.Lock()
	driver := program{probe: c.Probe}
	if x.probes != nil && c.Probe != nil {
		driver = program{several: x.probes}
	}
	key := sha256.Sum256(driver.probe)
	p := x.programs[key]
	if p == nil {
		p = &preparation{}
		x.programs[key] = p
	}
	x.mu.Unlock()

	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.done {
		p.refusal = *report
		var err error
		if x.task.exercise.Kind == exercises.Direct {
			p.program, err = x.task.visiblyReady(ctx, &p.refusal, x.installed)
		} else {
			p.program, err = x.task.ready(ctx, &p.refusal, x.installed.sources, driver)
		}
		if err != nil {
			return nil, err
		}
		p.done = true
	}
	label := report.Label
	*report = p.refusal
	report.Label = label
	return p.program, nil
}
