package workbench

import (
	"context"
	"fmt"
	"os"
	"path"
	"strings"

	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/task"
	"fieldbook/handoff"
	"fieldbook/runtime/operation"
	"fieldbook/runtime/world"
)

// Labels of runs that belong to a part of a unit.
const (
	LabelExample       = "EXAMPLE"
	LabelDemonstration = "DEMONSTRATION"
	LabelChallenge     = "CHALLENGE"
	LabelCases         = "MY_CASES"
	LabelImpostor      = "IMPOSTOR"
)

// Part is a run for a part of a unit: an example, a challenge, a probe of the student's own.
type Part struct {
	ID    string // unit/step/activity
	Label string
}

// Try runs a complete small program that lies in the workspace at place.
func (b *Bench) Try(ctx context.Context, part Part, place string) (Run, error) {
	file := b.Work.Path(place)
	text, err := os.ReadFile(file)
	if err != nil {
		return Run{}, err
	}
	report, err := task.Try(ctx, b.Task, file)
	if err != nil {
		return Run{}, err
	}
	if report.Crash != nil && report.Crash.Line > 0 {
		report.Crash.File = place
	}
	return b.keepPart(part, []task.Source{{Path: place, Name: place, Text: text}}, report)
}

// Probe runs a probe on files of an exercise: the student's own when sources is nil. own says that the student wrote the
// probe, which is then kept beside the files.
func (b *Bench) Probe(ctx context.Context, part Part, e *exercises.Exercise, sources []task.Source, probe task.Source, own bool, want []exercises.Expectation) (Run, error) {
	var err error
	if sources == nil {
		if sources, err = b.sources(e, nil); err != nil {
			return Run{}, err
		}
	}
	t, err := task.New(b.Task, e)
	if err != nil {
		return Run{}, err
	}
	defer t.Close()
	report, err := t.Install(ctx, sources...)
	if err == nil && report.Outcome == "" {
		report, err = t.Run(ctx, part.Label, path.Base(probe.Path), probe.Text, want)
	}
	if err != nil {
		return Run{}, err
	}
	if own {
		sources = append(sources, probe)
	}
	return b.keepPart(part, sources, report)
}

// Demonstrate runs a supplied version of an exercise's first file under the visible probe.
func (b *Bench) Demonstrate(ctx context.Context, part Part, e *exercises.Exercise, supplied task.Source, want []exercises.Expectation) (Run, error) {
	sources, err := Reference(e)
	if err != nil {
		return Run{}, err
	}
	supplied.Path = sources[0].Path
	sources[0] = supplied
	probe, err := e.File(e.Probe)
	if err != nil {
		return Run{}, err
	}
	return b.Probe(ctx, part, e, sources, task.Source{Path: e.Probe, Text: probe}, false, want)
}

// Cases calls the student's function of a direct exercise on cases of their own. cases is kept as it stands in their file.
func (b *Bench) Cases(ctx context.Context, part Part, e *exercises.Exercise, file task.Source, cases []exercises.TableCase) (Run, error) {
	sources, err := b.sources(e, nil)
	if err != nil {
		return Run{}, err
	}
	report, err := b.table(ctx, e, part.Label, sources, cases)
	if err != nil {
		return Run{}, err
	}
	return b.keepPart(part, append(sources, file), report)
}

// Impostors calls each impostor of a direct exercise on the student's cases. It is one run with a field for each impostor,
// which agrees when one of the cases rejects it; the field says which, and with what value.
func (b *Bench) Impostors(ctx context.Context, part Part, e *exercises.Exercise, file task.Source, cases []exercises.TableCase) (Run, error) {
	var whole grader.Report
	var fields []grader.Field
	verdict := grader.Pass
	for _, m := range e.Impostors {
		text, err := e.File(m.File)
		if err != nil {
			return Run{}, err
		}
		whole, err = b.table(ctx, e, part.Label, []task.Source{{Path: e.Replaces[0].File, Name: m.File, Text: text}}, cases)
		if err != nil {
			return Run{}, err
		}
		if whole.Outcome != grader.Observed {
			return Run{Report: whole}, nil
		}
		field := rejected(m, whole.Fields)
		if !field.Agrees {
			verdict = grader.NeedsWork
		}
		fields = append(fields, field)
	}
	whole.Fields, whole.Verdict = fields, verdict
	return b.keepPart(part, []task.Source{file}, whole)
}

// rejected says whether one of the cases tells an impostor apart, and which.
func rejected(m exercises.Impostor, cases []grader.Field) grader.Field {
	field := grader.Field{Name: m.Name, Expected: world.StringValue("rejected"), Observed: world.StringValue("accepted by every case"), From: m.Summary}
	for _, c := range cases {
		if !c.Agrees {
			field.Agrees, field.Observed = true, world.StringValue("rejected")
			field.From = fmt.Sprintf("%s It is told apart by %q: expected %s, observed %s", m.Summary, c.Name, c.Expected, c.Observed)
			break
		}
	}
	return field
}

func (b *Bench) table(ctx context.Context, e *exercises.Exercise, label string, sources []task.Source, cases []exercises.TableCase) (grader.Report, error) {
	t, err := task.New(b.Task, e)
	if err != nil {
		return grader.Report{}, err
	}
	defer t.Close()
	report, err := t.Install(ctx, sources...)
	if err != nil || report.Outcome != "" {
		return report, err
	}
	return t.Table(ctx, label, cases)
}

// Digests are the sha256 of the files below a folder of the world that a run left, by their names in the folder. They are
// made from the run's operations, which must still have their bytes.
func Digests(log []operation.Entry, folder string) (map[string]string, error) {
	tree := operation.NewTree()
	for _, entry := range log {
		if err := tree.Apply(entry); err != nil {
			return nil, err
		}
	}
	digests := map[string]string{}
	for _, name := range tree.Files() {
		if base, ok := strings.CutPrefix(name, folder+"/"); ok {
			data, _ := tree.File(name)
			digests[base] = handoff.Digest(data)
		}
	}
	return digests, nil
}

// keepPart keeps a run for a part of a unit.
func (b *Bench) keepPart(part Part, sources []task.Source, report grader.Report) (Run, error) {
	report.Label = part.Label
	kept := attempt(sources, report)
	kept.Part = part.ID
	a, err := b.Work.AddAttempt(kept, WithoutData(report))
	return Run{Report: report, Attempt: a}, err
}

// Log is the operation log of one visible run, with the bytes that were written. Nothing is kept.
func (b *Bench) Log(ctx context.Context, e *exercises.Exercise, sources []task.Source) ([]operation.Entry, error) {
	t, err := task.New(b.Task, e)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	if report, err := t.Install(ctx, sources...); err != nil || report.Outcome != "" {
		return nil, err
	}
	report, err := t.Visible(ctx)
	return report.Operations, err
}
