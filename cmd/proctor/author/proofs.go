package author

import (
	"context"
	"fmt"
	"path"

	"fieldbook/cmd/proctor/examine"
	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/crash"
	"fieldbook/grader/task"
)

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
			s.broken(i, source.Name, matrix)
		default:
			i.Saw = fmt.Sprintf("%d operations, %d distinct states, every invariant holds", len(matrix.Operations), len(matrix.States))
		}
	}
	return nil
}

// broken complains about what does not hold in a right answer's matrix.
func (s *subject) broken(i *Item, answer string, m *crash.Matrix) {
	where := s.exercise.Name + "/" + manifestName
	if m.Outcome != grader.Observed || m.Cause != "" {
		i.complain(where, 0, "the crashes of %s are not explored: %s", answer, m.Cause)
		return
	}
	for _, c := range m.Invariants {
		if after, _, broken := m.Broken(c.ID); broken {
			i.complain(where, 0, "a crash of %s after operation %d breaks %s: %s", answer, after, c.ID, c.Text)
		}
	}
	for _, f := range m.Faults {
		for _, b := range f.Broken {
			i.complain(where, 0, "%s, operation %d refused (%s): %s", answer, f.Operation, f.Kind, b.Reason)
		}
	}
	if len(i.Complaints) == 0 {
		i.complain(where, 0, "the crash matrix of %s does not hold; see: fieldbook crash %s", answer, s.exercise.Name)
	}
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
