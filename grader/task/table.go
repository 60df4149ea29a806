package task

import (
	"context"
	"fmt"
	"time"

	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/engine"
	"fieldbook/grader/probe"
	"fieldbook/runtime/world"
)

// Table runs the installed function of a direct exercise on cases, the student's own for instance. Each case is one field
// of the report.
func (t *Task) Table(ctx context.Context, label string, cases []exercises.TableCase) (grader.Report, error) {
	report := t.blank(label)
	prepared, err := t.visiblyReady(ctx, &report, t.installed)
	if err != nil || prepared == nil {
		return report, err
	}
	report, _, err = t.call(ctx, report, prepared, cases)
	return report, err
}

// call runs the function of a direct exercise once for each case and compares.
func (t *Task) call(ctx context.Context, report grader.Report, prepared *engine.Prepared, cases []exercises.TableCase) (grader.Report, []byte, error) {
	var calls [][]world.Value
	for _, c := range cases {
		calls = append(calls, c.Args)
	}
	execution, rows, err := t.runner.Table(ctx, t.run(prepared), calls)
	if err != nil {
		return report, nil, err
	}
	defer execution.Close()
	attach(&report, execution)
	report.Operations = execution.Operations
	begun := time.Now()
	agrees := len(cases) > 0
	if execution.Outcome == grader.Observed && len(rows) != len(cases) {
		return report, nil, fmt.Errorf("%d calls gave %d rows", len(cases), len(rows))
	}
	for i, row := range rows {
		field := tableField(t.exercise, cases[i], row)
		agrees = agrees && field.Agrees
		report.Fields = append(report.Fields, field)
	}
	report.Verdict = grader.Judge(report.Outcome, agrees)
	report.Environment.Elapsed.Compare = time.Since(begun)
	if execution.Outcome != grader.Observed {
		return report, nil, nil
	}
	result, err := canonicalResult(execution, report.Fields, grader.Snapshot{})
	return report, result, err
}

// tableField sets a case beside how its call ended. What a call did instead of returning is shown as {raises: NAME}.
func tableField(e *exercises.Exercise, c exercises.TableCase, row probe.Row) grader.Field {
	field := grader.Field{Name: c.Name, Expected: c.Expected, From: "what " + e.Replaces[0].Functions[0].Name + " returned"}
	if c.Raises != "" {
		field.Expected = raised(c.Raises)
	}
	switch {
	case row.Crash != nil:
		field.Observed = world.MapValue(map[string]world.Value{"panics": world.StringValue(row.Crash.Message)})
	case row.Raises != "":
		field.Observed = raised(row.Raises)
	default:
		field.Observed = row.Value
	}
	field.Agrees = field.Expected.Equal(field.Observed)
	if row.Changed {
		field.Agrees = false
		field.From = "the arguments after the call: the function changed what it was given"
	}
	return field
}

func raised(name string) world.Value {
	return world.MapValue(map[string]world.Value{"raises": world.StringValue(name)})
}
