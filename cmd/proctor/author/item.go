package author

import (
	"fmt"
	"time"

	"fieldbook/grader"
)

// Item is one thing that was checked.
type Item struct {
	Subject    string              `json:"subject"` // an exercise or a unit
	Name       string              `json:"name"`    // "wrong solution no-marker"
	Passed     bool                `json:"passed"`
	Void       bool                `json:"void,omitempty"` // our machine failed: it says nothing about the exercise
	Saw        string              `json:"saw,omitempty"`  // what was seen, a phrase
	Complaints []grader.Diagnostic `json:"complaints,omitempty"`
	Elapsed    time.Duration       `json:"elapsed_ns"`
}

// complain notes that something is wrong with a file.
func (i *Item) complain(file string, line int, format string, args ...any) {
	i.Complaints = append(i.Complaints, grader.Diagnostic{Code: "authoring", File: file, Line: line, Message: fmt.Sprintf(format, args...)})
}

// close says whether the item passed.
func (i *Item) close() { i.Passed = len(i.Complaints) == 0 && !i.Void }

// Result is everything that was checked, exercise by exercise, in an order that does not depend on time.
type Result struct {
	Place   string        `json:"place"`
	Seeds   []uint64      `json:"seeds"`
	Items   []Item        `json:"items"`
	Mutants []Survey      `json:"mutants,omitempty"`
	Engines []string      `json:"engines"`
	Elapsed time.Duration `json:"elapsed_ns"`
}

// Passed reports whether everything is right.
func (r Result) Passed() bool {
	for _, i := range r.Items {
		if !i.Passed {
			return false
		}
	}
	return true
}

// Void reports whether our machine failed somewhere.
func (r Result) Void() bool {
	for _, i := range r.Items {
		if i.Void {
			return true
		}
	}
	return false
}

// Lines are an item's complaints, one a line: position, what is wrong, and what was seen of it.
func (i Item) Lines() []string {
	var lines []string
	for _, d := range i.Complaints {
		line := d.String()
		if d.File == "" {
			line = d.Message
		}
		if d.Hint != "" {
			line += " (" + d.Hint + ")"
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 && i.Void {
		lines = append(lines, "our machine failed, which says nothing about the exercise")
	}
	return lines
}
