// Package report makes what others read of a grading: what a student may see, and later the formats of other programs. It
// runs in the parent of the instructor's command.
package report

import (
	"fmt"
	"strings"

	"fieldbook/grader"
)

// Student is what a student sees of a grading. Its fields are numbers and truth values alone, down to the last one, so that
// no probe's source, no expectation and no name of a case can be in it, whoever fills it in. A test holds that.
type Student struct {
	Visible  Standing `json:"visible"`
	Holdouts Standing `json:"holdouts"`
	Passed   int      `json:"passed"` // holdout cases
	Cases    int      `json:"cases"`
	Points   int      `json:"points"` // weights of the holdout cases that passed
	Of       int      `json:"of"`
	Failed   Failures `json:"failed"`
}

// Standing says whether something has run, and whether it passed.
type Standing uint8

// The standings.
const (
	NotRun Standing = iota
	Passed
	NotPassed
)

func (s Standing) String() string {
	return [...]string{"not run", "passed", "not passed"}[min(s, NotPassed)]
}

// MarshalText writes the standing in words.
func (s Standing) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Failures counts how the holdout cases ended that did not pass.
type Failures struct {
	Differs  int `json:"differs"`  // it ran to its end and did something else than was asked for
	Unstable int `json:"unstable"` // two executions differ
	Broke    int `json:"broke"`    // it panicked, deadlocked or ended the process
	Limit    int `json:"limit"`    // time, memory or output were used up, or the sandbox was tried
	Other    int `json:"other"`    // not runnable, or our own failure
}

// Add notes one holdout case: its weight, and how it ended.
func (s *Student) Add(outcome grader.Outcome, verdict grader.Verdict, weight int) {
	s.Cases++
	s.Of += weight
	if s.Holdouts == NotRun {
		s.Holdouts = Passed
	}
	if verdict == grader.Pass {
		s.Passed++
		s.Points += weight
		return
	}
	s.Holdouts = NotPassed
	switch {
	case verdict == grader.Limit:
		s.Failed.Limit++
	case outcome == grader.Observed, outcome == grader.Unfinished:
		s.Failed.Differs++
	case outcome == grader.Unstable:
		s.Failed.Unstable++
	case outcome == grader.Panic, outcome == grader.NoResult:
		s.Failed.Broke++
	default:
		s.Failed.Other++
	}
}

// Stand is the standing of something that has run.
func Stand(v grader.Verdict) Standing {
	if v == grader.Pass {
		return Passed
	}
	return NotPassed
}

// Lines is the report in words.
func (s Student) Lines() []string {
	var lines []string
	switch {
	case s.Visible == Passed && s.Holdouts == NotRun:
		lines = append(lines, "All VISIBLE probes passed; holdouts run at grading.")
	case s.Visible == Passed:
		lines = append(lines, "All VISIBLE probes passed.")
	case s.Visible == NotPassed:
		lines = append(lines, "A visible probe did not pass: run the exercise, its report says which field differs.")
	}
	if s.Holdouts == NotRun {
		return lines
	}
	lines = append(lines, fmt.Sprintf("Holdouts: %d of %d cases passed, %d of %d points.", s.Passed, s.Cases, s.Points, s.Of))
	var how []string
	for _, f := range []struct {
		n     int
		words string
	}{
		{s.Failed.Differs, "did something else than was asked for"},
		{s.Failed.Unstable, "did different things in two executions"},
		{s.Failed.Broke, "panicked or ended early"},
		{s.Failed.Limit, "reached a limit"},
		{s.Failed.Other, "could not be judged"},
	} {
		if f.n > 0 {
			how = append(how, fmt.Sprintf("%d %s", f.n, f.words))
		}
	}
	if len(how) > 0 {
		lines = append(lines, "Of the others "+strings.Join(how, ", ")+".")
	}
	return lines
}
