package author

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"fieldbook/cmd/proctor/examine"
	"fieldbook/exercises"
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

// fault holds that a declared fault is found in the reference and shows what is declared.
func (s *subject) fault(ctx context.Context, i *Item, f exercises.Fault) error {
	where := s.exercise.Name + "/" + manifestName
	sources := []task.Source{examine.Source(s.set.Solution)}
	if s.checker.Long {
		for _, v := range s.set.Variants {
			sources = append(sources, examine.Source(v))
		}
	}
	tried := 0
	for _, source := range sources {
		t, err := s.checker.Engines[0].Tasks(s.exercise)
		if err != nil {
			return err
		}
		report, err := t.Install(ctx, source)
		if err != nil || report.Outcome != "" {
			t.Close()
			return err
		}
		injection, err := t.InjectFault(ctx, f.Name)
		t.Close()
		if err != nil {
			return err
		}
		switch {
		case !injection.Found:
			i.complain(where, 0, "the fault %s is found neither in %s nor in the supplied file", f.Name, source.Name)
		case f.Kind == exercises.Matched && injection.Supplied:
			i.complain(where, 0, "no small edit of %s gives the fault %s; only the supplied file shows it", source.Name, f.Name)
		default:
			tried++
			i.Saw = fmt.Sprintf("found in %d right answers, in this one at line %d, by edit %d of %d", tried, injection.Edit.Line, injection.Candidate, injection.Candidates)
		}
	}
	if f.Supplied == "" {
		return nil
	}
	text, err := s.exercise.File(f.Supplied)
	if err != nil {
		return err
	}
	report, err := s.visible(ctx, f.Supplied, text)
	if err != nil {
		return err
	}
	for _, b := range f.Broken {
		for _, field := range report.Fields {
			if field.Name == b.Field && !field.Observed.Equal(b.Value) {
				i.complain(s.exercise.Name+"/"+f.Supplied, 0, "under the fault %s is %s, and declared is %s", b.Field, field.Observed, b.Value)
			}
		}
	}
	if report.Outcome != grader.Observed {
		i.refused(s.exercise.Name+"/"+f.Supplied, report)
	}
	return nil
}

// crash holds that in no state that a crash of the solution can leave an invariant is broken.
func (s *subject) crash(ctx context.Context, i *Item) error {
	sources := []task.Source{examine.Source(s.set.Solution)}
	if s.checker.Long {
		for _, v := range s.set.Variants {
			sources = append(sources, examine.Source(v))
		}
	}
	for _, source := range sources {
		t, err := s.checker.Engines[0].Tasks(s.exercise)
		if err != nil {
			return err
		}
		report, err := t.Install(ctx, source)
		if err != nil || report.Outcome != "" {
			t.Close()
			return err
		}
		matrix, report, err := t.Crash(ctx, task.Exploration{})
		t.Close()
		switch {
		case err != nil:
			return err
		case matrix == nil:
			i.refused(s.exercise.Name+"/"+manifestName, report)
		case matrix.Verdict == grader.Void:
			i.void(grader.Report{Cause: matrix.Cause})
		case matrix.Verdict != grader.Pass:
			i.complain(s.exercise.Name+"/"+manifestName, 0, "after a crash of %s an invariant is broken; see: fieldbook crash %s", source.Name, s.exercise.Name)
		default:
			i.Saw = fmt.Sprintf("%d operations, %d distinct states, every invariant holds", len(matrix.Operations), len(matrix.States))
		}
	}
	return nil
}

// nearMisses holds that outputs which are nearly right are noticed.
func (s *subject) nearMisses(ctx context.Context, i *Item) error {
	t, err := s.checker.Engines[0].Tasks(s.exercise)
	if err != nil {
		return err
	}
	defer t.Close()
	if report, err := t.Install(ctx, examine.Source(s.set.Solution)); err != nil || report.Outcome != "" {
		return err
	}
	examination := s.bench.Examine(t)
	all := 0
	for _, d := range examine.Draws(s.set, s.checker.Seeds[:1]) {
		missed, tried, err := examination.NearMisses(ctx, d)
		if err != nil {
			return err
		}
		all += tried
		for _, m := range missed {
			i.complain(path.Join(holdoutName, s.exercise.Name, casesName), 0, "the case %s does not notice %s", d.Case.Name, m)
		}
	}
	i.Saw = fmt.Sprintf("%d outputs that are nearly right, all noticed", all)
	return nil
}
