package author

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"fieldbook/cmd/proctor/examine"
	"fieldbook/exercises/holdout"
	"fieldbook/grader"
	"fieldbook/grader/task"
)

// wrong is an answer that must fail something; file is its place below the exercise's holdouts.
func (s *subject) wrong(name, file string, source task.Source) job {
	file = path.Join(holdoutName, s.exercise.Name, file)
	var first kill
	j := s.job(name, func(ctx context.Context, i *Item) error {
		kills, err := s.kills(ctx, s.checker.Engines[0], source, s.checker.Long)
		if err != nil {
			return err
		}
		i.killed(file, kills)
		if len(kills) > 0 {
			first = kills[0]
		}
		s.listed(i, source.Name, first)
		return nil
	})
	j.then = func(ctx context.Context, i *Item) error { return s.agreesThatWrong(ctx, file, source, first, i) }
	return j
}

// listed holds that cases.yaml lists exactly the wrong solutions that a student learns of from the visible probe.
func (s *subject) listed(i *Item, name string, first kill) {
	name = strings.TrimSuffix(name, ".go")
	if i.Void || first.probe == theCompiler || len(s.set.Visible) == 0 || !slices.ContainsFunc(s.set.Wrong, func(c holdout.Candidate) bool { return c.Name == name }) {
		return
	}
	if seen, listed := first.probe == theVisibleProbe, slices.Contains(s.set.Visible, name); seen != listed {
		i.complain(path.Join(holdoutName, s.exercise.Name, casesName), 0, "the visible probe sees %s: %t; listed under visible: %t", name, seen, listed)
	}
}

// killed notes what an answer that must fail fails.
func (i *Item) killed(file string, kills []kill) {
	var names []string
	for _, k := range kills {
		if k.void {
			i.Void = true
		}
		names = append(names, k.String())
	}
	if len(kills) == 0 {
		i.complain(file, 0, "no probe fails it: neither the visible one nor a holdout tells it from a right answer")
		return
	}
	i.Saw = "fails " + strings.Join(names, ", ")
}

// What can fail an answer besides the holdouts, which have names of their own.
const (
	theCompiler     = "the compiler"
	theVisibleProbe = "the visible probe"
	theCrashMatrix  = "the crash matrix"
)

// kill is one thing that an answer fails.
type kill struct {
	probe   string // "the visible probe", "every-row", "the crash matrix", "the compiler"
	outcome grader.Outcome
	draw    *examine.Draw // of a holdout
	void    bool          // our machine failed: it kills nothing
}

func (k kill) String() string {
	if k.outcome == grader.Observed || k.outcome == "" {
		return k.probe
	}
	return fmt.Sprintf("%s (%s)", k.probe, k.outcome)
}

// kills runs an answer against everything until something fails it, or to the end: visible probe, holdouts, crash matrix.
// The matrix is explored only where nothing else fails it.
func (s *subject) kills(ctx context.Context, engine Engine, source task.Source, all bool) ([]kill, error) {
	t, err := engine.Tasks(s.exercise)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	report, err := t.Install(ctx, source)
	if err != nil {
		return nil, err
	}
	if report.Outcome != "" {
		return []kill{{probe: theCompiler, outcome: report.Outcome}}, nil
	}
	var kills []kill
	if report, err = t.Visible(ctx); err != nil {
		return nil, err
	}
	if report.Verdict != grader.Pass {
		kills = append(kills, kill{probe: theVisibleProbe, outcome: report.Outcome, void: report.Verdict == grader.Void})
	}
	examination := s.bench.Examine(t)
	for _, d := range s.draws {
		if len(kills) > 0 && !all {
			return kills, nil
		}
		o, err := examination.Once(ctx, d)
		if err != nil {
			return nil, err
		}
		if o.Verdict != grader.Pass {
			kills = append(kills, kill{probe: o.Case, outcome: o.Report.Outcome, draw: &d, void: o.Verdict == grader.Void})
		}
	}
	if len(kills) == 0 && s.exercise.Crash != nil {
		matrix, _, err := t.Crash(ctx, task.Exploration{})
		if err != nil {
			return nil, err
		}
		if matrix != nil && matrix.Verdict != grader.Pass {
			kills = append(kills, kill{probe: theCrashMatrix, outcome: matrix.Outcome, void: matrix.Verdict == grader.Void})
		}
	}
	return kills, nil
}

// agreesThatWrong holds that what fails an answer in the first engine fails it in the others too. A crash matrix is explored
// in the first engine alone.
func (s *subject) agreesThatWrong(ctx context.Context, file string, source task.Source, first kill, i *Item) error {
	if first.probe == theCrashMatrix {
		return nil
	}
	for _, engine := range s.checker.Engines[1:] {
		var draws []examine.Draw
		if first.draw != nil {
			draws = append(draws, *first.draw)
		}
		failing, void, err := s.fails(ctx, engine, source, draws)
		switch {
		case err != nil:
			return err
		case void != nil:
			i.void(*void)
		case len(failing) == 0:
			i.complain(file, 0, "the engines disagree: with %s it passes %s", engine.Name, first.probe)
		default:
			i.Saw += ", with " + engine.Name + " too"
		}
	}
	return nil
}

// impostors are the wrong functions of a direct exercise, which its visible table must tell from a right one.
func (s *subject) impostors() []job {
	var jobs []job
	for _, m := range s.exercise.Impostors {
		jobs = append(jobs, s.job("impostor "+m.Name, func(ctx context.Context, i *Item) error {
			text, err := s.exercise.File(m.File)
			if err != nil {
				return err
			}
			return s.failsVisibly(ctx, m.File, text, i)
		}))
	}
	return jobs
}

// failsVisibly holds that an answer runs, and fails the visible probe.
func (s *subject) failsVisibly(ctx context.Context, file string, text []byte, i *Item) error {
	report, err := s.visible(ctx, file, text)
	if err != nil {
		return err
	}
	where := s.exercise.Name + "/" + file
	switch {
	case report.Verdict == grader.Void:
		i.void(report)
	case len(report.Diagnostics) > 0:
		i.refused(where, report)
	case report.Verdict == grader.Pass:
		i.complain(where, 0, "it passes the visible probe, which should tell it from a right answer")
	}
	i.Saw = "fails the visible probe: " + strings.Join(differing(task.CaseResult{Report: report}), "; ")
	return nil
}

// visible runs a file in the learner's place.
func (s *subject) visible(ctx context.Context, name string, text []byte) (grader.Report, error) {
	t, err := s.checker.Engines[0].Tasks(s.exercise)
	if err != nil {
		return grader.Report{}, err
	}
	defer t.Close()
	report, err := t.Install(ctx, task.Source{Path: s.exercise.Replaces[0].File, Name: name, Text: text})
	if err != nil || report.Outcome != "" {
		return report, err
	}
	return t.Visible(ctx)
}
