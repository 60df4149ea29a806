package course

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/task"
	"fieldbook/units"
)

func (s *Session) performOwnProbe(ctx context.Context, a *Activity, e *exercises.Exercise) (workbench.Run, error) {
	if err := s.Prepare(ctx, a); err != nil {
		return workbench.Run{}, err
	}
	fields, err := s.OwnExpectation()
	if err != nil {
		return workbench.Run{}, err
	}
	text, err := os.ReadFile(s.Bench.Work.Path(ProbePlace))
	if err != nil {
		return workbench.Run{}, err
	}
	var want []exercises.Expectation
	for _, f := range fields {
		want = append(want, f.Expectation)
	}
	part := workbench.Part{ID: a.part(), Label: task.LabelTransfer}
	return s.Bench.Probe(ctx, part, e, nil, task.Source{Path: ProbePlace, Name: ProbePlace, Text: text}, true, want)
}

// performCases runs the table and the student's own cases in one run.
func (s *Session) performCases(ctx context.Context, a *Activity, e *exercises.Exercise) (workbench.Run, error) {
	own, file, err := s.ownFile(ctx, a, e)
	if err != nil {
		return workbench.Run{}, err
	}
	cases := slices.Clone(e.Table)
	for _, c := range own {
		cases = append(cases, c.TableCase)
	}
	return s.Bench.Cases(ctx, workbench.Part{ID: a.part(), Label: workbench.LabelCases}, e, file, cases)
}

// performImpostors runs the impostors on the student's own cases.
func (s *Session) performImpostors(ctx context.Context, a *Activity, e *exercises.Exercise) (workbench.Run, error) {
	own, file, err := s.ownFile(ctx, a, e)
	if err != nil {
		return workbench.Run{}, err
	}
	if len(own) == 0 {
		return workbench.Run{}, &grader.Error{Code: "no_cases", Message: "you have kept no case yet", Hint: "Write cases of your own into " + CasesPlace(e) + ".", Exit: grader.ExitUsage}
	}
	var cases []exercises.TableCase
	for _, c := range own {
		cases = append(cases, c.TableCase)
	}
	return s.Bench.Impostors(ctx, workbench.Part{ID: a.part(), Label: workbench.LabelImpostor}, e, file, cases)
}

func (s *Session) ownFile(ctx context.Context, a *Activity, e *exercises.Exercise) ([]OwnCase, task.Source, error) {
	if err := s.Prepare(ctx, a); err != nil {
		return nil, task.Source{}, err
	}
	place := CasesPlace(e)
	text, err := os.ReadFile(s.Bench.Work.Path(place))
	if err != nil {
		return nil, task.Source{}, err
	}
	own, err := s.OwnCases(e)
	return own, task.Source{Path: place, Name: place, Text: text}, err
}

// kept says which cases are still to be kept before an activity is finished, "" when none is.
func (s *Session) kept(a *Activity) string {
	switch a.Kind {
	case OwnProbe:
		if s.unchanged(a) {
			return s.Words.Say("The probe in %s is still the visible one: edit it until it shows what you chose.", ProbePlace)
		}
		fields, err := s.OwnExpectation()
		if err != nil {
			return grader.AsError(err).Message
		}
		for _, wanted := range []string{ValidCase, RefusedCase} {
			if !slices.ContainsFunc(fields, func(f OwnField) bool { return f.Case == wanted }) {
				return s.Words.Say("No field belongs to a %s case yet.", wanted)
			}
		}
	case Cases:
		e, err := exercises.Named(a.exercise)
		if err != nil {
			return err.Error()
		}
		own, err := s.OwnCases(e)
		if err != nil {
			return grader.AsError(err).Message
		}
		if len(own) < 2 || !slices.ContainsFunc(own, func(c OwnCase) bool { return !c.Expected.Equal(own[0].Expected) }) {
			return s.Words.Say("Keep one case that is accepted and one that is refused in %s.", CasesPlace(e))
		}
	}
	return ""
}

// unchanged reports whether the student's own probe is still the copy that it began as.
func (s *Session) unchanged(a *Activity) bool {
	e, err := exercises.Named(a.exercise)
	if err != nil {
		return false
	}
	supplied, err := e.File(e.Probe)
	if err != nil {
		return false
	}
	own, err := os.ReadFile(s.Bench.Work.Path(ProbePlace))
	return err == nil && bytes.Equal(own, withoutConstraint(supplied))
}

// Own is what stands in the student's own file of an activity: the fields that they expect, or the cases that they added.
func (s *Session) Own(a *Activity) ([]Row, error) {
	var rows []Row
	switch a.Kind {
	case OwnProbe:
		fields, err := s.OwnExpectation()
		for _, f := range fields {
			rows = append(rows, Row{Name: f.Field, Expected: f.Expected.String(), Meaning: strings.TrimSuffix(f.Case+" case, "+f.Meaning, ", ")})
		}
		return rows, err
	case Cases, Impostors:
		e, err := exercises.Named(a.exercise)
		if err != nil {
			return nil, err
		}
		cases, err := s.OwnCases(e)
		for _, c := range cases {
			rows = append(rows, Row{Name: c.Name, Expected: c.Expected.String(), Meaning: s.Words.Say("from %q: %s", c.From, c.Changed)})
		}
		return rows, err
	}
	return nil, nil
}

// Missing is what is still to be kept in an activity that has run, "" when nothing is.
func (s *Session) Missing(a *Activity) string {
	if s.Result(a) == nil {
		return ""
	}
	return s.kept(a)
}

// StartFresh puts the first solution of an exercise aside and the starter in its place. It does so once.
func (s *Session) StartFresh(a *Activity) (backup string, err error) {
	if s.started(a) {
		return "", nil
	}
	e, err := exercises.Named(a.exercise)
	if err != nil {
		return "", err
	}
	starters, err := workbench.Starters(e)
	if err != nil {
		return "", err
	}
	for _, starter := range starters {
		kept, err := s.Bench.Work.Reset(starter)
		if err != nil {
			return "", err
		}
		backup = kept.ID
	}
	record := s.record(a)
	record.Answers = append(record.Answers, workspace.Answer{Kind: a.ID, Text: backup, Time: s.now().UTC().Truncate(time.Second)})
	return backup, s.Bench.Work.SaveProgress(s.Progress)
}

// Found reports whether the student named the line of the probe that calls their function, and which lines do.
func (s *Session) Found(a *Activity) (right bool, calls string) {
	u, err := units.Named(s.Bench.Units, a.unit)
	if err != nil {
		return false, ""
	}
	e, err := exercises.Named(a.exercise)
	if err != nil {
		return false, ""
	}
	text, err := e.File(e.Probe)
	if err != nil {
		return false, ""
	}
	call := u.Step(a.step).Find.Call
	name := path.Base(e.Probe)
	for i, line := range strings.Split(string(text), "\n") {
		code, _, _ := strings.Cut(line, "//")
		if !strings.Contains(code, call) {
			continue
		}
		calls = fmt.Sprintf("%s:%d", name, i+1)
		answer := s.Texts(a)[0]
		right = right || strings.Contains(answer, name) && hasWord(answer, fmt.Sprint(i+1))
	}
	return right, calls
}
