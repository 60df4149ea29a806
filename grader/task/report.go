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

// environment is what a run will have; what runs the program in the end corrects it.
func (t *Task) environment() grader.Environment {
	if t.options.Choice == Go {
		return grader.Environment{Engine: engine.Toolchain}
	}
	return grader.Environment{Engine: engine.Interpreted}
}

// refuse makes a report of source that cannot be run.
func refuse(report *grader.Report, diagnostics []grader.Diagnostic) {
	report.Outcome = engine.OutcomeOf(diagnostics)
	report.Verdict = grader.Judge(report.Outcome, false)
	report.Diagnostics = diagnostics
	report.Cause = "The source does not compile."
	report.Hint = "Mend the first message and run again; the later ones often follow from it."
	switch report.Outcome {
	case grader.EnginesDisagree:
		report.Cause = "The Go compiler refuses a program that Fieldbook's checker accepts."
		report.Hint = "One of the two is wrong. That is a fault of Fieldbook's, never yours: nothing is scored. Send this report to your instructor."
	case grader.Unsupported:
		report.Cause = "The source is right Go, and the interpreter would run a part of it wrong."
		report.Hint = "Write that part as the message says. This is a limit of the tool and no mistake of yours."
	}
}

// attach copies what an execution shows into its report, except the operation log, which may still be read.
func attach(report *grader.Report, e *probe.Execution) {
	report.Outcome = e.Outcome
	report.Cause, report.Hint, report.Crash = e.Cause, e.Hint, e.Crash
	report.Observation = e.Observation
	report.Output = e.Output
	report.Environment.Sandbox, report.Environment.Layers = e.Level, e.Layers
	report.Environment.Elapsed.Run = e.Elapsed
}
