package workbench

import (
	"context"
	"slices"

	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/task"
	"fieldbook/handoff"
	"fieldbook/runtime/operation"
	"fieldbook/units"
)

// Run is one run of an exercise, with what was kept of it.
type Run struct {
	Report  grader.Report     `json:"report"`
	Attempt workspace.Attempt `json:"attempt"`
	Handoff *Written          `json:"handoff"` // null when none was written
}

// Written is a handoff that was written.
type Written struct {
	Path     string `json:"path"`
	SHA256   string `json:"sha256"`
	Previous string `json:"backup,omitempty"` // backup of the file that it replaced
}

// Run runs an exercise on the student's files: those that were named, and the workspace's for the rest. The run is kept as
// an attempt. A PASS is executed a second time and, in an exercise that a unit constructs, written as that unit's handoff.
func (b *Bench) Run(ctx context.Context, e *exercises.Exercise, files ...string) (Run, error) {
	sources, err := b.sources(e, files)
	if err != nil {
		return Run{}, err
	}
	t, err := task.New(b.Task, e)
	if err != nil {
		return Run{}, err
	}
	defer t.Close()
	report, err := t.Install(ctx, sources...)
	if err == nil && report.Outcome == "" {
		report, err = t.Visible(ctx)
	}
	if err != nil {
		return Run{}, err
	}
	report.Label = task.LabelVisible
	return b.keep(ctx, t, sources, report, b.Constructing(e.Name), task.Provenance{
		StartingEvidence: Independent, Previous: handoff.None,
	})
}

// keep keeps a run as an attempt, and a passing one as the handoff of a unit, which may be nil. The attempt is kept even
// when the handoff cannot be written.
func (b *Bench) keep(ctx context.Context, t *task.Task, sources []task.Source, report grader.Report, u *units.Unit, p task.Provenance) (Run, error) {
	run := Run{Report: report}
	earlier, err := b.Work.ListAttempts(report.Exercise)
	if err != nil {
		return run, err
	}
	var unwritten error
	if report.Verdict == grader.Pass && u != nil {
		p.Unit, p.Attempts = u.ID, int64(len(earlier)+1)
		unwritten = b.save(ctx, t, &run, HandoffPath(u, report.Exercise), p)
	}
	run.Attempt, err = b.Work.AddAttempt(attempt(sources, run.Report), WithoutData(run.Report))
	if err == nil && run.Attempt.Printed != "" {
		run.Report.Output.File = b.Work.Path(workspace.AttemptFolder(run.Attempt.Number) + "/" + workspace.OutputFile)
	}
	if unwritten != nil {
		return run, unwritten
	}
	return run, err
}

// save writes the handoff of a passing run, after a backup of the one that it replaces. The run gets the report of the
// second execution, which says unstable when the two differ; no handoff is written then.
func (b *Bench) save(ctx context.Context, t *task.Task, run *Run, path string, p task.Provenance) error {
	var err error
	if p.Prediction, err = b.Prediction(p.Unit); err != nil {
		return err
	}
	k, err := b.key(ctx)
	if err != nil {
		return err
	}
	replaced, err := b.Work.Backup("a new handoff", path)
	if err != nil {
		return err
	}
	label := run.Report.Label
	report, digest, err := t.Save(ctx, b.Work.Path(path), p, k.Private())
	if err != nil {
		return err
	}
	report.Label = label
	run.Report = report
	if digest == "" {
		return nil
	}
	run.Handoff = &Written{Path: b.Work.Path(path), SHA256: digest}
	if len(replaced.Files) > 0 {
		run.Handoff.Previous = replaced.ID
	}
	return nil
}

func attempt(sources []task.Source, report grader.Report) workspace.Attempt {
	a := workspace.Attempt{Exercise: report.Exercise, Label: report.Label, Outcome: report.Outcome, Verdict: report.Verdict, Printed: report.Output.Whole}
	for _, s := range sources {
		a.Sources = append(a.Sources, workspace.AttemptSource{Path: s.Path, Name: s.Name, Text: s.Text})
	}
	return a
}

// WithoutData is a report without the bytes that its operations wrote, as it is kept and printed: they are most of it, and
// running the kept source again gives the same ones. Each write has its size instead.
func WithoutData(report grader.Report) grader.Report {
	report.Operations = slices.Clone(report.Operations)
	for i := range report.Operations {
		e := &report.Operations[i]
		if e.Kind == operation.Write && e.Size == 0 {
			e.Size = int64(len(e.Data))
		}
		e.Data = nil
	}
	return report
}
