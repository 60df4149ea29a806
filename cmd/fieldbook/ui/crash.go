package ui

import (
	tea "charm.land/bubbletea/v2"

	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/matrix"
	"fieldbook/grader"
	"fieldbook/grader/crash"
)

// matrixState is the crash matrix that was explored last, and the cell that is looked at.
type matrixState struct {
	of     *crash.Matrix
	cell   matrix.Cell
	table  scroll
	detail scroll
}

// explore looks at what a crash after each operation of the student's file leaves. Where the unit asks about it first, the
// answer comes first.
func (m *Model) explore() tea.Cmd {
	if m.exercise().Crash == nil {
		m.notice = "Nothing is declared about crashes of " + m.exercise().Name + "."
		return nil
	}
	question := m.options.Session.Question(m.unit(), m.exercise())
	if question != nil && !m.options.Session.Committed(question) {
		m.notice = "First say after which operation you would least like the power to fail: search for that with /."
		return nil
	}
	if m.busy != "" {
		return nil
	}
	m.busy = "exploring crashes"
	session, e, ctx := m.options.Session, m.exercise(), m.ctx
	return func() tea.Msg {
		found, run, err := session.Explore(ctx, e, question)
		return explored{question, found, run, err}
	}
}

// showMatrix shows the matrix that was explored last, and explores when there is none.
func (m *Model) showMatrix() tea.Cmd {
	if m.matrix.of == nil {
		return m.explore()
	}
	m.open(matrixOverlay)
	return nil
}

func (m *Model) hasExplored(e explored) {
	m.busy = ""
	if e.activity != nil && e.run.Attempt.Number > 0 {
		m.options.Session.Performed(e.activity, e.run)
	}
	switch {
	case e.err != nil:
		m.fails(e.err)
	case e.matrix == nil:
		m.notice = m.theme.Say("The file cannot be run: %s. Run it to see the messages.", m.theme.Outcome(e.run.Report))
	case len(e.matrix.Rows) == 0:
		m.notice = m.theme.Say("There is no matrix: %s %s", m.theme.Message(e.matrix.Cause), m.theme.Message(e.matrix.Hint))
	default:
		m.matrix = matrixState{of: e.matrix}
		if broken := matrix.Breaches(e.matrix, 1); len(broken) > 0 {
			m.matrix.cell = broken[0]
		}
		m.open(matrixOverlay)
	}
}

func (m *Model) pressMatrix(key string) {
	x := &m.matrix
	rows, columns := len(x.of.Rows), len(x.of.Invariants)
	switch key {
	case "esc", "q":
		m.overlay = noOverlay
		return
	case "down", "j":
		x.cell.Row = min(x.cell.Row+1, rows-1)
	case "up", "k":
		x.cell.Row = max(x.cell.Row-1, 0)
	case "right", "l":
		x.cell.Column = min(x.cell.Column+1, columns-1)
	case "left", "h":
		x.cell.Column = max(x.cell.Column-1, 0)
	case "n":
		m.nextBroken()
	case "]", "pgdown", "space":
		x.detail.top++
		return
	case "[", "pgup":
		x.detail.top = max(x.detail.top-1, 0)
		return
	}
	x.detail = scroll{}
}

// nextBroken goes to the next cell that does not hold, in reading order and around the end.
func (m *Model) nextBroken() {
	x := &m.matrix
	columns := len(x.of.Invariants)
	total := len(x.of.Rows) * columns
	at := x.cell.Row*columns + x.cell.Column
	for i := 1; i <= total; i++ {
		next := (at + i) % total
		if !x.of.Rows[next/columns].Cells[next%columns].Holds() {
			x.cell = matrix.Cell{Row: next / columns, Column: next % columns}
			return
		}
	}
	m.notice = "Every invariant holds in every state."
}

func (m *Model) matrixFrame(width, height int) []string {
	inner, x := draw.InnerWidth(width), &m.matrix
	head := append(matrix.Headline(m.theme, x.of, inner), matrix.Legend(m.theme, x.of, inner)...)
	table := matrix.Table(m.theme, x.of, x.cell, inner)
	detail := append(draw.Wrap(m.theme.Strong.On(matrix.Heading(m.theme, x.of, x.cell)), inner), matrix.Detail(m.theme, x.of, x.cell, inner)...)
	below := min(len(detail), (height-3-len(head))/2)
	room := height - len(head) - below - 4
	x.table.follow(x.cell.Row+1, room)
	if x.cell.Row == 0 {
		x.table.top = 0
	}
	title := m.theme.Say("The state behind this cell")
	if more := x.detail.more(len(detail), below); more != "" {
		title += "   " + more
	}
	m.hit = hitArea{right: width, top: 3 + len(head), height: room, pick: func(line int) {
		x.cell.Row = max(min(x.table.top+line-1, len(x.of.Rows)-1), 0)
	}}
	verdict := m.theme.Say("Crash matrix of your file")
	if x.of.Verdict == grader.Pass {
		verdict = m.theme.Say("Crash matrix of your file: every invariant holds")
	}
	return m.theme.Frame(width, height, []draw.Row{
		{Height: len(head), Panes: []draw.Pane{{Title: verdict, Lines: head}}},
		{Panes: []draw.Pane{{Title: "After each operation", Lines: x.table.window(table, room)}}},
		{Height: below, Panes: []draw.Pane{{Title: title, Lines: x.detail.window(detail, below)}}},
	})
}
