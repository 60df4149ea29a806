package workbench

import (
	"context"
	"fmt"
	"slices"

	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/task"
	"fieldbook/handoff"
	teaching "fieldbook/runtime"
	"fieldbook/units"
)

// Breakage is Unit B at work: what it started from, and the task that holds it.
type Breakage struct {
	Exercise *exercises.Exercise
	Evidence string           // LearnerSelected or SuppliedReference
	Handoff  *handoff.Handoff // nil for the reference
	Path     string           // of the handoff file; "" for the reference
	Refused  *grader.Report   // set when the engine refuses the implementation: nothing is installed then

	bench *Bench
	task  *task.Task
}

// BreakHandoff starts from a handoff file, verified whole before anything in it is used. A missing or invalid file is
// refused; nothing takes its place. exercise may be "": the handoff says which.
func (b *Bench) BreakHandoff(ctx context.Context, path, exercise string) (*Breakage, error) {
	h, err := handoff.Load(path, handoff.Expect{Exercise: exercise})
	if err != nil {
		return nil, err
	}
	e, err := exercises.Named(h.Exercise)
	if err != nil {
		return nil, &handoff.Error{Kind: handoff.Invalid, Code: handoff.CodeOtherExercise,
			Message: fmt.Sprintf("%s: this edition has no exercise %q", path, h.Exercise), Hint: grader.AsError(err).Hint}
	}
	t, err := task.New(b.Task, e)
	if err != nil {
		return nil, err
	}
	x := &Breakage{Exercise: e, Evidence: LearnerSelected, Path: path, bench: b, task: t}
	var report grader.Report
	if x.Handoff, report, err = t.Load(ctx, path); err != nil {
		return nil, err
	}
	if report.Outcome != "" {
		x.Refused = &report
	}
	return x, nil
}

// BreakReference starts from the supplied reference, always labelled so.
func (b *Bench) BreakReference(ctx context.Context, e *exercises.Exercise) (*Breakage, error) {
	sources, err := Reference(e)
	if err != nil {
		return nil, err
	}
	t, err := task.New(b.Task, e)
	if err != nil {
		return nil, err
	}
	report, err := t.Install(ctx, sources...)
	if err != nil {
		return nil, err
	}
	if report.Outcome != "" {
		return nil, fmt.Errorf("the reference of %s is refused: %v", e.Name, report.Diagnostics)
	}
	return &Breakage{Exercise: e, Evidence: SuppliedReference, bench: b, task: t}, nil
}

// Reference is the course's own implementation of an exercise.
func Reference(e *exercises.Exercise) ([]task.Source, error) {
	var sources []task.Source
	for _, r := range e.Replaces {
		text, err := teaching.Source(r.File)
		if err != nil {
			return nil, fmt.Errorf("read the reference of %s: %w", e.Name, err)
		}
		sources = append(sources, task.Source{Path: r.File, Name: r.File, Text: text})
	}
	return sources, nil
}

// Sources are the files that Unit B started from.
func (x *Breakage) Sources() []task.Source { return x.task.Installed() }

// Close ends the work. There is nothing in it that could fail to end.
func (x *Breakage) Close() { _ = x.task.Close() }

// Baseline is the unchanged source at work again.
type Baseline struct {
	Report grader.Report `json:"report"`
	// Same says that the execution gave the bytes which the handoff holds as its result. The reference carries no result
	// to compare with, and Same is true for it when it passes.
	Same bool `json:"same_result"`
}

// Verdict is the baseline's: INVALID when the code passes and does something else than its handoff says.
func (b Baseline) Verdict() grader.Verdict {
	if b.Report.Verdict == grader.Pass && !b.Same {
		return grader.Invalid
	}
	return b.Report.Verdict
}

