package units

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"fieldbook/exercises/strict"
	"fieldbook/grader"
	"fieldbook/runtime/world"
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

// place is a file of the unit in positions. The folder's name counts: the unit's id may be wrong.
func (c *check) place(name string) string {
	return (&Unit{ID: c.folder, files: c.unit.files}).Place(name)
}

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
	if !isHandoff(u.Handoff) {
		c.complain(at("handoff"), "handoff is %q; it must be a file name that ends in %s", u.Handoff, handoffSuffix)
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
	c.lists()
	c.steps()
	c.pause()
	c.readPages()
	c.readCard()
}

func (c *check) steps() {
	if len(c.unit.Steps) == 0 {
		c.complain(at("steps"), "a unit needs steps")
	}
	seen := map[string]bool{}
	planned := 0
	for i, s := range c.unit.Steps {
		if !isName(s.ID) {
			c.complain(at("steps", i, "id"), "id is %q; it must be lower-case letters, digits and hyphens", s.ID)
		}
		if seen[s.ID] {
			c.complain(at("steps", i, "id"), "id %q is used twice", s.ID)
		}
		seen[s.ID] = true
		if blank(s.Title) {
			c.complain(at("steps", i), "step %q has no title", s.ID)
		}
		if !slices.Contains(kinds(), s.Kind) {
			c.complain(at("steps", i, "kind"), "kind is %q; it must be one of %v", s.Kind, kinds())
		}
		planned += s.Minutes
		c.minutes(i, s)
		c.files(i, s)
		c.prompts(i, s)
		c.parts(i, s)
		c.work(i, s)
	}
	if planned > c.unit.Minutes {
		c.complain(at("minutes"), "the steps plan %d minutes, the unit %d", planned, c.unit.Minutes)
	}
}

// work checks what a step works on beside the unit's own exercise and fault.
func (c *check) work(i int, s Step) {
	if s.Exercise != "" && s.Kind == Construct && (s.Handoff == c.unit.Handoff || !isHandoff(s.Handoff)) {
		c.complain(at("steps", i, "handoff"), "handoff is %q; the result of %s needs a file of its own, whose name ends in %s", s.Handoff, s.Exercise, handoffSuffix)
	}
	if s.Handoff != "" && (s.Exercise == "" || s.Kind != Construct) {
		c.complain(at("steps", i, "handoff"), "step %q has a handoff; only one that constructs an exercise of its own has", s.ID)
	}
	if s.Fault != "" && (c.unit.Role != Breaks || s.Kind != Inject && s.Kind != Diagnose) {
		c.complain(at("steps", i, "fault"), "step %q has a fault; only one that injects or diagnoses has", s.ID)
	}
}

const handoffSuffix = "-handoff-v1.json"

func isHandoff(name string) bool {
	return strings.HasSuffix(name, handoffSuffix) && path.Base(name) == name
}

func (c *check) minutes(i int, s Step) {
	if s.Minutes < 0 {
		c.complain(at("steps", i, "minutes"), "minutes is %d", s.Minutes)
	}
	if s.Within != "" {
		if other := c.unit.Step(s.Within); other == nil || other.Minutes == 0 || s.Minutes != 0 {
			c.complain(at("steps", i, "within"), "step %q has %d minutes within %q; it must have none, and the other step some", s.ID, s.Minutes, s.Within)
		}
	}
	if s.Optional && (s.Minutes != 0 || s.Kind != Read) {
		c.complain(at("steps", i, "optional"), "step %q is optional; it must be of kind %s and plan no minutes", s.ID, Read)
	}
	scheduled := 0
	for j, slot := range s.Schedule {
		if slot.Minutes <= 0 || blank(slot.For) {
			c.complain(at("steps", i, "schedule", j), "a slot needs minutes and for")
		}
		scheduled += slot.Minutes
	}
	if len(s.Schedule) > 0 && scheduled != s.Minutes {
		c.complain(at("steps", i, "schedule"), "the schedule of step %q has %d minutes, the step %d", s.ID, scheduled, s.Minutes)
	}
}

func (c *check) files(i int, s Step) {
	if text, err := fs.ReadFile(c.unit.files, s.Text); err != nil {
		c.complain(at("steps", i, "text"), "step %q: its text %q cannot be read", s.ID, s.Text)
	} else if blank(string(text)) {
		c.complain(at("steps", i, "text"), "step %q: its text %q is empty", s.ID, s.Text)
	}
	for j, e := range s.Exhibits {
		text, err := fs.ReadFile(c.unit.files, e.File)
		if err != nil || strings.Count(string(text), "\n") < 2 || blank(e.Title) {
			c.complain(at("steps", i, "exhibits", j), "an exhibit needs a title and a CSV file with a line of headings; %q is none", e.File)
		}
	}
}

