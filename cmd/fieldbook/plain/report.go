package plain

import (
	"fmt"
	"strings"

	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/evidence"
	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/grader"
)

// report says a whole report in sentences.
func (m *mode) report(r grader.Report, learner []string) {
	env := r.Environment
	m.say("%s: %s (%s). Engine %s. Sandbox %s. %s.", r.Label, r.Verdict, m.theme().Outcome(r), env.Engine, env.Sandbox, draw.Duration(env.Elapsed.Total()))
	if env.Note != "" {
		m.say("%s", m.Texts.Message(env.Note))
	}
	m.cause(r)
	m.messages(r.Diagnostics)
	m.fields(r.Fields)
	m.operations(evidence.Timeline(r.Operations, learner...))
	m.rows(r)
	m.printed(r.Output)
}

func (m *mode) cause(r grader.Report) {
	if r.Cause != "" {
		m.say("%s", m.Texts.Message(r.Cause))
	}
	if c := r.Crash; c != nil {
		place := ""
		if c.Line > 0 {
			place = " " + m.Texts.Say("At %s, line %d.", c.File, c.Line)
		}
		m.say("%s.%s", strings.TrimSuffix(c.Message, "."), place)
	}
	if r.Hint != "" {
		m.say("%s", m.Texts.Message(r.Hint))
	}
}

func (m *mode) messages(list []grader.Diagnostic) {
	if len(list) > 0 {
		m.say("Messages: %d.", len(list))
	}
	for i, d := range list {
		place := d.File
		if d.Line > 0 {
			place = m.Texts.Say("%s, line %d, column %d", d.File, d.Line, d.Column)
		}
		m.item(fmt.Sprintf("%3d  ", i+1), "%s: %s.", place, strings.TrimSuffix(d.Message, "."))
		if d.Excerpt != "" {
			m.item("     ", "The line: %s", strings.TrimSpace(draw.Tabs(d.Excerpt)))
		}
		if d.Hint != "" {
			m.item("     ", "%s", m.Texts.Message(d.Hint))
		}
	}
}

func (m *mode) fields(fields []grader.Field) {
	if len(fields) == 0 {
		return
	}
	m.say("Fields: %s.", m.theme().Count(fields))
	for _, f := range fields {
		state := m.Texts.Say("As expected.")
		if !f.Agrees {
			state = m.Texts.Say("DIFFERS. Read from %s.", m.Texts.Message(f.From))
		}
		m.item("  ", "%s: expected %s, observed %s. %s", f.Name, f.Expected, f.Observed, state)
	}
}

func (m *mode) operations(steps []evidence.Step) {
	if len(steps) == 0 {
		return
	}
	m.say("Operations, in order:")
	for i, s := range steps {
		m.item(fmt.Sprintf("%3d. ", i+1), "%s", m.sentence(s))
	}
}

// sentence says one step of a timeline.
func (m *mode) sentence(s evidence.Step) string {
	switch s.Kind {
	case evidence.MarkStep:
		return m.Texts.Say("Moment: %s.", s.Name)
	case evidence.ProbeStep:
		return m.Texts.Say("Probe, SUPPLIED: %s.", m.theme().What(s))
	case evidence.OutsideStep:
		return "SQLite: " + m.theme().What(s) + "."
	}
	text := s.Place() + ": " + m.theme().What(s) + "."
	if s.Err != "" {
		text += " " + m.Texts.Say("It returned an error: %s.", s.Err)
	}
	if s.Yours {
		text += " " + m.Texts.Say("Your line %d.", s.Line)
	}
	return text
}

func (m *mode) rows(r grader.Report) {
	trails := evidence.Trails(r)
	if len(trails) == 0 {
		return
	}
	m.say("Rows that changed: %s.", strings.Join(evidence.Stages(r), m.Texts.Say(", then ")))
	for _, t := range trails {
		for _, c := range t.Cells {
			m.item("  ", "%s %s: %s.", t.Title, c.Name, m.follow(c))
		}
	}
}

// follow says a cell's value at each stage.
func (m *mode) follow(c evidence.Cell) string {
	var parts []string
	for i, v := range c.Values {
		text := evidence.Short(v)
		if text == "-" {
			text = m.Texts.Say("none")
		}
		if c.Changed[i] {
			text += m.Texts.Say(" (changed)")
		}
		if c.Differs && i > 0 {
			text += m.Texts.Say(" (DIFFERS)")
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, m.Texts.Say(", then "))
}

func (m *mode) printed(o grader.Output) {
	if o.Total == 0 {
		return
	}
	m.say("Printed, %d bytes, %d of them left out of the middle:", o.Total, o.Omitted)
	if o.File != "" {
		m.say("All of it: %s", o.File)
	}
	for _, line := range strings.Split(strings.TrimRight(o.Text, "\n"), "\n") {
		m.item("  ", "%s", line)
	}
}

// runFile runs the student's file: the exercise, or in Unit B the repair.
func (m *mode) runFile() error {
	e, err := m.exercise()
	if err != nil {
		return err
	}
	run, err := m.runKind()
	if run.Report.Outcome != "" {
		m.runs++
		m.run = &run
		m.empty()
		m.say("Run %d.", m.runs)
		m.report(run.Report, workbench.Places(e))
		m.kept(run)
	}
	if err != nil {
		return err
	}
	if run.Report.Verdict == grader.Pass {
		return m.Session.Finish()
	}
	return nil
}

func (m *mode) kept(run workbench.Run) {
	if run.Attempt.Number > 0 {
		m.say("Attempt %d is kept with its source.", run.Attempt.Number)
	}
	if run.Handoff != nil {
		fmt.Fprintln(m.Out, draw.Saved(run.Handoff.Path)) // one line, whatever its width
		m.say("All VISIBLE probes passed; holdouts run at grading.")
		return
	}
	m.say("No handoff is written for this run.")
}

// again says the last run once more.
func (m *mode) again() error {
	e, err := m.exercise()
	if err != nil {
		return err
	}
	m.report(m.run.Report, workbench.Places(e))
	return nil
}

// operation says what one operation asked the disk to do.
func (m *mode) operation() error {
	e, err := m.exercise()
	if err != nil {
		return err
	}
	steps := evidence.Timeline(m.run.Report.Operations, workbench.Places(e)...)
	n, ok, err := m.pick(m.Texts.Say("Number of an operation, 1 to %d:", len(steps)), len(steps))
	if err != nil || !ok {
		return err
	}
	s := steps[n-1]
	m.say("%s", m.sentence(s))
	if len(s.Durable) == 0 {
		m.say("It asked the disk for nothing.")
	}
	for _, d := range s.Durable {
		where := d.Path
		if d.To != "" {
			where = m.Texts.Say("%s to %s", where, d.To)
		}
		size := ""
		if n := evidence.Written(d); n > 0 {
			size = m.Texts.Say(", %d bytes at %d", n, d.Offset)
		}
		m.item("  ", "%s %s%s", strings.ReplaceAll(string(d.Kind), "_", " "), where, size)
	}
	return nil
}

// hint opens the next hint and says it. The ones before are said first when there is none left.
func (m *mode) hint() error {
	e, err := m.exercise()
	if err != nil {
		return err
	}
	if err := m.Session.OpenHint(e); err != nil {
		return err
	}
	hint, number := m.Session.Hint(e)
	if number == 0 {
		m.say("This exercise has no hints.")
		return nil
	}
	m.say("Hint %d of %d, the %s: %s", number, len(e.Hints), m.Texts.Message(hint.Kind), m.Texts.Message(hint.Text))
	return nil
}
