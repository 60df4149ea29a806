package main

import (
	"fmt"
	"strings"

	"fieldbook/cmd/proctor/examine"
	"fieldbook/exercises"
	"fieldbook/exercises/holdout"
	"fieldbook/grader"
	"fieldbook/grader/probe"
	"fieldbook/grader/report"
	"fieldbook/runtime/world"
)

// caseResult is one case under one seed.
type caseResult struct {
	Case    string         `json:"case"`
	Seed    uint64         `json:"seed"`
	Verdict grader.Verdict `json:"verdict"`
	Result  string         `json:"result"` // digest of what it shows
	Holds   string         `json:"holds"`
	Weight  int            `json:"weight"`
	*findings
}

// findings are what a case that did not pass shows.
type findings struct {
	Report      grader.Report      `json:"report"`
	Differences []probe.Difference `json:"differences,omitempty"`
	Missing     []exercises.Step   `json:"missing,omitempty"`
	Second      *grader.Report     `json:"second,omitempty"`
	Apart       []probe.Difference `json:"apart,omitempty"`
}

func newCaseResult(o examine.Outcome) caseResult {
	c := caseResult{
		Case: o.Case, Seed: o.Draw.Seed, Verdict: o.Verdict, Result: o.Result,
		Holds: o.Draw.Case.Holds, Weight: o.Draw.Case.Weight,
	}
	if o.Verdict != grader.Pass {
		c.findings = newFindings(o)
	}
	return c
}

func newFindings(o examine.Outcome) *findings {
	return &findings{Report: o.Report, Differences: o.Differences, Missing: o.Missing, Second: o.Second, Apart: o.Apart}
}

// smallestCase is a failing case made as plain as it can be.
type smallestCase struct {
	Case   string                  `json:"case"`
	Seed   uint64                  `json:"seed"`
	Values map[string]*world.Value `json:"values"`
	Tries  int                     `json:"tries"`
	*findings

	parameters []holdout.Parameter
}

func newSmallestCase(o examine.Outcome, tries int) *smallestCase {
	s := &smallestCase{Case: o.Case, Seed: o.Draw.Seed, Values: map[string]*world.Value{}, Tries: tries, findings: newFindings(o), parameters: o.Draw.Case.Parameters}
	for name, value := range o.Draw.Values {
		s.Values[name] = &value
	}
	return s
}

// words are the values in the order of their names. A parameter that has one value says nothing.
func (s *smallestCase) words() string {
	var words []string
	for _, p := range s.parameters {
		if len(p.Choose) != 1 {
			words = append(words, p.Name+" "+s.Values[p.Name].String())
		}
	}
	return strings.Join(words, ", ")
}

// words say from which seeds the cases were drawn.
func (o holdoutOptions) words() string {
	if o.seeds == 1 {
		return fmt.Sprintf("Seed %d", o.seed)
	}
	return fmt.Sprintf("Seeds %d to %d", o.seed, o.seed+o.seeds-1)
}

func (p *program) printHoldout(r fileResult, o holdoutOptions) {
	switch {
	case r.Error != nil:
		fmt.Fprintf(p.out, "%s: %s\n  %s\n", r.File, strings.TrimSpace(string(r.Verdict)+" "+r.Error.Message), r.Error.Hint)
		return
	case r.Install != nil:
		fmt.Fprintf(p.out, "%s: %s, it cannot be run (%s)\n", r.File, r.Verdict, r.Install.Outcome)
		p.printLines(lines(&findings{Report: *r.Install}))
		return
	}
	passed := 0
	for _, c := range r.Cases {
		if c.Verdict == grader.Pass {
			passed++
		}
	}
	fmt.Fprintf(p.out, "%s: %s, %d of %d holdout cases passed, %d of %d points\n", r.File, r.Verdict, passed, len(r.Cases), r.Points, r.Of)
	for _, c := range r.Cases {
		if c.findings == nil {
			continue
		}
		seed := ""
		if o.seeds > 1 {
			seed = fmt.Sprintf(", seed %d", c.Seed)
		}
		fmt.Fprintf(p.out, "  ✗ %s%s: %s (%s)\n", c.Case, seed, c.Verdict, c.Report.Outcome)
		fmt.Fprintf(p.out, "      holds: %s\n", c.Holds)
		p.printLines(lines(c.findings))
	}
	if s := r.Smallest; s != nil {
		fmt.Fprintf(p.out, "  Smallest failing case, after %d tries: %s, seed %d", s.Tries, s.Case, s.Seed)
		if words := s.words(); words != "" {
			fmt.Fprintf(p.out, ", with %s", words)
		}
		fmt.Fprintln(p.out)
		p.printLines(lines(s.findings))
	}
}