func (c *check) prompts(i int, s Step) {
	if (s.Kind == Predict || s.Kind == Diagnose) && len(s.Prompts) == 0 {
		c.complain(at("steps", i), "step %q asks for a text and has no prompts", s.ID)
	}
	if len(s.Prompts) == 0 && (s.Closed || s.Rereads != "") {
		c.complain(at("steps", i), "step %q is closed until its prompts are answered and has no prompts", s.ID)
	}
	seen := map[string]bool{}
	for j, p := range s.Prompts {
		if p.ID == "" || seen[p.ID] {
			c.complain(at("steps", i, "prompts", j), "the id of a prompt is missing or used twice: %q", p.ID)
		}
		seen[p.ID] = true
		if blank(p.Ask) {
			c.complain(at("steps", i, "prompts", j), "prompt %q asks nothing", p.ID)
		}
	}
}

// parts checks what a step offers beside its text.
func (c *check) parts(i int, s Step) {
	for j, e := range s.Examples {
		c.example(at("steps", i, "examples", j), e)
	}
	if s.Notes != "" && (len(s.Prompts) == 0 || !strings.HasPrefix(s.Notes, "notes/") || path.Clean(s.Notes) != s.Notes) {
		c.complain(at("steps", i, "notes"), "notes is %q; it must be a file in notes/, for the answers to prompts", s.Notes)
	}
	if d := s.Demonstration; d != nil {
		where := at("steps", i, "demonstration")
		c.program(where, d.Source)
		c.fields(where, d.Observed)
	}
	if s.Find != nil && (blank(s.Find.Ask) || blank(s.Find.Call)) {
		c.complain(at("steps", i, "find"), "find needs ask and call")
	}
	for j, g := range s.Gaps {
		if !isName(g.ID) || blank(g.Text) || blank(g.Look) {
			c.complain(at("steps", i, "gaps", j), "a gap needs id, text and look")
		}
	}
	seen := map[string]bool{}
	for j, challenge := range s.Challenges {
		where := at("steps", i, "challenges", j)
		if !isName(challenge.ID) || seen[challenge.ID] || blank(challenge.Title) || blank(challenge.Ask) {
			c.complain(where, "the challenge %q needs an id of its own, title and ask", challenge.ID)
		}
		seen[challenge.ID] = true
		c.program(where, challenge.Probe)
		c.fields(where, challenge.Expect)
	}
	if s.Transfer != nil && blank(s.Transfer.Exercise) {
		c.complain(at("steps", i, "transfer"), "transfer needs an exercise")
	}
	if s.Rereads != "" && c.unit.Continues == "" {
		c.complain(at("steps", i, "rereads"), "step %q opens pages of the unit before this one, and there is none", s.ID)
	}
}

func (c *check) fields(where []any, fields []Field) {
	if len(fields) == 0 {
		c.complain(where, "no field of the observation is named")
	}
	for _, f := range fields {
		if blank(f.Field) || f.Value.Kind() == world.Absent || blank(f.Meaning) {
			c.complain(where, "the field %q needs field, value and meaning", f.Field)
		}
		if (f.Artifact == "") != (f.Query == "") {
			c.complain(where, "the field %q is read with artifact and query, or with neither", f.Field)
		}
	}
}

func (c *check) pause() {
	p := c.unit.Pause
	if p == nil {
		return
	}
	if p.Minutes <= 0 || p.Minutes >= c.unit.Minutes {
		c.complain(at("pause", "minutes"), "the stopping place is after %d of %d minutes", p.Minutes, c.unit.Minutes)
	}
	if c.unit.Step(p.Step) == nil {
		c.complain(at("pause", "step"), "the stopping place is the step %q, which is not there", p.Step)
	}
	c.markdown(at("pause", "recap"), p.Recap)
}

func (c *check) lists() {
	u := c.unit
	for i, r := range u.References {
		if blank(r.Title) || blank(r.For) || !strings.HasPrefix(r.URL, "https://") {
			c.complain(at("references", i), "a reference needs title, for, and a url that begins with https://")
		}
	}
	for i, item := range u.Submits {
		if blank(item.ID) || blank(item.What) {
			c.complain(at("submits", i), "an item that is submitted needs id and what")
		}
	}
}

func blank(text string) bool { return strings.TrimSpace(text) == "" }

func isName(text string) bool {
	return text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}
