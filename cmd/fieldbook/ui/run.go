package ui

import (
	"path"
	"strings"

	tea "charm.land/bubbletea/v2"

	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/evidence"
	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/grader"
)

// sideBySide is the inner width from which operations and rows stand beside each other.
const sideBySide = 100

func (m *Model) pressRun(key string) tea.Cmd {
	m.step.resetting = m.step.resetting && key == "R"
	switch key {
	case "h":
		if err := m.options.Session.OpenHint(m.exercise()); err != nil {
			m.fails(err)
		}
	case "d":
		return m.openDiff()
	case "x":
		return m.explore()
	case "R", "U":
		if m.runs() && key == "R" {
			return m.reset()
		}
		if m.runs() {
			return m.undoReset()
		}
	case "enter":
		if m.step.run != nil && m.step.run.Report.Verdict == grader.Pass && m.options.Session.Done(m.unit().ID, m.current().ID) && len(m.steps()) == 0 {
			return m.onwards()
		}
		if len(m.steps()) > 0 {
			m.open(operationOverlay)
		}
	default:
		m.pressTimeline(key)
	}
	return nil
}

// pressTimeline moves through the operations of the report that is shown, or through its rows.
func (m *Model) pressTimeline(key string) {
	switch key {
	case "o":
		m.step.evidence = m.nextPane()
		m.step.rowScroll = scroll{}
		return
	case "z":
		m.step.zoom = !m.step.zoom
		return
	}
	if m.shownReport() == nil && m.step.rowScroll.press(key, 4) {
		return
	}
	if m.step.evidence != operationsPane && m.width-3 < sideBySide && m.step.rowScroll.press(key, 4) {
		return
	}
	last := max(len(m.steps())-1, 0)
	switch key {
	case "down", "j":
		m.step.cursor = min(m.step.cursor+1, last)
	case "up", "k":
		m.step.cursor = max(m.step.cursor-1, 0)
	case "home", "g":
		m.step.cursor = 0
	case "end", "G":
		m.step.cursor = last
	}
}

// steps is the timeline of the report that is shown.
func (m *Model) steps() []evidence.Step {
	r := m.shownReport()
	if r == nil {
		return nil
	}
	return evidence.Timeline(r.Operations, workbench.Places(m.exercise())...)
}

// firstOfInterest is where the cursor goes after a run: the last of the student's operations that asked a disk for
// something, else the last of theirs.
func (m *Model) firstOfInterest(r grader.Report) int {
	own := 0
	for i, s := range evidence.Timeline(r.Operations, workbench.Places(m.exercise())...) {
		if s.Yours && (len(s.Durable) > 0 && s.Name != "database.Close" || own == 0) {
			own = i
		}
	}
	return own
}

// runFrame is the run pane: what was compared, what was done and what changed, the hint.
func (m *Model) runFrame(width, height int) []string {
	inner := draw.InnerWidth(width)
	bottom := m.runNotes(inner)
	r := m.shownReport()
	if r == nil {
		title := m.theme.Say("Nothing has run yet")
		if m.busy != "" {
			title = m.theme.Say("Running")
		}
		below := min(len(bottom), height/3)
		lines := m.beforeRun(inner)
		shown := m.step.rowScroll.window(lines, height-3-below)
		if more := m.step.rowScroll.more(len(lines), height-3-below); more != "" {
			title += "   " + more
		}
		return m.theme.Frame(width, height, []draw.Row{
			{Panes: []draw.Pane{{Title: title, Lines: shown}}},
			{Height: below, Panes: []draw.Pane{{Title: m.hintTitle(), Lines: bottom}}},
		})
	}
	rows := []draw.Row{}
	title, top := m.verdictLines(*r, inner)
	middle := len(m.steps()) > 0 || len(r.Stages) > 0
	if middle && m.step.zoom {
		m.hitOperations(2, height-2)
		return m.theme.Frame(width, height, []draw.Row{{Panes: m.evidencePanes(*r, width, height-2)}})
	}
	if !middle {
		rows = append(rows, draw.Row{Panes: []draw.Pane{{Title: title, Lines: top}}})
	} else {
		rows = append(rows, draw.Row{Height: min(len(top), height/3), Panes: []draw.Pane{{Title: title, Lines: top}}})
		room := height - rows[0].Height - min(len(bottom), height/3) - 4
		m.hitOperations(3+rows[0].Height, room)
		rows = append(rows, draw.Row{Panes: m.evidencePanes(*r, width, room)})
	}
	rows = append(rows, draw.Row{Height: min(len(bottom), height/3), Panes: []draw.Pane{{Title: m.hintTitle(), Lines: bottom}}})
	return m.theme.Frame(width, height, rows)
}

func (m *Model) beforeRun(width int) []string {
	var lines []string
	for _, place := range workbench.Places(m.exercise()) {
		lines = append(lines, draw.Hang(m.theme.Say("yours")+"   ", m.options.Session.Bench.Work.Path(place), width)...)
	}
	lines = append(lines, "", m.theme.Say("Saving the file runs it. r runs it now, e opens your editor."))
	if e := m.exercise(); len(e.Contract) > 0 {
		lines = append(append(lines, "", m.theme.Title.On(m.theme.Say("The contract"))), m.contractLines(nil, width)...)
	}
	return lines
}

