package course

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"fieldbook/exercises"
	"fieldbook/exercises/strict"
	"fieldbook/grader"
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
