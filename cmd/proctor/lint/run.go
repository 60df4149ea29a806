package lint

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"

	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/task"
	teaching "fieldbook/runtime"
	"fieldbook/runtime/world"
	"fieldbook/units"
)

// Run executes what the unit supplies, in the sandbox: each example must print what is recorded, the demonstration must be
// observed as it is described, and each challenge must be met by the reference and not by the demonstration.
func Run(ctx context.Context, o task.Options, u *units.Unit) ([]grader.Diagnostic, error) {
	if u.Language() != units.Base {
		return nil, nil // programs are shared by all languages, and what they must show is a part that Unit compares
	}
	r := &runner{linter: linter{unit: u}, options: o}
	for _, e := range u.Examples() {
		if err := r.example(ctx, e); err != nil {
			return nil, err
		}
	}
	if err := r.probes(ctx); err != nil {
		return nil, err
	}
	return r.found, nil
}

type runner struct {
	linter
	options task.Options
}

// Output is what an example prints when it runs as a student's own program does, and the report of that run.
func Output(ctx context.Context, o task.Options, u *units.Unit, e units.Example) (string, grader.Report, error) {
	source, err := u.Source(e.File())
	if err != nil {
		return "", grader.Report{}, err
	}
	folder, err := os.MkdirTemp("", "fieldbook-example-")
	if err != nil {
		return "", grader.Report{}, err
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, e.Name+".go")
	if err := os.WriteFile(file, source, 0o600); err != nil {
		return "", grader.Report{}, err
	}
	report, err := task.Try(ctx, o, file)
	return report.Output.Text, report, err
}

func (r *runner) example(ctx context.Context, e units.Example) error {
	output, report, err := Output(ctx, r.options, r.unit, e)
	if err != nil {
		return fmt.Errorf("run the example %s: %w", e.Name, err)
	}
	switch recorded := r.text(e.Recorded()); {
	case report.Verdict != grader.Pass:
		r.complain(e.File(), 0, "the example does not run: %s %s", report.Outcome, report.Cause)
	case output != recorded:
		r.complain(e.Recorded(), 0, "the example prints\n%swhere this is recorded:\n%s", output, recorded)
	}
	return nil
}

// probes runs the demonstrations and challenges of the unit's steps.
func (r *runner) probes(ctx context.Context) error {
	e, err := exercises.Named(r.unit.Exercise)
	if err != nil {
		return err
	}
	reference, err := references(e)
	if err != nil {
		return err
	}
	var naive []task.Source
	for _, s := range r.unit.Steps {
		if d := s.Demonstration; d != nil {
			text, err := r.unit.Source(d.Source)
			if err != nil {
				return err
			}
			naive = append([]task.Source{{Path: reference[0].Path, Name: path.Base(d.Source), Text: text}}, reference[1:]...)
			if err := r.probe(ctx, e, naive, "the demonstration", d.Source, d.Observed, true); err != nil {
				return err
			}
		}
	}
	for _, s := range r.unit.Steps {
		for _, c := range s.Challenges {
			if err := r.probe(ctx, e, reference, "the reference", c.Probe, c.Expect, true); err != nil {
				return err
			}
			if naive == nil {
				continue
			}
			if err := r.probe(ctx, e, naive, "the demonstration", c.Probe, c.Expect, false); err != nil {
				return err
			}
		}
	}
	return nil
}

// probe runs sources under a probe of the unit, or under the exercise's own when name is no probe, and complains unless
// they meet the fields, or miss them, as wanted.
func (r *runner) probe(ctx context.Context, e *exercises.Exercise, sources []task.Source, who, name string, fields []units.Field, meets bool) error {
	t, err := task.New(r.options, e)
	if err != nil {
		return err
	}
	defer t.Close()
	report, err := t.Install(ctx, sources...)
	if err != nil {
		return err
	}
	if report.Outcome != "" {
		r.complain(name, 0, "%s does not compile: %v", who, report.Diagnostics)
		return nil
	}
	text, err := r.unit.Source(name)
	if err != nil {
		return err
	}
	if !bytes.Contains(text, []byte("package probe\n")) {
		if text, err = e.File(e.Probe); err != nil {
			return err
		}
	}
	if report, err = t.Run(ctx, "LINT", path.Base(name), text, expectations(fields)); err != nil {
		return fmt.Errorf("run %s: %w", name, err)
	}
	if report.Outcome != grader.Observed {
		r.complain(name, 0, "%s ends with %s: %s %v", who, report.Outcome, report.Cause, report.Diagnostics)
		return nil
	}
	if pass := report.Verdict == grader.Pass; pass != meets {
		r.complain(name, 0, "%s gives %s: %v", who, report.Verdict, observed(report))
	}
	return nil
}

func observed(report grader.Report) map[string]world.Value {
	values := map[string]world.Value{}
	for _, f := range report.Fields {
		values[f.Name] = f.Observed
	}
	return values
}

// expectations is what the fields of a unit are for the grader.
func expectations(fields []units.Field) []exercises.Expectation {
	var list []exercises.Expectation
	for _, f := range fields {
		list = append(list, exercises.Expectation{Field: f.Field, Expected: f.Value, Meaning: f.Meaning, From: "what the probe says", Artifact: f.Artifact, Query: f.Query})
	}
	return list
}

func references(e *exercises.Exercise) ([]task.Source, error) {
	var sources []task.Source
	for _, replaced := range e.Replaces {
		text, err := teaching.Source(replaced.File)
		if err != nil {
			return nil, err
		}
		sources = append(sources, task.Source{Path: replaced.File, Name: replaced.File, Text: text})
	}
	return sources, nil
}
