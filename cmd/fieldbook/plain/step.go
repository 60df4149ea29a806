package plain

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"fieldbook/cmd/fieldbook/course"
	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/workbench"
	teaching "fieldbook/runtime"
	"fieldbook/units"
)

// read prints the text of the step, and says what else there is in it.
func (m *mode) read() error {
	m.empty()
	list := m.parts()
	m.text(list[0].Text)
	if len(list) > 1 {
		m.say("This step has %d parts; this text is the first.", len(list))
	}
	return nil
}

// write asks for the next texts of the step that are not committed, or says those that are.
func (m *mode) write() error {
	for _, a := range m.parts() {
		if a.Kind != course.Writing || m.Session.Committed(a) {
			continue
		}
		if written, err := m.commit(a); err != nil || !written {
			return err
		}
		return m.written()
	}
	return m.answers()
}

// written ends a step that is one of writing, once all of its texts are committed. A diagnosis opens the edit.
func (m *mode) written() error {
	if m.kind() != units.Predict && m.kind() != units.Diagnose || !m.Session.Answered(m.unit().ID, m.step()) {
		return nil
	}
	if err := m.Session.Finish(); err != nil || m.kind() == units.Predict {
		return err
	}
	return m.diagnosis()
}

// answers says the committed texts, and for a diagnosis what was injected.
func (m *mode) answers() error {
	for _, a := range m.parts() {
		if a.Kind == course.Writing && m.Session.Committed(a) {
			m.committed(a)
		}
	}
	if m.kind() == units.Diagnose && m.Session.Answered(m.unit().ID, m.step()) {
		return m.diagnosis()
	}
	return nil
}

// next goes on, when the step may be left. Reading is finished by going on.
func (m *mode) next() error {
	if why := m.Session.Insists(); why != "" {
		m.say("%s", m.Texts.Message(why))
		return nil
	}
	switch m.kind() {
	case units.Read, units.Connect:
		if left := m.Session.Left(); len(left) > 0 {
			m.say("%s: parts still to do: %d.", m.step().Title, len(left))
		} else if err := m.Session.Finish(); err != nil {
			return err
		}
	}
	next := m.Session.Next()
	if next == nil {
		m.say("This is the end of %s.", m.unit().ID)
		return m.courseMap()
	}
	return m.visit(m.unit().ID, next.ID)
}

func (m *mode) back() error { return m.visit(m.unit().ID, m.Session.Back().ID) }

// visit goes to a step and reads its text.
func (m *mode) visit(unit, step string) error {
	if unit != m.unit().ID {
		m.forget()
	}
	m.run = nil
	if err := m.Session.Visit(unit, step); err != nil {
		return err
	}
	m.resume()
	m.showStep()
	return m.read()
}

// courseMap lists every step with its state and goes to the chosen one.
func (m *mode) courseMap() error {
	var places [][2]string
	for _, u := range m.Session.Bench.Units {
		m.empty()
		m.say("%s: %s. %d minutes planned.", u.ID, u.Title, u.Minutes)
		if missing := m.Session.Language.Missing(u.Language()); missing != "" {
			m.say("%s", missing)
		}
		m.say("Question: %s", strings.TrimSpace(u.Question))
		for _, s := range u.Steps {
			places = append(places, [2]string{u.ID, s.ID})
			state := m.Texts.Say("to do")
			if m.Session.Done(u.ID, s.ID) {
				state = m.Texts.Say("done")
			}
			if u == m.unit() && s.ID == m.step().ID {
				state = m.Texts.Say("%s, you are here", state)
			}
			m.item(fmt.Sprintf("%3d  ", len(places)), "%s: %s", s.Title, state)
		}
		survey, err := m.Session.Survey(u)
		if err != nil {
			return err
		}
		for _, k := range survey.Kept {
			there := m.Texts.Say("not there yet")
			if k.There {
				there = m.Texts.Say("kept")
			}
			m.item("     ", "%s: %s. %s", m.Texts.Message(k.Name), there, m.Texts.Message(k.Detail))
		}
	}
	n, ok, err := m.pick("Number of a step to go to, or Enter to stay:", len(places))
	if err != nil || !ok {
		return err
	}
	return m.visit(places[n-1][0], places[n-1][1])
}

// source prints a supplied source.
func (m *mode) source() error {
	var paths []string
	for _, path := range append(teaching.CopiedFiles(), teaching.SuppliedFiles()...) {
		if !workbench.IsReplaced(path) {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	for i, path := range paths {
		m.item(fmt.Sprintf("%3d  ", i+1), "%s", path)
	}
	n, ok, err := m.pick("Number of a file, or Enter for none:", len(paths))
	if err != nil || !ok {
		return err
	}
	text, err := teaching.Source(paths[n-1])
	if err != nil {
		return err
	}
	m.say("SUPPLIED, %s:", paths[n-1])
	for i, line := range strings.Split(strings.TrimRight(string(text), "\n"), "\n") {
		fmt.Fprintf(m.Out, "%4d  %s\n", i+1, draw.Tabs(line))
	}
	return nil
}

// edit opens the student's files in their editor when that can use this terminal, and says where they lie otherwise.
func (m *mode) edit() error {
	e, err := m.exercise()
	if err != nil {
		return err
	}
	var files []string
	for _, place := range workbench.Places(e) {
		files = append(files, m.Session.Bench.Work.Path(place))
		m.say("Your file: %s", m.Session.Bench.Work.Path(place))
	}
	if len(m.Editor) == 0 {
		m.say("Open it in an editor of yours, save it, and choose run.")
		return nil
	}
	command := exec.CommandContext(m.ctx, m.Editor[0], append(slices.Clone(m.Editor[1:]), files...)...)
	command.Stdin, command.Stdout, command.Stderr = m.In, m.Out, m.Out
	if err := command.Run(); err != nil {
		m.say("The editor ended with an error: %v. Set EDITOR to another one.", err)
	}
	return nil
}

func (m *mode) help() error {
	m.say("Each choice is a number; type it and press Enter. Nothing that was printed is printed over.")
	m.say("Letters do the same everywhere: t text, g go on, l parts, w write, r run, e edit, h hint, n next, p previous, m map, i terms, f find, u attempts, b submission, s source, q quit.")
	m.say("YOURS is what you write, SUPPLIED what comes with the course. DIFFERS marks a value that is not as expected.")
	m.say("Everything can also be done by commands: `fieldbook --help` lists them.")
	return nil
}
