package ui

import (
	"fmt"
	"path"
	"strings"

	tea "charm.land/bubbletea/v2"

	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/grader"
)

// attemptList are the attempts at an exercise, and the diff that is shown of one.
type attemptList struct {
	list   []workspace.Attempt
	agree  map[int][2]int // fields as expected, and all fields, by number; of the latest
	title  string         // of the diff
	before int            // index of the attempt that is compared with; -1: the file as it is now is no attempt
	after  int
	listed bool // the diff was opened from the list
}

// mostCharted is how many attempts the chart reaches back: each is a report to read.
const mostCharted = 24

func (m *Model) readAttempts() bool {
	work := m.options.Session.Bench.Work
	list, err := work.ListAttempts(m.exercise().Name)
	if err != nil {
		m.fails(err)
		return false
	}
	m.attempts = attemptList{list: list, agree: map[int][2]int{}}
	for _, a := range list[max(len(list)-mostCharted, 0):] {
		report, err := work.AttemptReport(a.Number)
		if err != nil {
			continue // one that somebody edited
		}
		agree := 0
		for _, f := range report.Fields {
			if f.Agrees {
				agree++
			}
		}
		m.attempts.agree[a.Number] = [2]int{agree, len(report.Fields)}
	}
	return true
}

func (m *Model) openAttempts() tea.Cmd {
	if m.readAttempts() {
		m.open(attemptsOverlay)
		m.attempts.listed = true
		m.pointer = max(len(m.attempts.list)-1, 0)
	}
	return nil
}

// openDiff shows what changed between the last two attempts.
func (m *Model) openDiff() tea.Cmd {
	if !m.readAttempts() {
		return nil
	}
	last := len(m.attempts.list) - 1
	if last < 1 {
		m.notice = "There are not two attempts to compare yet."
		return nil
	}
	m.open(diffOverlay)
	m.compare(last-1, last)
	return nil
}

// openChosenDiff shows what changed from the attempt before the one under the pointer.
func (m *Model) openChosenDiff() {
	if m.pointer < 1 || m.pointer >= len(m.attempts.list) {
		m.notice = "No attempt came before this one."
		return
	}
	m.overlay, m.over = diffOverlay, scroll{}
	m.compare(m.pointer-1, m.pointer)
}

func (m *Model) compare(before, after int) {
	m.attempts.before, m.attempts.after = before, after
	m.attempts.title = m.theme.Say("From attempt %s to %s   (- before   + after)", m.attempts.list[before].Evidence(), m.attempts.list[after].Evidence())
}

// diffLines are the changed lines of every file, with the lines around them.
func (m *Model) diffLines(width int) []string {
	work := m.options.Session.Bench.Work
	before, after := m.attempts.list[m.attempts.before], m.attempts.list[m.attempts.after]
	var lines []string
	for _, source := range after.Sources {
		new, err := work.AttemptText(after, source)
		if err != nil {
			continue
		}
		var old []byte
		for _, earlier := range before.Sources {
			if earlier.Path == source.Path {
				old, _ = work.AttemptText(before, earlier) // one that is gone was empty
			}
		}
		lines = append(lines, m.theme.Title.On(path.Base(source.Path)))
		changed := m.theme.Diff(string(old), string(new), width)
		if len(changed) == 0 {
			changed = []string{m.theme.Say("Nothing changed.")}
		}
		lines = append(append(lines, changed...), "")
	}
	return lines
}

func (m *Model) attemptsFrame(width, height int) []string {
	inner := draw.InnerWidth(width)
	if len(m.attempts.list) == 0 {
		return m.theme.Frame(width, height, []draw.Row{{Panes: []draw.Pane{{Title: m.theme.Say("Attempts at %s", m.exercise().Name), Lines: []string{m.theme.Say("Nothing has run yet. Every run is kept here, the first one for good.")}}}}})
	}
	chart := m.chart(inner)
	lines := make([]string, len(m.attempts.list))
	for i, a := range m.attempts.list {
		fields := ""
		if n, ok := m.attempts.agree[a.Number]; ok && n[1] > 0 {
			fields = m.theme.Say("%d of %d as expected", n[0], n[1])
		}
		lines[i] = draw.Cut(fmt.Sprintf(" %s %-4s %s  %-11s %-14s %s", m.attemptSign(a), a.Evidence(), a.Time.Local().Format("2 Jan 15:04"), a.Label,
			m.outcome(a), fields), inner)
	}
	list := m.listPane(m.theme.Say("Attempts at %s", m.exercise().Name), lines, true, height-3-len(chart))
	return m.theme.Frame(width, height, []draw.Row{{Panes: []draw.Pane{list}},
		{Height: len(chart), Panes: []draw.Pane{{Title: "Fields as expected, attempt by attempt", Lines: chart}}}})
}

// outcome is how an attempt ended, in a word.
func (m *Model) outcome(a workspace.Attempt) string {
	if a.Outcome == grader.Observed {
		return m.theme.Say("observed")
	}
	return m.theme.Outcome(grader.Report{Outcome: a.Outcome})
}

func (m *Model) attemptSign(a workspace.Attempt) string {
	if a.Verdict == grader.Pass {
		return m.theme.Pass.On(draw.PassSign)
	}
	return m.theme.Differ.On(draw.DifferSign)
}

// chartHeight is how many lines a chart has above its signs.
const chartHeight = 4

// chart is a column for each attempt, as high as its share of fields that are as expected, with the verdict's sign below.
func (m *Model) chart(width int) []string {
	list := m.attempts.list[max(len(m.attempts.list)-min(mostCharted, (width-10)/2), 0):]
	rows := make([]strings.Builder, chartHeight+1)
	for _, a := range list {
		n := m.attempts.agree[a.Number]
		level := 0
		if n[1] > 0 {
			level = n[0] * chartHeight * 2 / n[1] // in half lines
		}
		for i := range chartHeight {
			cell := " "
			switch filled := level - 2*(chartHeight-1-i); {
			case filled >= 2:
				cell = "█"
			case filled == 1:
				cell = "▄"
			}
			rows[i].WriteString(cell + " ")
		}
		rows[chartHeight].WriteString(m.attemptSign(a) + " ")
	}
	lines := make([]string, len(rows))
	for i := range rows {
		var label string
		switch i {
		case 0:
			label = "all    │"
		case chartHeight:
			label = "verdict "
		default:
			label = "       │"
		}
		lines[i] = m.theme.Faint.On(label) + rows[i].String()
	}
	return lines
}