// verdictLines is the top pane: fields, or why there are none.
func (m *Model) verdictLines(r grader.Report, width int) (title string, lines []string) {
	t := m.theme
	switch {
	case len(r.Diagnostics) > 0:
		title = t.Say("%s: %d messages", t.Outcome(r), len(r.Diagnostics))
		lines = append(t.Diagnostics(r.Diagnostics, width), "")
		return title, append(lines, t.Cause(r, width)...)
	case len(r.Fields) > 0:
		title = t.Say("Fields: %s", t.Count(r.Fields))
		lines = append(lines, t.Verdict(r.Verdict)+": "+t.Outcome(r)+t.Faint.On("   "+t.Environment(r.Environment)))
		lines = append(lines, t.Fields(r.Fields, width)...)
		return title, append(lines, t.Cause(r, width)...)
	default:
		lines = append([]string{t.Verdict(r.Verdict) + ": " + t.Outcome(r)}, t.Cause(r, width)...)
		return t.Outcome(r), append(lines, t.Output(r.Output, width)...)
	}
}

// nextPane is the pane that o goes to. Beside the operations, on wide screens, rows and contract take turns.
func (m *Model) nextPane() evidencePane {
	if m.width-3 >= sideBySide && m.step.evidence == operationsPane {
		return contractPane
	}
	return (m.step.evidence + 1) % (contractPane + 1)
}

// evidencePanes are operations with rows or contract beside them where both fit, else one of the three.
func (m *Model) evidencePanes(r grader.Report, width, height int) []draw.Pane {
	second := m.rowsPane
	if m.step.evidence == contractPane {
		second = m.contractPane
	}
	if width-3 >= sideBySide {
		left := (width - 3) * 55 / 100
		return []draw.Pane{m.operationsPane(left, height), second(r, width-3-left, height)}
	}
	if m.step.evidence != operationsPane {
		return []draw.Pane{second(r, width-2, height)}
	}
	return []draw.Pane{m.operationsPane(width-2, height)}
}

// hitOperations lets a click choose an operation, where they are shown.
func (m *Model) hitOperations(top, height int) {
	right := m.width
	if m.width-3 >= sideBySide {
		right = (m.width-3)*55/100 + 1
	} else if m.step.evidence != operationsPane {
		return
	}
	m.hit = hitArea{right: right, top: top, height: height, pick: func(line int) {
		m.step.cursor = max(min(m.step.timeline.top+line-1, len(m.steps())-1), 0)
	}}
}

func (m *Model) operationsPane(width, height int) draw.Pane {
	lines := m.theme.Timeline(m.steps(), width-2)
	if at := m.step.cursor + 1; at < len(lines) {
		lines[at] = m.mark(lines[at])
	}
	m.step.timeline.follow(m.step.cursor+1, height)
	title := m.theme.Say("Operations, in order")
	if more := m.step.timeline.more(len(lines), height); more != "" {
		title += "   " + more
	}
	return draw.Pane{Title: title, Width: width, Lines: m.step.timeline.window(lines, height)}
}

func (m *Model) rowsPane(r grader.Report, width, height int) draw.Pane {
	lines := []string{m.theme.Say("No row has changed.")}
	if trails := evidence.Trails(r); len(trails) > 0 {
		lines = m.theme.Rows(evidence.Stages(r), trails, width-2)
	}
	shown := m.step.rowScroll.window(lines, height)
	title := m.theme.Say("Rows   * changed   ✗ differs")
	if more := m.step.rowScroll.more(len(lines), height); more != "" {
		title += "   " + more
	}
	return draw.Pane{Title: title, Width: width, Lines: shown}
}

func (m *Model) hintTitle() string {
	e := m.exercise()
	hint, number := m.options.Session.Hint(e)
	if number == 0 {
		return m.theme.Say("Hints: %d, all closed", len(e.Hints))
	}
	return m.theme.Say("Hint %d of %d: the %s", number, len(e.Hints), m.theme.Message(hint.Kind))
}

// runNotes is the bottom pane: the open hint, the student's line under the cursor, what was kept.
func (m *Model) runNotes(width int) []string {
	e := m.exercise()
	var lines []string
	hint, number := m.options.Session.Hint(e)
	if number > 0 {
		lines = append(lines, draw.Wrap(m.theme.Message(hint.Text), width)...)
	} else {
		lines = append(lines, m.theme.Say("h opens the first one. Opening it is recorded and costs nothing."))
	}
	if line := m.lineUnderCursor(width); line != "" {
		lines = append(lines, line)
	}
	run := m.step.run
	if run == nil {
		return lines
	}
	kept := ""
	if run.Attempt.Number > 0 {
		kept = m.theme.Say("Kept as %s.", run.Attempt.Evidence()) + " "
	}
	if run.Handoff != nil {
		return append(lines, draw.Wrap(kept+draw.Saved(m.theme.Pass.On(path.Base(run.Handoff.Path)))+". "+m.theme.Say("All VISIBLE probes passed; holdouts run at grading. n goes on."), width)...)
	}
	if run.Report.Verdict != grader.Pass {
		kept += m.theme.Say("No handoff is written for this run.")
	}
	return append(lines, kept)
}

// lineUnderCursor is the student's line that asked for the chosen operation.
func (m *Model) lineUnderCursor(width int) string {
	steps := m.steps()
	if m.step.run == nil || m.step.cursor >= len(steps) || !steps[m.step.cursor].Yours {
		return ""
	}
	s := steps[m.step.cursor]
	for _, source := range m.step.run.Attempt.Sources {
		lines := strings.Split(string(source.Text), "\n")
		if source.Path == s.File && s.Line <= len(lines) {
			code := m.theme.Go(strings.TrimSpace(lines[s.Line-1]))[0]
			return draw.Cut(m.theme.Faint.On(m.theme.Say("Your %s:%d  ", path.Base(s.File), s.Line))+code, width)
		}
	}
	return ""
}
