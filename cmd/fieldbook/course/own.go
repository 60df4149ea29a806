package course

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/exercises"
	"fieldbook/exercises/strict"
	"fieldbook/grader"
	"fieldbook/grader/task"
	"fieldbook/units"
)

// Where the student's own probe lies in the workspace, and what they expect of it.
const (
	ProbePlace       = "my_transfer/probe.go"
	ExpectationPlace = "my_transfer/expected.yaml"
)

// CasesPlace is where the student's own cases of a direct exercise lie in the workspace.
func CasesPlace(e *exercises.Exercise) string { return "cases/" + e.Name + ".yaml" }

// Whose case a field of MY_TRANSFER is: one in which the function must succeed, or one in which something is refused.
const (
	ValidCase   = "valid"
	RefusedCase = "refused"
)

// OwnField is a field that the student's own probe must observe.
type OwnField struct {
	exercises.Expectation
	Case string // ValidCase or RefusedCase
}

// UnmarshalYAML reads a field with its typed value.
func (f *OwnField) UnmarshalYAML(n *yaml.Node) error {
	var doc struct {
		Field    string    `yaml:"field"`
		Case     string    `yaml:"case"`
		Meaning  string    `yaml:"meaning"`
		Expected yaml.Node `yaml:"expected"`
	}
	if err := strict.Load(n, &doc); err != nil {
		return err
	}
	value, err := strict.Value(&doc.Expected)
	f.Expectation = exercises.Expectation{Field: doc.Field, Meaning: doc.Meaning, Expected: value, From: doc.Case + " case"}
	f.Case = doc.Case
	return err
}

// OwnCase is a case that the student added to a direct exercise's table.
type OwnCase struct {
	exercises.TableCase
	From    string // the case of the table that it starts from
	Changed string // the one condition that was changed
}

// UnmarshalYAML reads a case with its typed arguments and result.
func (c *OwnCase) UnmarshalYAML(n *yaml.Node) error {
	var doc struct {
		Name     string      `yaml:"name"`
		From     string      `yaml:"from"`
		Changed  string      `yaml:"changed"`
		Args     []yaml.Node `yaml:"args"`
		Expected yaml.Node   `yaml:"expected"`
	}
	if err := strict.Load(n, &doc); err != nil {
		return err
	}
	*c = OwnCase{TableCase: exercises.TableCase{Name: doc.Name}, From: doc.From, Changed: doc.Changed}
	for i := range doc.Args {
		value, err := strict.Value(&doc.Args[i])
		if err != nil {
			return err
		}
		c.Args = append(c.Args, value)
	}
	var err error
	c.Expected, err = strict.Value(&doc.Expected)
	return err
}

// OwnExpectation reads what the student expects of their own probe.
func (s *Session) OwnExpectation() ([]OwnField, error) {
	var doc struct {
		Expect []OwnField `yaml:"expect"`
	}
	read, err := s.readOwn(ExpectationPlace, &doc)
	if err != nil {
		return nil, err
	}
	var found []grader.Diagnostic
	for i, f := range doc.Expect {
		if strings.TrimSpace(f.Field) == "" || f.Case != ValidCase && f.Case != RefusedCase {
			found = append(found, strict.Complaint(ExpectationPlace, read.Line("expect", i), "a field needs field, expected, and case: valid or refused"))
		}
	}
	if len(doc.Expect) == 0 {
		found = append(found, strict.Complaint(ExpectationPlace, read.Line("expect"), "no field is expected yet"))
	}
	return doc.Expect, unreadable(strict.Join(found))
}

// OwnCases reads the student's own cases of a direct exercise. A file that is not there yet has none.
func (s *Session) OwnCases(e *exercises.Exercise) ([]OwnCase, error) {
	if _, err := os.Stat(s.Bench.Work.Path(CasesPlace(e))); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var doc struct {
		Cases []OwnCase `yaml:"cases"`
	}
	read, err := s.readOwn(CasesPlace(e), &doc)
	if err != nil {
		return nil, err
	}
	var found []grader.Diagnostic
	complain := func(i int, format string, args ...any) {
		found = append(found, strict.Complaint(CasesPlace(e), read.Line("cases", i), format, args...))
	}
	for i, c := range doc.Cases {
		known := slices.ContainsFunc(e.Table, func(t exercises.TableCase) bool { return t.Name == c.From })
		switch {
		case strings.TrimSpace(c.Name) == "":
			complain(i, "a case needs a name")
		case !known:
			complain(i, "from is %q; it must name a case of the table: %s", c.From, tableNames(e))
		case strings.TrimSpace(c.Changed) == "":
			complain(i, "changed must say which one condition differs from %q", c.From)
		default:
			if err := exercises.Callable(e.Function().Signature, c.TableCase); err != nil {
				complain(i, "%v", err)
			}
		}
	}
	return doc.Cases, unreadable(strict.Join(found))
}

func tableNames(e *exercises.Exercise) string {
	var names []string
	for _, c := range e.Table {
		names = append(names, fmt.Sprintf("%q", c.Name))
	}
	return strings.Join(names, ", ")
}

func (s *Session) readOwn(place string, into any) (*strict.Document, error) {
	text, err := os.ReadFile(s.Bench.Work.Path(place))
	if err != nil {
		return nil, err
	}
	doc, err := strict.Decode(place, text, into)
	return doc, unreadable(err)
}

// unreadable says of a student's own file what is wrong with it.
func unreadable(err error) error {
	if err == nil {
		return nil
	}
	return &grader.Error{Code: "own_file", Message: err.Error(), Hint: "Mend the file and run again; the comment at its top shows the form.", Exit: grader.ExitUsage, Cause: err}
}

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
