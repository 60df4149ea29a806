package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"fieldbook/cmd/fieldbook/course"
	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/units"
)

// focused is the box that takes what is typed, nil when none does.
func (m *Model) focused() *textBox {
	switch {
	case m.overlay == searchOverlay:
		return &m.search.box
	case m.screen != stepScreen || m.overlay != noOverlay || m.step.focus >= len(m.step.boxes):
		return nil
	}
	return &m.step.boxes[m.step.focus]
}

// answered reports whether the texts of this part are committed.
func (m *Model) answered() bool { return m.options.Session.Committed(m.activity()) }

// pressBox does what a key means while a box has the focus.
func (m *Model) pressBox(box *textBox, key, text string) tea.Cmd {
	last := len(m.step.boxes) - 1
	switch key {
	case "esc":
		m.step.focus = len(m.step.boxes)
	case "tab":
		m.step.focus = (m.step.focus + 1) % len(m.step.boxes)
	case "shift+tab":
		m.step.focus = (m.step.focus + last) % len(m.step.boxes)
	case "ctrl+s":
		m.commit()
	case "enter":
		switch {
		case m.step.revising || !m.activity().Asks[m.step.focus].Line:
			box.insert("\n")
		case m.step.focus < last:
			m.step.focus++
		default:
			m.commit()
		}
	default:
		if !box.press(key) && text != "" {
			box.insert(text)
		}
	}
	return nil
}

// commit records the texts. After it they stay as they are.
func (m *Model) commit() {
	texts := make([]string, len(m.step.boxes))
	for i := range m.step.boxes {
		texts[i] = m.step.boxes[i].value()
	}
	a := m.activity()
	if m.step.revising {
		if err := m.options.Session.Revise(a, texts[0]); err != nil {
			m.fails(err)
			return
		}
		m.notice = "The revision is kept beside what you predicted."
	} else {
		if err := m.options.Session.Write(a, texts); err != nil {
			m.fails(err)
			return
		}
		m.notice = "Committed. The texts stay as they are; what you learn later is a revision."
	}
	m.refresh()
	switch m.kind() {
	case units.Predict, units.Diagnose:
		if m.options.Session.Answered(m.unit().ID, m.current()) {
			m.finish()
		}
	}
}

func (m *Model) promptsFrame(width, height int) []string {
	inner := draw.InnerWidth(width)
	var rows []draw.Row
	room := height - 2
	if m.kind() == units.Diagnose {
		if above := m.diagnosisLines(inner); len(above) > 0 {
			rows = []draw.Row{{Height: min(len(above), height/2), Panes: []draw.Pane{{Title: m.diagnosisTitle(), Lines: above}}}}
			room -= rows[0].Height + 1
		}
	}
	return m.theme.Frame(width, height, append(rows, draw.Row{Panes: []draw.Pane{m.promptsPane(inner, room)}}))
}

// promptsPane shows the asks of the part with what is written, as far as it fits; the box that is written in always does.
func (m *Model) promptsPane(inner, height int) draw.Pane {
	title := m.theme.Say("%s, not committed yet", m.activity().Title)
	if m.answered() {
		title = m.theme.Say("%s, committed", m.activity().Title)
	}
	lines, cursor := m.promptLines(inner)
	if m.focused() != nil {
		m.step.answers.follow(max(cursor-2, 0), height)
		m.step.answers.follow(min(cursor+1, len(lines)-1), height)
	}
	if more := m.step.answers.more(len(lines), height); more != "" {
		title += "   " + more
	}
	return draw.Pane{Title: title, Lines: m.step.answers.window(lines, height)}
}

// promptLines are the asks with their texts, and the line of the cursor.
func (m *Model) promptLines(width int) (lines []string, cursor int) {
	t, a := m.theme, m.activity()
	texts := m.options.Session.Texts(a)
	for i, ask := range a.Asks {
		for n, line := range draw.Texts(t.Markdown(ask.Text, width-3), width-3) {
			number := "   "
			if n == 0 {
				number = t.Strong.On(fmt.Sprintf("%d  ", i+1))
			}
			lines = append(lines, number+line)
		}
		if texts[i] != "" {
			lines = append(lines, indent(draw.Wrap(texts[i], width-3))...)
		} else if i < len(m.step.boxes) {
			bar := t.Faint.On("│ ")
			if i == m.step.focus {
				bar = t.Accent.On("┃ ")
			}
			for _, line := range m.step.boxes[i].lines(width-3, i == m.step.focus) {
				lines = append(lines, " "+bar+line)
			}
			if i == m.step.focus {
				cursor = len(lines) - 1
			}
		}
		lines = append(lines, "")
	}
	if m.answered() && m.kind() == units.Predict {
		lines = append(lines, t.Faint.On(m.theme.Say("The run compares them with what it observes.")))
	}
	return lines, cursor
}

func indent(lines []string) []string {
	for i := range lines {
		lines[i] = "   " + lines[i]
	}
	return lines
}

func (m *Model) diagnosisTitle() string {
	if m.answered() {
		return m.theme.Say("The edit, in your own source   (- yours   + injected)")
	}
	return m.theme.Say("Cells that differ; the edit is hidden until you have committed")
}

// diagnosisLines is the evidence while the student thinks, and the edit with what they found once they have committed.
func (m *Model) diagnosisLines(width int) []string {
	t, i := m.theme, m.injection
	if i == nil || !i.Found {
		return nil
	}
	if !m.answered() {
		return append(m.differenceLines(width), t.Faint.On(m.theme.Say("The operations with your lines are one step back, behind o.")))
	}
	d := course.Diagnose(m.options.Session.Texts(m.activity()), *i)
	lines := m.editLines(width)
	if d.OnLine > 0 {
		lines = append(lines, m.found(d.Line, t.Say("line %d is the line that was changed", d.OnLine)))
	}
	differs := t.Say("%s is the cell that differs", d.WasIn)
	if len(i.Differences) == 0 {
		differs = t.Say("%s is where it shows", t.Message(d.WasIn))
	}
	return append(lines, m.found(d.Cell, differs))
}

// found says whether the student's text names a fact.
func (m *Model) found(named bool, fact string) string {
	if named {
		return m.theme.Pass.On(draw.PassSign) + " " + m.theme.Say("you named it: %s", fact)
	}
	return m.theme.Differ.On(draw.DifferSign) + " " + m.theme.Say("not in your text: %s", fact)
}

// boxKeys are the keys while something is written.
func (m *Model) boxKeys() []binding {
	if m.overlay == searchOverlay {
		return []binding{{"Enter", "go there", "to the text or command under the cursor"}, {"↑/↓", "move", "through what was found"}, {"Esc", "close", "back to where you were"}}
	}
	return []binding{{"Ctrl-S", "commit", "commit the texts; they stay as they are"}, {"Tab", "next field", ""}, {"Esc", "stop writing", "the texts stay in their fields"}, {"Ctrl-C", "quit", "leave; what is not committed is lost"}}
}
