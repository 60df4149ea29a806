package ui

import (
	"fmt"
	"strings"

	"fieldbook/cmd/fieldbook/course"
	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/evidence"
	"fieldbook/grader"
)

// answerLines are what a part asks, with what is written, or what came of it; cursor is the line that is written in, -1 for
// none.
func (m *Model) answerLines(width int) (lines []string, cursor int) {
	a := m.activity()
	switch {
	case m.step.revising:
		lines = m.comparison(a, width)
		lines = append(lines, "")
		lines, cursor = m.boxLines(lines, 0, "", width)
		return lines, cursor
	case len(a.Choices) > 0:
		return m.choiceLines(a, width)
	case !m.answered():
		if a.Kind == course.Revision {
			lines = append(m.comparison(a, width), "")
		}
		return m.askLines(lines, a, width)
	}
	return m.outcomeLines(a, width), -1
}

// choiceLines are the choices; once one is committed, which it was, and what is right and why.
func (m *Model) choiceLines(a *course.Activity, width int) (lines []string, cursor int) {
	t, chosen := m.theme, m.options.Session.Choice(a)
	for i, choice := range a.Choices {
		sign := " "
		switch {
		case chosen > 0 && a.Right == i+1:
			sign = t.Pass.On(draw.PassSign)
		case chosen == i+1 && a.Right > 0:
			sign = t.Differ.On(draw.DifferSign)
		case chosen == i+1:
			sign = t.Accent.On(draw.HereSign)
		}
		text := draw.Hang(fmt.Sprintf(" %s %d  ", sign, i+1), choice, width)
		if chosen == 0 && i == m.step.pick {
			cursor = len(lines)
			text[0] = m.mark(draw.Fit(text[0], width))
		}
		lines = append(lines, text...)
	}
	if chosen == 0 {
		return lines, cursor
	}
	if a.Right == 0 {
		return append(lines, "", m.theme.Say("Chosen. It becomes the probe that you write yourself.")), -1
	}
	verdict := t.Pass.On(draw.PassSign) + " " + t.Say("right")
	if chosen != a.Right {
		verdict = t.Differ.On(draw.DifferSign) + " " + t.Say("you chose %d, and %d is right", chosen, a.Right)
	}
	lines = append(lines, "", verdict)
	lines = append(lines, draw.Wrap(a.Answer, width)...)
	if a.Skip && chosen == a.Right {
		lines = append(lines, "", m.theme.Say("s skips the page; that is recorded. Enter reads it."))
	}
	return lines, -1
}

// askLines are the asks with a box for each.
func (m *Model) askLines(lines []string, a *course.Activity, width int) ([]string, int) {
	cursor := -1
	label := labelWidth(a, width)
	for i, ask := range a.Asks {
		if !ask.Line {
			lines = append(lines, draw.Texts(m.theme.Markdown(ask.Text, width), width)...)
		}
		name := ""
		if ask.Line {
			name = draw.Fit(ask.Text, label) + "  "
		}
		var at int
		if lines, at = m.boxLines(lines, i, name, width); at >= 0 {
			cursor = at
		}
	}
	if m.focused() == nil {
		lines = append(lines, m.theme.Faint.On(m.theme.Say("Enter begins to write. The values are committed before anything runs.")))
	}
	return lines, cursor
}

// labelWidth is the width of the names in front of one-line texts.
func labelWidth(a *course.Activity, width int) int {
	label := 0
	for _, ask := range a.Asks {
		if ask.Line {
			label = max(label, min(draw.Width(ask.Text), width/2))
		}
	}
	return label
}

// boxLines draws one box behind a name.
func (m *Model) boxLines(lines []string, box int, name string, width int) ([]string, int) {
	if box >= len(m.step.boxes) {
		return lines, -1
	}
	focus := box == m.step.focus
	bar := m.theme.Faint.On("│ ")
	if focus {
		bar = m.theme.Accent.On("┃ ")
	}
	for i, line := range m.step.boxes[box].lines(max(width-draw.Width(name)-2, 4), focus) {
		if i > 0 {
			name = draw.Spaces(draw.Width(name))
		}
		lines = append(lines, name+bar+line)
	}
	if focus {
		return lines, len(lines) - 1
	}
	return lines, -1
}