// Baseline runs what Unit B started from, unchanged.
func (x *Breakage) Baseline(ctx context.Context) (Baseline, error) {
	if x.Refused != nil {
		return Baseline{Report: *x.Refused}, nil
	}
	if x.Handoff != nil {
		report, same, err := x.task.Reexecute(ctx, x.Handoff)
		if err == nil {
			err = x.keep(x.Sources(), report, isBaseline)
		}
		return Baseline{Report: report, Same: same}, err
	}
	report, err := x.task.Visible(ctx)
	report.Label = task.LabelBaseline
	if err == nil {
		err = x.keep(x.Sources(), report, isBaseline)
	}
	return Baseline{Report: report, Same: report.Verdict == grader.Pass}, err
}

// keep keeps a run for the step of a unit that breaks the exercise and that the run was made for. Without a workspace that this
// program holds, as when somebody tries a handoff alone, nothing is kept.
func (x *Breakage) keep(sources []task.Source, report grader.Report, made func(*units.Unit, *units.Step) bool) error {
	if x.bench.Work == nil {
		return nil
	}
	for _, u := range x.bench.Units {
		for i := range u.Steps {
			s := &u.Steps[i]
			if u.Role != units.Breaks || u.ExerciseOf(s) != x.Exercise.Name || !made(u, s) {
				continue
			}
			kept := attempt(sources, report)
			kept.Part = u.ID + "/" + s.ID + "/work"
			_, err := x.bench.Work.AddAttempt(kept, WithoutData(report))
			return err
		}
	}
	return nil
}

// isBaseline reports whether a step runs a baseline.
func isBaseline(_ *units.Unit, s *units.Step) bool { return s.Kind == units.Baseline }

// Inject breaks the source by the named fault. What is installed stays as it is.
func (x *Breakage) Inject(ctx context.Context, fault string) (task.Injection, error) {
	injection, err := x.task.InjectFault(ctx, fault)
	if err == nil && injection.Found {
		sources := slices.Clone(x.Sources())
		for i := range sources {
			if sources[i].Path == injection.Path {
				sources[i].Text = injection.Source
			}
		}
		err = x.keep(sources, injection.Broken, func(u *units.Unit, s *units.Step) bool { return s.Kind == units.Inject && u.FaultOf(s) == fault })
	}
	return injection, err
}

// Repair runs a repaired source and keeps it as an attempt. A PASS is written as the handoff of the unit that breaks this
// exercise; it names the handoff that the work started from.
func (x *Breakage) Repair(ctx context.Context, files ...string) (Run, error) {
	sources, err := x.bench.sources(x.Exercise, files)
	if err != nil {
		return Run{}, err
	}
	report, err := x.task.Repair(ctx, sources...)
	if err != nil {
		return Run{}, err
	}
	p := task.Provenance{StartingEvidence: x.Evidence, Previous: handoff.None}
	if x.Handoff != nil {
		p.Previous = x.Handoff.Digest
	}
	return x.bench.keep(ctx, x.task, sources, report, x.bench.Breaking(x.Exercise.Name), p)
}

// Fault is the fault that Unit B injects into an exercise when none is named: its unit's, else the exercise's first.
func (b *Bench) Fault(e *exercises.Exercise) (string, error) {
	if u := b.Breaking(e.Name); u != nil {
		return u.Fault, nil
	}
	if len(e.Faults) > 0 {
		return e.Faults[0].Name, nil
	}
	return "", &grader.Error{
		Code:    "no_fault",
		Message: fmt.Sprintf("the exercise %s declares no fault", e.Name),
		Hint:    "Choose an exercise that a unit breaks; `fieldbook list` shows them.",
		Exit:    grader.ExitUsage,
	}
}

// Consequence is what the course says that a fault causes, one line a step.
func Consequence(e *exercises.Exercise, fault string) []string {
	for _, f := range e.Faults {
		if f.Name == fault {
			return f.Consequence
		}
	}
	return nil
}

// TextOf is the text of the file at path among sources.
func TextOf(sources []task.Source, path string) string {
	for _, s := range sources {
		if s.Path == path {
			return string(s.Text)
		}
	}
	return ""
}
