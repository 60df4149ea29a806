package ui

import (
	"fmt"
	"path"

	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/runtime/operation"
)

// contractPane is the contract of the exercise, each line with what the operation log of the run has seen of it.
func (m *Model) contractPane(r grader.Report, width, height int) draw.Pane {
	lines := m.contractLines(r.Operations, width-2)
	title := m.theme.Say("The contract, as the operations show it")
	shown := m.step.rowScroll.window(lines, height)
	if more := m.step.rowScroll.more(len(lines), height); more != "" {
		title += "   " + more
	}
	return draw.Pane{Title: title, Width: width, Lines: shown}
}

func (m *Model) contractLines(log []operation.Entry, width int) []string {
	e := m.exercise()
	var lines []string
	for i, step := range e.Follow(e.Contract, log) {
		sign, state := draw.OpenSign, m.theme.Say("not yet")
		switch step.Progress {
		case exercises.Seen:
			sign, state = m.theme.Pass.On(draw.PassSign), m.theme.Say("seen")
		case exercises.TooLate:
			sign, state = m.theme.Differ.On(draw.DifferSign), m.theme.Differ.On(m.theme.Say("seen too late"))
		}
		if step.Line > 0 {
			state += " " + m.theme.Say("at %s:%d", path.Base(step.File), step.Line)
		}
		lines = append(lines, draw.Hang(fmt.Sprintf("%s %d ", sign, i+1), m.theme.Message(step.Rule.Text)+m.theme.Faint.On("  "+state), width)...)
	}
	return lines
}
