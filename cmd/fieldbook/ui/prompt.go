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
	if m.screen != stepScreen || !m.step.work || !m.writes() || m.overlay != noOverlay || m.step.focus >= len(m.step.boxes) || m.answered() {
		return nil
	}
	return &m.step.boxes[m.step.focus]
}

// answered reports whether the texts of this step are committed.
func (m *Model) answered() bool {
	return len(m.step.boxes) > 0 && m.options.Session.Answered(m.unit().ID, m.current())
}

// pressBox does what a key means while a box has the focus.
func (m *Model) pressBox(box *textBox, key, text string) tea.Cmd {
	switch key {
	case "esc":
		m.step.focus = len(m.step.boxes)
	case "tab":
		m.step.focus = (m.step.focus + 1) % len(m.step.boxes)
	case "shift+tab":
		m.step.focus = (m.step.focus + len(m.step.boxes) - 1) % len(m.step.boxes)
	case "ctrl+s":
		m.commit()
	default:
		if !box.press(key) && text != "" {
			box.insert(text)
		}
	}
	return nil
}

// pressPrompts does what a key means while no box has the focus.
func (m *Model) pressPrompts(key string) tea.Cmd {
	switch key {
	case "enter", "i":
		if m.answered() {
			return m.forward()
		}
		m.step.focus = 0
	case "ctrl+s":
		m.commit()
	}
	return nil
}

// commit records the texts. After it they stay as they are.
func (m *Model) commit() {
	texts := make([]string, len(m.step.boxes))
	for i := range m.step.boxes {
		texts[i] = m.step.boxes[i].value()
	}
	if err := m.options.Session.Commit(texts); err != nil {
		m.fails(err)
		return
	}
	m.step.focus = len(m.step.boxes)
	m.finish()
	m.notice = "Committed. The texts stay as they are; what you learn later is a revision."
}

func (m *Model) promptsFrame(width, height int) []string {
	inner := draw.InnerWidth(width)
	rows := []draw.Row{{Panes: []draw.Pane{{Title: m.promptsTitle(), Lines: m.promptLines(inner)}}}}
	if m.kind() == units.Diagnose {
		above := m.diagnosisLines(inner)
		if len(above) > 0 {
			rows = append([]draw.Row{{Height: min(len(above), height/2), Panes: []draw.Pane{{Title: m.diagnosisTitle(), Lines: above}}}}, rows...)
		}
	}
	return m.theme.Frame(width, height, rows)
}

func (m *Model) promptsTitle() string {
	what := "Your notes"
	switch m.kind() {
	case units.Predict:
		what = "Your prediction"
	case units.Diagnose:
		what = "Your diagnosis"
	}
	if m.answered() {
		return what + ", committed"
	}
	return what + ", not committed yet"
}

func (m *Model) promptLines(width int) []string {
	t := m.theme
	answers := m.options.Session.Answers(m.unit().ID, m.current())
	var lines []string
	for i, p := range m.current().Prompts {
		for n, line := range draw.Texts(t.Markdown(p.Ask, width-3), width-3) {
			number := "   "
			if n == 0 {
				number = t.Strong.On(fmt.Sprintf("%d  ", i+1))
			}
			lines = append(lines, number+line)
		}
		if answers[i] != "" {
			lines = append(lines, indent(draw.Wrap(answers[i], width-3))...)
		} else {
			bar := t.Faint.On("│ ")
			if i == m.step.focus {
				bar = t.Accent.On("┃ ")
			}
			for _, line := range m.step.boxes[i].lines(width-3, i == m.step.focus) {
				lines = append(lines, " "+bar+line)
			}
		}
		lines = append(lines, "")
	}
	if m.answered() && m.kind() == units.Predict {
		lines = append(lines, t.Faint.On("The run compares them with what it observes."))
	}
	return lines
}

func indent(lines []string) []string {
	for i := range lines {
		lines[i] = "   " + lines[i]
	}
	return lines
}

func (m *Model) diagnosisTitle() string {
	if m.answered() {
		return "The edit, in your own source   (- yours   + injected)"
	}
	return "Cells that differ; the edit is hidden until you have committed"
}

// diagnosisLines is the evidence while the student thinks, and the edit with what they found once they have committed.
func (m *Model) diagnosisLines(width int) []string {
	t, i := m.theme, m.injection
	if i == nil || !i.Found {
		return nil
	}
	if !m.answered() {
		return append(m.differenceLines(width), t.Faint.On("The operations with your lines are one step back, behind o."))
	}
	d := course.Diagnose(m.options.Session.Answers(m.unit().ID, m.current()), *i)
	lines := m.editLines(width)
	if d.OnLine > 0 {
		lines = append(lines, m.found(d.Line, fmt.Sprintf("line %d is the line that was changed", d.OnLine)))
	}
	differs := "the cell that differs"
	if len(i.Differences) == 0 {
		differs = "where it shows"
	}
	return append(lines, m.found(d.Cell, d.WasIn+" is "+differs))
}

// found says whether the student's text names a fact.
func (m *Model) found(named bool, fact string) string {
	if named {
		return m.theme.Pass.On(draw.PassSign) + " you named it: " + fact
	}
	return m.theme.Differ.On(draw.DifferSign) + " not in your text: " + fact
}

func (m *Model) promptKeys(tab binding) []binding {
	if m.focused() != nil {
		return []binding{{"Ctrl-S", "commit", "commit the texts; they stay as they are"}, {"Tab", "next field", ""}, {"Esc", "stop writing", "the texts stay in their fields"}, {"Ctrl-C", "quit", "leave; what is not committed is lost"}}
	}
	if m.answered() {
		return []binding{{"Enter", "go on", "to the next step"}, tab}
	}
	return []binding{{"Enter", "write", "write the texts"}, {"Ctrl-S", "commit", "commit the texts; they stay as they are"}, tab}
}
