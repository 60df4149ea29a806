package units

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"fieldbook/exercises/strict"
	"fieldbook/grader"
)

// check gathers what is wrong with a decoded unit, each complaint at the line of the part that it is about.
type check struct {
	unit   *Unit
	folder string
	file   string
	doc    *strict.Document
	found  []grader.Diagnostic
}

func (c *check) complain(where []any, format string, args ...any) {
	c.found = append(c.found, grader.Diagnostic{Code: strict.Code, File: c.file, Line: c.doc.Line(where...), Message: fmt.Sprintf(format, args...)})
}

func at(path ...any) []any { return path }

func (c *check) all() {
	u := c.unit
	if u.ID != c.folder {
		c.complain(at("id"), "id is %q; it must be the folder's name, %q", u.ID, c.folder)
	}
	for _, part := range []struct{ key, value string }{{"title", u.Title}, {"question", u.Question}, {"exercise", u.Exercise}, {"handoff", u.Handoff}} {
		if strings.TrimSpace(part.value) == "" {
			c.complain(at(part.key), "%s is missing", part.key)
		}
	}
	if !strings.HasSuffix(u.Handoff, "-handoff-v1.json") || path.Base(u.Handoff) != u.Handoff {
		c.complain(at("handoff"), "handoff is %q; it must be a file name that ends in -handoff-v1.json", u.Handoff)
	}
	switch u.Role {
	case Constructs:
		if u.Continues != "" || u.Fault != "" {
			c.complain(at("role"), "a unit that constructs has neither continues nor fault")
		}
	case Breaks:
		if u.Continues == "" || u.Fault == "" {
			c.complain(at("role"), "a unit that breaks needs continues and fault")
		}
	default:
		c.complain(at("role"), "role is %q; it must be %s or %s", u.Role, Constructs, Breaks)
	}
	if len(u.Assumes) == 0 {
		c.complain(at("assumes"), "assumes is empty; say what a student must know already")
	}
	c.steps()
}

func (c *check) steps() {
	if len(c.unit.Steps) == 0 {
		c.complain(at("steps"), "a unit needs steps")
	}
	seen := map[string]bool{}
	planned := 0
	for i, s := range c.unit.Steps {
		if s.ID == "" || strings.Trim(s.ID, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			c.complain(at("steps", i, "id"), "id is %q; it must be lower-case letters, digits and hyphens", s.ID)
		}
		if seen[s.ID] {
			c.complain(at("steps", i, "id"), "id %q is used twice", s.ID)
		}
		seen[s.ID] = true
		if strings.TrimSpace(s.Title) == "" {
			c.complain(at("steps", i), "step %q has no title", s.ID)
		}
		if !slices.Contains(kinds(), s.Kind) {
			c.complain(at("steps", i, "kind"), "kind is %q; it must be one of %v", s.Kind, kinds())
		}
		if s.Minutes < 0 {
			c.complain(at("steps", i, "minutes"), "minutes is %d", s.Minutes)
		}
		planned += s.Minutes
		c.files(i, s)
		c.prompts(i, s)
	}
	if planned > c.unit.Minutes {
		c.complain(at("minutes"), "the steps plan %d minutes, the unit %d", planned, c.unit.Minutes)
	}
}

func (c *check) files(i int, s Step) {
	if text, err := fs.ReadFile(c.unit.files, s.Text); err != nil {
		c.complain(at("steps", i, "text"), "step %q: its text %q cannot be read", s.ID, s.Text)
	} else if strings.TrimSpace(string(text)) == "" {
		c.complain(at("steps", i, "text"), "step %q: its text %q is empty", s.ID, s.Text)
	}
	if s.Example == "" {
		return
	}
	if _, err := fs.ReadFile(c.unit.files, s.Example); err != nil {
		c.complain(at("steps", i, "example"), "step %q: its example %q cannot be read", s.ID, s.Example)
	}
}

func (c *check) prompts(i int, s Step) {
	if (s.Kind == Predict || s.Kind == Diagnose) && len(s.Prompts) == 0 {
		c.complain(at("steps", i), "step %q asks for a text and has no prompts", s.ID)
	}
	seen := map[string]bool{}
	for j, p := range s.Prompts {
		if p.ID == "" || seen[p.ID] {
			c.complain(at("steps", i, "prompts", j), "the id of a prompt is missing or used twice: %q", p.ID)
		}
		seen[p.ID] = true
		if strings.TrimSpace(p.Ask) == "" {
			c.complain(at("steps", i, "prompts", j), "prompt %q asks nothing", p.ID)
		}
	}
}
