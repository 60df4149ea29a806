package task

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/engine"
	"fieldbook/grader/probe"
	"fieldbook/grader/sandbox"
)

// Labels of the runs that the course itself makes.
const (
	LabelVisible  = "VISIBLE"
	LabelTransfer = "MY_TRANSFER"
	LabelBaseline = "YOUR_BASELINE"
	LabelInjected = "INJECTED_FAILURE"
	LabelRepair   = "YOUR_REPAIR"
)

// Visible runs the exercise's own probe, or its table, once on what is installed.
func (t *Task) Visible(ctx context.Context) (grader.Report, error) {
	report, result, err := t.visible(ctx, LabelVisible, t.installed)
	if err == nil && report.Verdict == grader.Pass {
		t.passed, t.result = &report, result
	}
	return report, err
}

// Run runs a probe that the student has edited, under a label, against an expectation that they wrote before.
func (t *Task) Run(ctx context.Context, label, name string, text []byte, want []exercises.Expectation) (grader.Report, error) {
	report := t.blank(label)
	prepared, err := t.ready(ctx, &report, t.installed.sources, program{probe: text, own: true, name: name})
	if err != nil || prepared == nil {
		return report, err
	}
	report, _, err = t.drive(ctx, report, prepared, want)
	return report, err
}

// Repair installs a repaired set of files and runs the visible probe on it.
func (t *Task) Repair(ctx context.Context, sources ...Source) (grader.Report, error) {
	report, err := t.Install(ctx, sources...)
	if err != nil || report.Outcome != "" {
		report.Label = LabelRepair
		return report, err
	}
	report, err = t.Visible(ctx)
	report.Label = LabelRepair
	return report, err
}

// visible runs the exercise's own probe, or its table, once on a set. The second value is the canonical result of an
// observed run.
func (t *Task) visible(ctx context.Context, label string, s set) (grader.Report, []byte, error) {
	report := t.blank(label)
	prepared, err := t.visiblyReady(ctx, &report, s)
	if err != nil || prepared == nil {
		return report, nil, err
	}
	if t.exercise.Kind == exercises.Direct {
		return t.call(ctx, report, prepared, t.exercise.Table)
	}
	return t.drive(ctx, report, prepared, t.exercise.Expectation)
}

// visiblyReady is the program in which the visible probe drives a set; nil when the report has its diagnostics.
func (t *Task) visiblyReady(ctx context.Context, report *grader.Report, s set) (*engine.Prepared, error) {
	if s.visible != nil {
		report.Environment.Elapsed.Check = s.check
		report.Environment.Engine, report.Environment.Note = s.visible.Engine(), s.visible.Note
		return s.visible, nil
	}
	p, err := t.visibleProgram()
	if err != nil {
		return nil, err
	}
	return t.ready(ctx, report, s.sources, p)
}

// drive runs a probe once and compares.
func (t *Task) drive(ctx context.Context, report grader.Report, prepared *engine.Prepared, want []exercises.Expectation) (grader.Report, []byte, error) {
	execution, err := t.runner.Probe(ctx, t.run(prepared))
	if err != nil {
		return report, nil, err
	}
	defer execution.Close()
	return t.judge(ctx, report, execution, want)
}

// ready prepares a program; nil when the report has its diagnostics.
func (t *Task) ready(ctx context.Context, report *grader.Report, sources []Source, p program) (*engine.Prepared, error) {
	if len(sources) == 0 {
		return nil, &grader.Error{Code: "not_installed", Exit: grader.ExitUsage, Message: "no source is installed", Hint: "Install a file first."}
	}
	begun := time.Now()
	prepared, diagnostics, err := t.prepare(ctx, sources, p)
	if err != nil {
		return nil, err
	}
	report.Environment.Elapsed.Check = time.Since(begun)
	if len(diagnostics) > 0 {
		refuse(report, diagnostics)
		return nil, nil
	}
	report.Environment.Engine, report.Environment.Note = prepared.Engine(), prepared.Note
	return prepared, nil
}

func (t *Task) run(prepared *engine.Prepared) probe.Run {
	var learner []string
	for _, r := range t.exercise.Replaces {
		learner = append(learner, r.File)
	}
	return probe.Run{
		Learner: learner,
		Program: prepared,
		Profile: sandbox.Profile(t.exercise.Profile),
		Limits:  t.exercise.Limits,
		World:   probe.Origin{Seed: visibleSeed, Process: 1},
	}
}

// judge compares an execution and completes its report. The verdict comes first: the worlds at the marks are for showing.
func (t *Task) judge(ctx context.Context, report grader.Report, execution *probe.Execution, want []exercises.Expectation) (grader.Report, []byte, error) {
	begun := time.Now()
	attach(&report, execution)
	snapshots := probe.NewSnapshots()
	end, err := readEnd(ctx, snapshots, execution, want)
	if err != nil {
		return report, nil, fmt.Errorf("read what the run left: %w", err)
	}
	report.Operations = execution.Operations
	if end.spoilt != "" {
		report.Cause = end.spoilt
	}
	report.Fields = end.fields
	report.Verdict = grader.Judge(report.Outcome, end.agrees)
	report.Environment.Elapsed.Compare = time.Since(begun)
	if t.options.Decided != nil {
		t.options.Decided(report)
	}
	if report.Stages, err = snapshots.Stages(ctx, execution.Operations); err != nil {
		return report, nil, fmt.Errorf("read the worlds at the marks of a run: %w", err)
	}
	if end.snapshot != nil {
		report.Stages = append(report.Stages, grader.Stage{Label: "end", Snapshot: *end.snapshot})
	}
	return report, end.result, nil
}

// ending is what an observed run left, compared.
type ending struct {
	fields   []grader.Field
	agrees   bool
	snapshot *grader.Snapshot // nil when it cannot be read
	result   []byte           // canonical
	spoilt   string           // why it cannot be read
}

// readEnd reads and compares what a run left. A run that was not observed has left nothing that counts.
func readEnd(ctx context.Context, snapshots *probe.Snapshots, execution *probe.Execution, want []exercises.Expectation) (end ending, err error) {
	if execution.Outcome != grader.Observed {
		return end, nil
	}
	reader := probe.NewReader(execution.Folder)
	defer reader.Close()
	snapshot, unread := snapshots.Read(ctx, reader)
	if end.fields, end.agrees, err = probe.Compare(ctx, reader, want, *execution.Observation); err != nil {
		return end, err
	}
	if unreadable := (*probe.UnreadableError)(nil); errors.As(unread, &unreadable) {
		end.agrees, end.spoilt = false, unreadable.Error()
		return end, nil
	}
	if unread != nil {
		return end, unread
	}
	end.snapshot = &snapshot
	end.result, err = canonicalResult(execution, end.fields, snapshot)
	return end, err
}
