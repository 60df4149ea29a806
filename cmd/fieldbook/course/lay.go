package course

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/task"
	"fieldbook/units"
)

// Prepare lays out the files that an activity lets the student edit, where they are not yet.
func (s *Session) Prepare(ctx context.Context, a *Activity) error {
	u, err := units.Named(s.Bench.Units, a.unit)
	if err != nil {
		return err
	}
	lay := func(place string, text []byte, err error) error {
		if err == nil {
			err = s.Bench.Work.Lay(place, text)
		}
		return err
	}
	switch a.Kind {
	case Example:
		text, err := u.ExampleSource(u.Step(a.step), *a.example)
		return lay(ExamplePlace(*a.example), text, err)
	case OwnProbe:
		e, err := exercises.Named(a.exercise)
		if err != nil {
			return err
		}
		text, err := e.File(e.Probe)
		if err := lay(ProbePlace, withoutConstraint(text), err); err != nil {
			return err
		}
		return lay(ExpectationPlace, []byte(s.expectationTemplate()), nil)
	case Cases, Impostors:
		e, err := exercises.Named(a.exercise)
		if err != nil {
			return err
		}
		if _, err := os.Stat(s.Bench.Work.Path(CasesPlace(e))); err == nil {
			return nil
		}
		return lay(CasesPlace(e), s.casesTemplate(ctx, u, u.Step(a.step), e), nil)
	}
	return nil
}

// withoutConstraint takes the line off that keeps a file out of the course's own build.
func withoutConstraint(text []byte) []byte {
	if after, ok := strings.CutPrefix(string(text), "//go:build exercise\n"); ok {
		return []byte(strings.TrimPrefix(after, "\n"))
	}
	return text
}

// expectationTemplate is the student's file of expectations before there are any: its form.
func (s *Session) expectationTemplate() string {
	return s.Words.Say(`# What you expect of your own probe, written before it runs. Each field that the probe stores has its value here: true, 3,
# a text, or null. case says what the field belongs to: valid, where your function must succeed, or refused, where something
# must be refused. Keep at least one of each.
#
#   - {field: restore_error, expected: null, case: valid, meaning: "the backup is sound"}
`) + "expect: []\n"
}

// casesTemplate is the student's file of cases before there are any: its form, and the digests of their own backup folder.
func (s *Session) casesTemplate(ctx context.Context, u *units.Unit, step *units.Step, e *exercises.Exercise) []byte {
	var b strings.Builder
	b.WriteString(s.Words.Say("# Your own cases of %s. Each names the case of the table that it starts from, and the one condition\n# that you changed. Keep at least one that is accepted and one that is refused.\n#\n# The cases of the table:\n", e.Name))
	for _, c := range e.Table {
		fmt.Fprintf(&b, "#   %q\n", c.Name)
	}
	if digests, from := s.ownDigests(ctx, u, step); len(digests) > 0 {
		b.WriteString(s.Words.Say("#\n# The files in %s of your passing run %s, with their digests:\n", step.Transfer.Folder, from))
		for _, name := range slices.Sorted(maps.Keys(digests)) {
			fmt.Fprintf(&b, "#   %s: %s\n", name, digests[name])
		}
	}
	if len(e.Table) > 0 {
		c := e.Table[0]
		b.WriteString(s.Words.Say("#\n# The form:\n#   - name: ...\n#     from: %q\n#     changed: ...\n#     args:\n", c.Name))
		for _, arg := range c.Args {
			fmt.Fprintf(&b, "#       - %s\n", arg)
		}
		fmt.Fprintf(&b, "#     expected: %s\n", c.Expected)
	}
	b.WriteString("cases: []\n")
	return []byte(b.String())
}

// ownDigests are the digests of the files that the student's last passing run left in the folder of the transfer. The run's
// source is executed once more for it: a kept run has no bytes.
func (s *Session) ownDigests(ctx context.Context, u *units.Unit, step *units.Step) (digests map[string]string, from string) {
	if step.Transfer == nil || step.Transfer.Folder == "" {
		return nil, ""
	}
	e, err := exercises.Named(u.ExerciseOf(step))
	if err != nil {
		return nil, ""
	}
	attempts, err := s.Bench.Work.ListAttempts(e.Name)
	if err != nil {
		return nil, ""
	}
	for _, a := range slices.Backward(attempts) {
		if a.Verdict != grader.Pass {
			continue
		}
		var sources []task.Source
		for _, source := range a.Sources {
			text, err := s.Bench.Work.AttemptText(a, source)
			if err != nil {
				return nil, ""
			}
			sources = append(sources, task.Source{Path: source.Path, Name: source.Name, Text: text})
		}
		log, err := s.Bench.Log(ctx, e, sources)
		if err != nil {
			return nil, ""
		}
		digests, err = workbench.Digests(log, step.Transfer.Folder)
		if err != nil {
			return nil, ""
		}
		return digests, a.Evidence()
	}
	return nil, ""
}
