package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"fieldbook/cmd/fieldbook/course"
	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/evidence"
	"fieldbook/cmd/fieldbook/lang"
)

func (m *Model) open(o overlay) { m.overlay, m.over, m.pointer = o, scroll{}, 0 }

// overlayFrame draws what lies over the screen. In a list the line under the pointer is marked.
func (m *Model) overlayFrame(width, height int) []string {
	inner := draw.InnerWidth(width)
	title, lines := "", []string(nil)
	switch m.overlay {
	case helpOverlay:
		title, lines = m.theme.Say("Keys of this screen"), m.helpLines(inner)
	case operationOverlay:
		title, lines = m.theme.Say("Operation"), m.operationLines(inner)
	case sourceOverlay:
		title, lines = m.sourceLines(inner)
	case resultOverlay:
		title, lines = m.activity().Title, m.resultLines(inner)
	case contentsOverlay:
		title, lines = m.theme.Say("The parts of %s", m.current().Title), m.contentsLines(inner)
	case termsOverlay:
		title, lines = m.termLines(inner)
	case artifactsOverlay:
		title, lines = m.artifactLines(inner)
	case submissionOverlay:
		title, lines = m.theme.Say("What will be submitted of %s", m.unit().ID), m.submissionLines(inner)
	case attemptsOverlay:
		return m.attemptsFrame(width, height)
	case diffOverlay:
		title, lines = m.attempts.title, m.diffLines(inner)
	case searchOverlay:
		return m.searchFrame(width, height)
	case matrixOverlay:
		return m.matrixFrame(width, height)
	}
	return m.theme.Frame(width, height, []draw.Row{{Panes: []draw.Pane{m.listPane(title, lines, m.isList(), height-2)}}})
}

// isList reports whether the overlay is a list with a pointer.
func (m *Model) isList() bool {
	return m.overlay == contentsOverlay || m.overlay == termsOverlay && m.terms.open == "" || m.overlay == sourceOverlay && m.sources.open == ""
}

// listPane shows lines, with the pointer's marked when they are a list.
func (m *Model) listPane(title string, lines []string, list bool, height int) draw.Pane {
	if list {
		m.pointer = max(min(m.pointer, len(lines)-1), 0)
		m.over.follow(m.pointer, height)
		if m.pointer < len(lines) {
			lines[m.pointer] = m.mark(draw.Fit(lines[m.pointer], draw.InnerWidth(m.width)))
		}
		m.hit = hitArea{right: m.width, top: 2, height: height, pick: func(line int) { m.pointer = m.over.top + line }}
	}
	if more := m.over.more(len(lines), height); more != "" {
		title += "   " + more
	}
	return draw.Pane{Title: title, Lines: m.over.window(lines, height)}
}

func (m *Model) overlayKeys() []binding {
	move := binding{"j/k", "move", "move the pointer"}
	switch m.overlay {
	case contentsOverlay:
		return []binding{{"Enter", "open", "this part"}, move, {"Esc", "close", ""}}
	case termsOverlay:
		if m.terms.open != "" {
			return []binding{{"Esc", "close", "back to the terms"}, {"j/k", "scroll", ""}}
		}
		return []binding{{"Enter", "read", "the paragraph that defines the term"}, move, {"Esc", "close", ""}}
	case sourceOverlay:
		if m.sources.open != "" {
			return []binding{{"Esc", "close", "back to the files"}, {"j/k", "scroll", "a line; h and l sideways"}}
		}
		return []binding{{"Enter", "read", "this file"}, move, {"Esc", "close", ""}}
	case attemptsOverlay:
		return []binding{{"Enter", "what changed", "against the attempt before"}, move, {"Esc", "close", ""}}
	case matrixOverlay:
		return []binding{{lang.Key("arrows"), "move", "through the cells"}, {"n", "next broken cell", ""}, {lang.Key("[ and ]"), "scroll", "the pane below"}, {"Esc", "close", ""}}
	}
	list := []binding{{"Esc", "close", ""}, {"j/k", "scroll", ""}}
	if m.overlay == artifactsOverlay {
		list = append([]binding{{lang.Key("left/right"), "other folder", ""}, {"r", "read again", "the files as they are now"}}, list...)
	}
	return list
}

// pressOverlay does what a key means in what lies over the screen.
func (m *Model) pressOverlay(key, text string) tea.Cmd {
	switch m.overlay {
	case searchOverlay:
		return m.pressSearch(key, text)
	case matrixOverlay:
		m.pressMatrix(key)
		return nil
	case artifactsOverlay:
		if m.pressArtifacts(key) {
			return nil
		}
	case diffOverlay:
		if (key == "esc" || key == "q") && m.attempts.listed {
			m.overlay = attemptsOverlay
			return nil
		}
	case sourceOverlay:
		if m.sources.open != "" && (key == "esc" || key == "q" || key == "enter") {
			m.sources.open, m.over = "", scroll{}
			return nil
		}
	case termsOverlay:
		if m.terms.open != "" && (key == "esc" || key == "q" || key == "enter") {
			m.terms.open, m.over = "", scroll{}
			return nil
		}
	}
	switch key {
	case "esc", "q":
		m.overlay = noOverlay
		return nil
	case "enter":
		return m.chosen()
	}
	if !m.isList() && m.overlay != attemptsOverlay {
		switch key {
		case "?", "v":
			m.overlay = noOverlay
			return nil
		}
		m.over.press(key, m.frameHeight()-2)
		return nil
	}
	m.movePointer(key)
	return nil
}