// outcomeLines are the committed texts and what came of them.
func (m *Model) outcomeLines(a *course.Activity, width int) []string {
	t, s := m.theme, m.options.Session
	var lines []string
	result := s.Result(a)
	if !a.Runs() || result == nil || result.Report.Outcome != grader.Observed {
		label := labelWidth(a, width)
		for i, text := range s.Texts(a) {
			name := draw.Fit(a.Asks[i].Text, label)
			if !a.Asks[i].Line {
				lines = append(lines, draw.Wrap(t.Faint.On(a.Asks[i].Text), width)...)
				name = ""
			}
			lines = append(lines, draw.Hang(name+"  ", text, width)...)
		}
	}
	switch a.Kind {
	case course.Finding:
		right, calls := s.Found(a)
		lines = append(lines, m.found(right, t.Say("%s calls your function", calls)))
	case course.Recalling:
		lines = append(lines, "", t.Title.On(m.theme.Say("The course's answer")))
		lines = append(lines, draw.Wrap(a.Answer, width)...)
		lines = append(lines, "", t.Faint.On(m.theme.Say("Yours stays beside it. Nobody scores it: compare the two.")))
	case course.Fresh:
		if !s.Finished(a) {
			lines = append(lines, m.theme.Say("Enter begins."))
		} else {
			lines = append(lines, m.theme.Say("Begun. Your first version lies in a backup."))
		}
	case course.Power:
		if result == nil {
			lines = append(lines, "", m.theme.Say("Enter, or o, explores what a crash after each of your operations leaves."))
			break
		}
		lines = append(lines, "", t.Title.On(result.Evidence)+"   "+t.Say("what a crash after each of your operations leaves; o shows the matrix"))
		lines = append(lines, m.rowLines(s.Rows(a), width)...)
	case course.Revision:
		lines = append(m.comparison(a, width), append([]string{""}, lines...)...)
	}
	if !a.Runs() {
		return lines
	}
	if result == nil {
		return append(append(lines, m.ownLines(width)...), "", m.theme.Say("Enter runs it."))
	}
	lines = append(lines, m.comparison(a, width)...)
	if missing := s.Missing(a); missing != "" {
		lines = append(lines, draw.Hang(t.Changed.On("! "), missing, width)...)
	}
	if a.Kind == course.Example && a.Answer != "" {
		lines = append(lines, "", t.Title.On(m.theme.Say("Once more")))
		lines = append(lines, draw.Wrap(a.Answer, width)...)
	}
	return lines
}

// ownLines are the fields or cases in the student's own file, and what is wrong with the file.
func (m *Model) ownLines(width int) []string {
	var lines []string
	if m.step.wrong != "" {
		lines = append(lines, draw.Hang(m.theme.Changed.On("! "), m.step.wrong, width)...)
	}
	for _, r := range m.step.own {
		lines = append(lines, draw.Hang(draw.OpenSign+" ", m.theme.Say("%s  expected %s", r.Name, r.Expected)+"  "+m.theme.Faint.On(r.Meaning), width)...)
	}
	return lines
}

