package units

import (
	"errors"
	"io/fs"
	"strings"

	"fieldbook/exercises/strict"
	"fieldbook/grader"
)

// Page is one part of a step that is read in parts: a primer, a concept. It begins with a question and ends with a check.
type Page struct {
	ID    string `yaml:"id"`
	Title string `yaml:"title"`
	Text  string `yaml:"text"` // its Markdown file in the folder
	// Question comes first; nil asks nothing. Skip: a right answer may skip the page, which is recorded.
	Question *Question `yaml:"question"`
	Skip     bool      `yaml:"skip"`
	Examples []Example `yaml:"examples"`
	Check    Recall    `yaml:"check"`
}

// Question has one right choice.
type Question struct {
	Ask     string   `yaml:"ask"`
	Choices []string `yaml:"choices"`
	Right   int      `yaml:"right"`   // number of the right choice, from 1
	Because string   `yaml:"because"` // shown after an answer, right or wrong
}

// Recall is a question without choices. Its answer is revealed after an attempt.
type Recall struct {
	Ask    string `yaml:"ask"`
	Answer string `yaml:"answer"`
}

// Example is a complete small program that `try` runs, in examples/NAME.go, with the output that it has, in
// examples/NAME.out. Each line of the output is a name, a colon and a value.
type Example struct {
	Name    string   `yaml:"name"`
	Purpose string   `yaml:"purpose"` // said before the code
	Ask     []string `yaml:"ask"`     // names of values in the output that the student predicts, one a line
	Again   string   `yaml:"again"`   // what to change and run again; the first version is kept beside it
}

// File is the example's source in the unit's folder.
func (e Example) File() string { return examplesFolder + "/" + e.Name + ".go" }

// Recorded is the file of the example's output.
func (e Example) Recorded() string { return examplesFolder + "/" + e.Name + ".out" }

const examplesFolder = "examples"

// buildLine keeps a Go file of a unit out of the course's own build.
const buildLine = "//go:build exercise\n"

// Source is a Go file of the unit as a student sees and runs it: without the line that keeps it out of the course's build.
func (u *Unit) Source(name string) ([]byte, error) {
	text, err := u.File(name)
	if err != nil {
		return nil, err
	}
	if rest, ok := strings.CutPrefix(string(text), buildLine); ok {
		return []byte(strings.TrimPrefix(rest, "\n")), nil
	}
	return text, nil
}

// ExampleSource is the source of an example of a step, which belongs to the continued unit where the step rereads its pages.
func (u *Unit) ExampleSource(s *Step, e Example) ([]byte, error) {
	if s.Rereads != "" && u.before != nil {
		u = u.before
	}
	return u.Source(e.File())
}

// Outputs are the named values in an output: the lines of the form "name: value". A line of another form has no name.
func Outputs(output string) map[string]string {
	values := map[string]string{}
	for line := range strings.Lines(output) {
		if name, value, ok := strings.Cut(strings.TrimRight(line, "\n"), ": "); ok {
			values[name] = value
		}
	}
	return values
}

// Pages are the pages of a step: its own, or those of the continued unit that it opens again. Nil: the step is its text.
func (u *Unit) Pages(s *Step) []Page {
	if s.Rereads != "" && u.before != nil {
		if first := u.before.Step(s.Rereads); first != nil {
			return u.before.Pages(first)
		}
	}
	return u.pages[s.ID]
}

// PageText is the Markdown of a page of a step.
func (u *Unit) PageText(s *Step, p Page) string {
	if s.Rereads != "" && u.before != nil {
		u = u.before
	}
	return u.text(p.Text)
}

// Examples are all examples of the unit, in the order in which they are read.
func (u *Unit) Examples() []Example {
	var all []Example
	for i := range u.Steps {
		all = append(all, u.Steps[i].Examples...)
		for _, p := range u.pages[u.Steps[i].ID] {
			all = append(all, p.Examples...)
		}
	}
	return all
}