func (m *Model) movePointer(key string) {
	page := m.frameHeight() - 3
	switch key {
	case "down", "j":
		m.pointer++
	case "up", "k":
		m.pointer--
	case "pgdown", "space":
		m.pointer += page
	case "pgup":
		m.pointer -= page
	case "home", "g":
		m.pointer = 0
	case "end", "G":
		m.pointer = 1 << 20 // drawing keeps it inside
	}
	m.pointer = max(m.pointer, 0)
}

// chosen is Enter in what lies over the screen.
func (m *Model) chosen() tea.Cmd {
	switch m.overlay {
	case contentsOverlay:
		m.overlay = noOverlay
		return m.show(m.pointer)
	case termsOverlay:
		m.openTerm()
		return nil
	case sourceOverlay:
		if m.sources.open == "" {
			m.openSource()
			return nil
		}
	case attemptsOverlay:
		m.openChosenDiff()
		return nil
	}
	m.overlay = noOverlay
	return nil
}

// contentsLines are the parts of the step, each with its state.
func (m *Model) contentsLines(width int) []string {
	lines := make([]string, len(m.step.cards))
	for i, a := range m.step.cards {
		sign := draw.OpenSign
		switch {
		case i == m.step.card:
			sign = m.theme.Accent.On(draw.HereSign)
		case a.Kind == course.Reading || a.Kind == course.Work:
			sign = " "
		case m.options.Session.Finished(a):
			sign = m.theme.Pass.On(draw.PassSign)
		}
		lines[i] = draw.Cut(fmt.Sprintf(" %s %-14s %s", sign, m.kindWord(a.Kind), a.Title), width)
	}
	return lines
}

// kindWord names what a student does in a part.
func (m *Model) kindWord(k course.Kind) string {
	switch k {
	case course.Choosing:
		return m.theme.Say("question")
	case course.Recalling:
		return m.theme.Say("check")
	case course.Writing:
		return m.theme.Say("write")
	case course.Finding, course.Picking, course.Power:
		return m.theme.Say("answer")
	case course.Example:
		return m.theme.Say("example")
	case course.Demonstration:
		return m.theme.Say("demonstration")
	case course.Challenge:
		return m.theme.Say("challenge")
	case course.Impostors:
		return m.theme.Say("impostors")
	case course.Revision:
		return m.theme.Say("revision")
	case course.Reading:
		return m.theme.Say("read")
	case course.Work:
		return m.theme.Say("work")
	case course.OwnProbe:
		return m.theme.Say("your probe")
	case course.Fresh:
		return m.theme.Say("begin again")
	case course.Cases:
		return m.theme.Say("your cases")
	}
	return string(k)
}

func (m *Model) helpLines(width int) []string {
	over := m.overlay
	m.overlay = noOverlay
	bindings := m.keys()
	m.overlay = over
	var lines []string
	for _, b := range bindings {
		help := b.help
		if help == "" {
			help = b.what
		}
		lines = append(lines, draw.Hang(m.theme.Accent.On(draw.Fit(m.theme.Format(b.key), 10)), m.theme.Format(help), width)...)
	}
	for _, text := range []string{
		"",
		m.theme.Say("✓ done, as expected   ✗ differs   ▸ here   • to do   * changed"),
		"",
		m.theme.Say("YOURS is what you write, SUPPLIED what comes with the course."),
		m.theme.Say("The mouse wheel scrolls, and a click chooses. To mark text, hold Shift. Ctrl-L draws the screen anew."),
		m.theme.Say("Without this screen: `fieldbook --plain` is a line mode, `fieldbook --help` lists the commands."),
	} {
		lines = append(lines, draw.Wrap(text, width)...)
	}
	return lines
}

// operationLines is everything about one operation: the call, and what it asked the disk to do.
func (m *Model) operationLines(width int) []string {
	steps := m.steps()
	if m.step.cursor >= len(steps) {
		return nil
	}
	s := steps[m.step.cursor]
	t := m.theme
	lines := draw.Wrap(t.Title.On(s.Name)+"   "+s.Subject, width)
	if s.Yours {
		lines = append(lines, m.theme.Say("asked for by your %s:%d", s.File, s.Line))
	} else {
		lines = append(lines, m.theme.Say("asked for by SUPPLIED code"))
	}
	if s.Detail != "" {
		lines = append(lines, draw.Wrap(evidence.Folded(s.Detail), width)...)
	}
	if s.Err != "" {
		lines = append(lines, draw.Hang(t.Differ.On(draw.DifferSign)+" "+t.Say("returned:")+" ", s.Err, width)...)
	}
	if s.Changed > 0 {
		lines = append(lines, t.Say("rows changed: %d", s.Changed))
	}
	if len(s.Durable) == 0 {
		return append(lines, "", m.theme.Say("It asked the disk for nothing."))
	}
	lines = append(lines, "", t.Title.On(m.theme.Say("What the disk was asked to do")))
	table := [][]string{{t.Faint.On("  #"), t.Faint.On(t.Say("what")), t.Faint.On(t.Say("where")), t.Faint.On(t.Say("bytes"))}}
	for _, e := range s.Durable {
		where, size := e.Path, ""
		if e.To != "" {
			where += " -> " + e.To
		}
		if n := evidence.Written(e); n > 0 {
			size = t.Say("%d at %d", n, e.Offset)
		}
		table = append(table, []string{fmt.Sprintf("%3d", e.Seq), string(e.Kind), where, size})
	}
	return append(lines, draw.Columns(table, 3, width)...)
}