// comparison sets what was predicted beside what was observed, and says what kept a run from being observed.
func (m *Model) comparison(a *course.Activity, width int) []string {
	t, s := m.theme, m.options.Session
	var lines []string
	if result := s.Result(a); result != nil && a.Runs() {
		lines = append(lines, t.Diagnostics(result.Report.Diagnostics, width)...)
		lines = append(lines, t.Cause(result.Report, width)...)
	}
	rows := s.Rows(a)
	if a.Kind == course.Demonstration {
		for i := range rows {
			rows[i].Expected = "" // nobody expects this of a restore: it is what happened
		}
	}
	lines = append(lines, m.rowLines(rows, width)...)
	for _, r := range rows {
		if r.Meaning != "" {
			lines = append(lines, draw.Hang(m.theme.Faint.On(r.Name+"  "), r.Meaning, width)...)
		}
	}
	if n := course.Differs(rows); n > 0 && m.mayRevise(a) && len(s.Revised(a)) == 0 && !m.step.revising {
		differ := t.Say("One value differs. w writes a revision; what you predicted stays.")
		if n > 1 {
			differ = t.Say("%d values differ. w writes a revision; what you predicted stays.", n)
		}
		lines = append(lines, draw.Wrap(differ, width)...)
	}
	for _, text := range s.Revised(a) {
		lines = append(lines, draw.Hang(t.Faint.On(t.Say("revised"))+"  ", text, width)...)
	}
	return lines
}

// rowLines are the rows of a comparison as a table, or each on its own where they are too wide.
func (m *Model) rowLines(rows []course.Row, width int) []string {
	if len(rows) == 0 {
		return nil
	}
	t := m.theme
	predicted, expected := false, false
	for _, r := range rows {
		predicted, expected = predicted || r.Predicted != "", expected || r.Expected != ""
	}
	header := []string{t.Faint.On("  " + t.Say("value"))}
	for _, column := range []struct {
		shown bool
		name  string
	}{{predicted, t.Say("predicted")}, {expected, t.Say("expected")}, {true, t.Say("observed")}} {
		if column.shown {
			header = append(header, t.Faint.On(column.name))
		}
	}
	table := [][]string{header}
	widest := 0
	for _, r := range rows {
		row := []string{m.rowSign(r, predicted || expected) + " " + r.Name}
		if predicted {
			row = append(row, r.Predicted)
		}
		if expected {
			row = append(row, r.Expected)
		}
		table = append(table, append(row, r.Observed))
	}
	lines := draw.Columns(table, 2, 1<<10)
	for _, line := range lines {
		widest = max(widest, draw.Width(line))
	}
	if widest <= width {
		return lines
	}
	lines = nil
	for i := range rows {
		lines = append(lines, draw.Cut(table[i+1][0], width))
		for j := 1; j < len(header); j++ {
			lines = append(lines, draw.Hang("    "+draw.Fit(header[j], 10)+" ", table[i+1][j], width)...)
		}
	}
	return lines
}

// rowSign says whether a value is as predicted or expected; where nothing was, there is no sign.
func (m *Model) rowSign(r course.Row, compared bool) string {
	if !compared {
		return " "
	}
	if r.As {
		return m.theme.Pass.On(draw.PassSign)
	}
	return m.theme.Differ.On(draw.DifferSign)
}

// resultLines is everything that the last run of a part shows.
func (m *Model) resultLines(width int) []string {
	a := m.activity()
	result := m.options.Session.Result(a)
	if result == nil {
		return nil
	}
	t, r := m.theme, result.Report
	lines := []string{strings.TrimSpace(result.Evidence + "   " + r.Label + "   " + m.resultWord(a, r)), t.Faint.On(t.Environment(r.Environment)), ""}
	if len(r.Fields) > 0 {
		lines = append(append(lines, t.Fields(r.Fields, width)...), "")
	}
	lines = append(lines, t.Diagnostics(r.Diagnostics, width)...)
	lines = append(lines, t.Cause(r, width)...)
	if steps := evidence.Timeline(r.Operations, m.owned(a)...); len(steps) > 0 {
		lines = append(append(lines, t.Title.On(m.theme.Say("Operations, in order"))), t.Timeline(steps, width)...)
		lines = append(lines, "")
	}
	if trails := evidence.Trails(r); len(trails) > 0 {
		lines = append(append(lines, t.Title.On(m.theme.Say("Rows   * changed   ✗ differs"))), t.Rows(evidence.Stages(r), trails, width)...)
		lines = append(lines, "")
	}
	return append(lines, t.Output(r.Output, width)...)
}
