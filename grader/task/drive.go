package task

import (
	"context"
	"io/fs"

	"fieldbook/grader"
	"fieldbook/grader/probe"
	"fieldbook/runtime/world"
)

// Drive is a run of the learner's files by a driver of the course, in a world that begins with files. Nothing is compared.
type Drive struct {
	Label   string
	Sources []Source // for every place of the exercise that has no installed file
	Driver  []byte   // a probe
	Files   fs.FS    // of the world; nil: none
	Values  map[string]world.Value
}

// Drive makes one run and gives what it left. The report's verdict says no more than that the driver came to its end. The
// caller closes the execution, which is nil when the sources cannot be run: the report has the diagnostics then.
func (t *Task) Drive(ctx context.Context, d Drive) (*probe.Execution, grader.Report, error) {
	report := t.blank(d.Label)
	sources, err := t.arrange(d.Sources)
	if err != nil {
		return nil, report, err
	}
	prepared, err := t.ready(ctx, &report, sources, program{probe: d.Driver})
	if err != nil || prepared == nil {
		return nil, report, err
	}
	run := t.run(prepared)
	run.Inputs, run.World.Case = d.Files, d.Values
	execution, err := t.runner.Probe(ctx, run)
	if err != nil {
		return nil, report, err
	}
	attach(&report, execution)
	report.Operations = execution.Operations
	report.Verdict = grader.Judge(report.Outcome, true)
	return execution, report, nil
}
