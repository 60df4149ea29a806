package workbench

import (
	"context"
	"fmt"

	"fieldbook/cmd/fieldbook/scenario"
	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/crash"
	"fieldbook/grader/task"
	"fieldbook/runtime/world"
)

// Crash explores what crashes can do to the student's files: those that were named, and the workspace's for the rest. The
// matrix is nil when the files cannot be run, and the report says why. Nothing is kept.
func (b *Bench) Crash(ctx context.Context, e *exercises.Exercise, o task.Exploration, files ...string) (*crash.Matrix, grader.Report, error) {
	sources, err := b.sources(e, files)
	if err != nil {
		return nil, grader.Report{}, err
	}
	return b.explore(ctx, e, sources, o)
}

// CrashConnected is Crash for an exercise that has scenarios, as they run it: with the student's functions of the exercises
// that it connects where they are written, too, and the references elsewhere. The sources say whose they are.
func (b *Bench) CrashConnected(ctx context.Context, e *exercises.Exercise, o task.Exploration) (*crash.Matrix, grader.Report, []scenario.Source, error) {
	if e.Scenarios == nil {
		return nil, grader.Report{}, nil, &grader.Error{
			Code: "not_connected", Exit: grader.ExitUsage,
			Message: fmt.Sprintf("the exercise %s connects no others", e.Name), Hint: "Leave --connected away.",
		}
	}
	p, err := b.scenarioProgram("", false)
	if err != nil {
		return nil, grader.Report{}, nil, err
	}
	found, report, err := b.explore(ctx, p.whole, p.sources, o)
	return found, report, p.record, err
}

func (b *Bench) explore(ctx context.Context, e *exercises.Exercise, sources []task.Source, o task.Exploration) (*crash.Matrix, grader.Report, error) {
	t, err := task.New(b.Task, e)
	if err != nil {
		return nil, grader.Report{}, err
	}
	defer t.Close()
	if report, err := t.Install(ctx, sources...); err != nil || report.Outcome != "" {
		return nil, report, err
	}
	return t.Crash(ctx, o)
}

// LabelCrash is the label of a kept exploration of crashes.
const LabelCrash = "CRASH_MATRIX"

// CrashPart explores what crashes can do to the student's files and keeps what was found: a field for each invariant. The
// run is empty when there is no matrix.
func (b *Bench) CrashPart(ctx context.Context, part Part, e *exercises.Exercise, o task.Exploration) (*crash.Matrix, Run, error) {
	found, report, err := b.Crash(ctx, e, o)
	if err != nil || found == nil || len(found.Rows) == 0 {
		return found, Run{Report: report}, err
	}
	sources, err := b.sources(e, nil)
	if err != nil {
		return found, Run{}, err
	}
	report = grader.Report{Exercise: e.Name, Outcome: grader.Observed, Verdict: found.Verdict, Environment: found.Environment}
	report.Environment.Elapsed.Run = found.Elapsed
	for i, invariant := range found.Invariants {
		report.Fields = append(report.Fields, invariantField(found, i, invariant))
	}
	part.Label = LabelCrash
	run, err := b.keepPart(part, sources, report)
	return found, run, err
}

// invariantField says whether an invariant holds in every state, and after which operation it breaks first.
func invariantField(m *crash.Matrix, column int, invariant crash.Column) grader.Field {
	const holds = "holds in every state"
	field := grader.Field{Name: invariant.ID, Expected: world.StringValue(holds), Observed: world.StringValue(holds), Agrees: true, From: invariant.Text}
	for _, row := range m.Rows {
		if !row.Cells[column].Holds() {
			field.Agrees = false
			field.Observed = world.StringValue(fmt.Sprintf("breaks after operation %d", row.First))
			break
		}
	}
	return field
}