// readPages decodes the pages of every step that has some.
func (c *check) readPages() {
	for i, s := range c.unit.Steps {
		if s.Pages == "" {
			continue
		}
		text, err := fs.ReadFile(c.unit.files, s.Pages)
		if err != nil {
			c.complain(at("steps", i, "pages"), "step %q: its pages %q cannot be read", s.ID, s.Pages)
			continue
		}
		var file struct {
			Pages []Page `yaml:"pages"`
		}
		doc, err := strict.Decode(c.place(s.Pages), text, &file)
		if err != nil {
			c.add(err)
			continue
		}
		c.unit.pages[s.ID] = file.Pages
		inside := check{unit: c.unit, folder: c.folder, file: c.place(s.Pages), doc: doc}
		inside.pages(file.Pages)
		c.found = append(c.found, inside.found...)
	}
}

// pages checks the pages of one file.
func (c *check) pages(pages []Page) {
	if len(pages) == 0 {
		c.complain(at("pages"), "pages is empty")
	}
	seen := map[string]bool{}
	for i, p := range pages {
		if !isName(p.ID) {
			c.complain(at("pages", i, "id"), "id is %q; it must be lower-case letters, digits and hyphens", p.ID)
		}
		if seen[p.ID] {
			c.complain(at("pages", i, "id"), "id %q is used twice", p.ID)
		}
		seen[p.ID] = true
		if blank(p.Title) {
			c.complain(at("pages", i), "page %q has no title", p.ID)
		}
		c.markdown(at("pages", i, "text"), p.Text)
		c.question(i, p)
		if blank(p.Check.Ask) || blank(p.Check.Answer) {
			c.complain(at("pages", i), "page %q needs a check with ask and answer", p.ID)
		}
		for j, e := range p.Examples {
			c.example(at("pages", i, "examples", j), e)
		}
	}
}

func (c *check) question(i int, p Page) {
	q := p.Question
	if q == nil {
		if p.Skip {
			c.complain(at("pages", i, "skip"), "page %q can be skipped without a question", p.ID)
		}
		return
	}
	where := at("pages", i, "question")
	if blank(q.Ask) || blank(q.Because) {
		c.complain(where, "the question of page %q needs ask and because", p.ID)
	}
	if len(q.Choices) < 2 || q.Right < 1 || q.Right > len(q.Choices) {
		c.complain(where, "the question of page %q has %d choices and right is %d", p.ID, len(q.Choices), q.Right)
	}
}

// example checks that a program and its output are there and that the output has each value that is asked for, once.
func (c *check) example(where []any, e Example) {
	if !isName(e.Name) {
		c.complain(where, "the name of an example is %q; it must be lower-case letters, digits and hyphens", e.Name)
		return
	}
	if blank(e.Purpose) {
		c.complain(where, "example %q says nothing of its purpose", e.Name)
	}
	if len(e.Ask) == 0 {
		c.complain(where, "example %q asks for no prediction", e.Name)
	}
	c.program(where, e.File())
	output, err := fs.ReadFile(c.unit.files, e.Recorded())
	if err != nil {
		c.complain(where, "example %q: its output %q cannot be read", e.Name, e.Recorded())
		return
	}
	for _, name := range e.Ask {
		if n := strings.Count("\n"+string(output), "\n"+name+": "); n != 1 {
			c.complain(where, "example %q asks for %q, which stands %d times in %s", e.Name, name, n, e.Recorded())
		}
	}
}

// program checks that a Go file is there and stays out of the build.
func (c *check) program(where []any, name string) {
	text, err := fs.ReadFile(c.unit.files, name)
	if err != nil {
		c.complain(where, "the program %q cannot be read", name)
	} else if !strings.HasPrefix(string(text), buildLine) {
		c.complain(where, "%s must begin with the line %s", name, strings.TrimSpace(buildLine))
	}
}

func (c *check) markdown(where []any, name string) {
	if text, err := fs.ReadFile(c.unit.files, name); err != nil {
		c.complain(where, "the text %q cannot be read", name)
	} else if blank(string(text)) {
		c.complain(where, "the text %q is empty", name)
	}
}

// add takes over the complaints of another file.
func (c *check) add(err error) {
	if many := (*strict.Error)(nil); errors.As(err, &many) {
		c.found = append(c.found, many.Diagnostics...)
		return
	}
	c.found = append(c.found, grader.Diagnostic{Code: strict.Code, File: c.file, Message: err.Error()})
}
