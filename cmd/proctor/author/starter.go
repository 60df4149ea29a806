package author

import (
	"context"

	"fieldbook/grader"
	"fieldbook/grader/task"
)

// starter is what a student begins with: it must be unfinished, wherever it is run.
func (s *subject) starter() job {
	name := s.exercise.Replaces[0].Starter
	return s.job("starter", func(ctx context.Context, i *Item) error {
		text, err := s.exercise.File(name)
		if err != nil {
			return err
		}
		t, err := s.checker.Engines[0].Tasks(s.exercise)
		if err != nil {
			return err
		}
		defer t.Close()
		where := s.exercise.Name + "/" + name
		report, err := t.Install(ctx, task.Source{Path: s.exercise.Replaces[0].File, Name: name, Text: text})
		if err != nil {
			return err
		}
		if report.Outcome != "" {
			i.refused(where, report)
			return nil
		}
		if report, err = t.Visible(ctx); err != nil {
			return err
		}
		i.unfinished(where, "the visible probe", report)
		draws := s.draws
		if !s.checker.Long {
			draws = draws[:min(len(draws), 1)]
		}
		examination := s.bench.Examine(t)
		for _, d := range draws {
			o, err := examination.Once(ctx, d)
			if err != nil {
				return err
			}
			i.unfinished(where, "the holdout "+o.Case, o.Report)
		}
		i.Saw = "unfinished"
		return nil
	})
}

func (i *Item) unfinished(file, probe string, report grader.Report) {
	switch {
	case report.Verdict == grader.Void:
		i.void(report)
	case report.Outcome == grader.Unfinished:
	default:
		i.complain(file, 0, "%s does not find the starter unfinished, but %s", probe, report.Outcome)
	}
}
