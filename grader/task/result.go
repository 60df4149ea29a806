package task

import (
	"bytes"
	"context"

	"fieldbook/grader"
	"fieldbook/grader/probe"
	"fieldbook/handoff/canonical"
	"fieldbook/runtime/operation"
	"fieldbook/runtime/world"
)

// observed is the result of a run: what its world shows. Times, versions and the machine stand outside it, so that a
// re-execution gives the same bytes.
type observed struct {
	Observation *world.Observation      `json:"observation"`
	Fields      map[string]*world.Value `json:"fields"` // as compared, artifacts read
	World       grader.Snapshot         `json:"world"`
	Operations  []string                `json:"operations"` // kinds of durable operations, in order, between the marks
}

func canonicalResult(e *probe.Execution, fields []grader.Field, snapshot grader.Snapshot) ([]byte, error) {
	r := observed{Observation: e.Observation, Fields: map[string]*world.Value{}, World: snapshot, Operations: []string{}}
	for i := range fields {
		r.Fields[fields[i].Name] = &fields[i].Observed
	}
	for _, entry := range e.Operations {
		switch {
		case entry.Kind == operation.Mark:
			r.Operations = append(r.Operations, "mark "+entry.Name)
		case entry.Kind.Durable(): // calls that only read may come in any order, that of a map for instance
			r.Operations = append(r.Operations, string(entry.Kind))
		}
	}
	return canonical.Marshal(r)
}

// twice runs the visible probe a second time on what is installed and reports whether it gives the result that the first
// run gave. The report is that of the second run; it is `unstable` when the two differ.
func (t *Task) twice(ctx context.Context, label string, first []byte) (grader.Report, bool, error) {
	report, second, err := t.visible(ctx, label, t.installed)
	if err != nil {
		return report, false, err
	}
	if report.Outcome == grader.Observed && bytes.Equal(first, second) {
		return report, true, nil
	}
	if report.Outcome == grader.Observed {
		unstable(&report)
	}
	return report, false, nil
}

// unstable makes a report of two executions that differ.
func unstable(report *grader.Report) {
	report.Outcome = grader.Unstable
	report.Verdict = grader.Judge(report.Outcome, false)
	report.Cause = "Two executions of the same input did different things."
	report.Hint = "Look for what changes between runs: the order of a map, a goroutine that is not waited for."
}
