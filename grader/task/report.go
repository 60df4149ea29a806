package task

import (
	"fieldbook/grader"
	"fieldbook/grader/engine"
	"fieldbook/grader/probe"
)

// blank is the beginning of every report.
func (t *Task) blank(label string) grader.Report {
	return grader.Report{Exercise: t.exercise.Name, Label: label, Environment: t.environment()}
}

// environment is what a run will have; an execution corrects it by what it had.
func (t *Task) environment() grader.Environment {
	return grader.Environment{Engine: engineVersion().Name}
}

// refuse makes a report of source that cannot be run.
func refuse(report *grader.Report, diagnostics []grader.Diagnostic) {
	report.Outcome = engine.OutcomeOf(diagnostics)
	report.Verdict = grader.Judge(report.Outcome, false)
	report.Diagnostics = diagnostics
	report.Cause = "The source does not compile."
	report.Hint = "Mend the first message and run again; the later ones often follow from it."
	if report.Outcome == grader.Unsupported {
		report.Cause = "The source is right Go, and the interpreter would run a part of it wrong."
		report.Hint = "Write that part as the message says. This is a limit of the tool and no mistake of yours."
	}
}

// attach copies what an execution shows into its report.
func attach(report *grader.Report, e *probe.Execution) {
	report.Outcome = e.Outcome
	report.Cause, report.Hint, report.Crash = e.Cause, e.Hint, e.Crash
	report.Observation = e.Observation
	report.Operations = e.Operations
	report.Output = e.Output
	report.Environment.Sandbox, report.Environment.Layers = e.Level, e.Layers
	report.Environment.Elapsed.Run = e.Elapsed
}