// Most lines about one case: a world that has nothing in common with the reference's fills no screen.
const maxLines = 6

func (p *program) printLines(lines []string) {
	for i, line := range lines {
		if i == maxLines {
			fmt.Fprintf(p.out, "      … %d more; --json has all of them\n", len(lines)-maxLines)
			return
		}
		fmt.Fprintf(p.out, "      %s\n", line)
	}
}

// lines are what a case shows, for an instructor.
func lines(f *findings) []string {
	var lines []string
	if f.Report.Cause != "" {
		lines = append(lines, f.Report.Cause)
	}
	if c := f.Report.Crash; c != nil && c.Line > 0 {
		lines = append(lines, fmt.Sprintf("%s at %s:%d", c.Message, c.File, c.Line))
	}
	for i, field := range f.Report.Fields {
		if f.Second != nil && i < len(f.Second.Fields) {
			if other := f.Second.Fields[i].Observed; !other.Equal(field.Observed) {
				lines = append(lines, fmt.Sprintf("%s: observed %s, then %s", field.Name, field.Observed, other))
			}
			continue
		}
		if !field.Agrees {
			lines = append(lines, fmt.Sprintf("%s: expected %s, observed %s", field.Name, field.Expected, field.Observed))
		}
	}
	for _, d := range f.Apart {
		lines = append(lines, fmt.Sprintf("%s: first %s, then %s", d.Place, d.Want, d.Got))
	}
	for _, d := range f.Differences {
		lines = append(lines, d.String())
	}
	for _, s := range f.Missing {
		lines = append(lines, fmt.Sprintf("%s: %s", s.Rule.Text, s.Progress))
	}
	for _, d := range f.Report.Diagnostics {
		lines = append(lines, d.String())
	}
	return lines
}

// studentResult is one file as a student may see it.
type studentResult struct {
	File    string         `json:"file"`
	Verdict grader.Verdict `json:"verdict"`
	Error   *fileError     `json:"error,omitempty"`
	Student report.Student `json:"student"`
}

func forStudents(r holdoutResult) any {
	files := []studentResult{}
	for _, f := range r.Files {
		files = append(files, studentResult{File: f.File, Verdict: f.Verdict, Error: f.Error, Student: f.student})
	}
	return map[string]any{"exercise": r.Exercise, "files": files}
}

func (p *program) printStudent(r fileResult) {
	switch {
	case r.Error != nil:
		fmt.Fprintf(p.out, "%s: %s\n  %s\n", r.File, strings.TrimSpace(string(r.Verdict)+" "+r.Error.Message), r.Error.Hint)
		return
	case r.Install != nil:
		fmt.Fprintf(p.out, "%s: %s, it cannot be run (%s)\n", r.File, r.Verdict, r.Install.Outcome)
		p.printLines(lines(&findings{Report: *r.Install}))
		return
	}
	fmt.Fprintf(p.out, "%s: %s\n", r.File, r.Verdict)
	for _, line := range r.student.Lines() {
		fmt.Fprintf(p.out, "  %s\n", line)
	}
}
