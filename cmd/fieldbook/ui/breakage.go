package ui

import (
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"fieldbook/cmd/fieldbook/course"
	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/evidence"
	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/grader"
	"fieldbook/units"
)

// candidates are what the student's unit may start from.
func (m *Model) candidates() []course.Candidate {
	list, err := m.options.Session.Candidates()
	if err != nil {
		m.fails(err)
	}
	return list
}

func (m *Model) pressChoose(key string) tea.Cmd {
	list := m.candidates()
	switch key {
	case "down", "j":
		m.step.choice = min(m.step.choice+1, len(list)-1)
	case "up", "k":
		m.step.choice = max(m.step.choice-1, 0)
	case "enter":
		if m.step.choice < len(list) {
			return m.choose(list[m.step.choice])
		}
	}
	return nil
}

// choose records what the unit starts from and goes on to its baseline. A handoff that was refused cannot be chosen.
func (m *Model) choose(c course.Candidate) tea.Cmd {
	if c.Refused {
		m.notice = "This handoff cannot be used: " + c.Detail + ". Choose another one, or write it again in the first unit."
		return nil
	}
	m.forget()
	if err := m.options.Session.Choose(c.Start); err != nil {
		m.fails(err)
		return nil
	}
	m.finish()
	return m.forward()
}

func (m *Model) chooseFrame(width, height int) []string {
	t, inner := m.theme, draw.InnerWidth(width)
	list := m.candidates()
	var lines []string
	for i, c := range list {
		sign := t.Pass.On(draw.PassSign)
		if c.Refused {
			sign = t.Differ.On(draw.DifferSign)
		}
		line := draw.Fit(" "+sign+" "+t.Message(c.Name), inner-20) + " " + c.Label
		if c.Refused {
			line = draw.Fit(" "+sign+" "+t.Message(c.Name), inner-20) + " INVALID"
		}
		if i == m.step.choice {
			line = m.mark(draw.Fit(line, inner))
		}
		lines = append(lines, line)
		lines = append(lines, indent(draw.Wrap(t.Message(c.Detail), inner-3))...)
	}
	if len(list) == 1 {
		lines = append(lines, "", t.Say("No handoff lies in %s.", m.options.Session.Bench.Work.Path(workspace.Handoffs)))
	}
	return t.Frame(width, height, []draw.Row{{Panes: []draw.Pane{{Title: "Start from", Lines: lines}}}})
}

func (m *Model) pressBreak(key string) tea.Cmd {
	if key == "enter" {
		switch {
		case m.options.Session.Start() == "":
			m.notice = "Choose what to start from in the first step of this unit."
			return nil
		case m.kind() == units.Baseline && m.baseline != nil && m.baseline.Verdict() == grader.Pass:
			return m.forward()
		case m.kind() == units.Baseline:
			return m.start()
		case m.injection == nil:
			return m.inject()
		case m.step.deeds:
			m.open(operationOverlay)
			return nil
		default:
			return m.forward()
		}
	}
	switch {
	case key == "o":
		m.step.deeds = !m.step.deeds
	case m.step.deeds:
		m.pressTimeline(key)
	}
	return nil
}

// startTitle names what the unit started from, with its label.
func (m *Model) startTitle() string {
	start := m.options.Session.Start()
	if m.breakage != nil && m.breakage.Path != "" {
		start = m.breakage.Path // a step of another exercise starts from another file
	}
	switch start {
	case "":
		return m.theme.Say("Nothing is chosen yet")
	case workspace.ReferenceStart:
		return workbench.SuppliedReference
	default:
		return workbench.LearnerSelected + "   " + filepath.Base(start)
	}
}

// progressLine is the three runs of Unit B in one line.
func (m *Model) progressLine() string {
	t := m.theme
	baseline, fault, repair := draw.OpenSign+" YOUR_BASELINE", draw.OpenSign+" INJECTED_FAILURE", draw.OpenSign+" YOUR_REPAIR"
	if m.baseline != nil {
		if v := m.baseline.Verdict(); v == grader.Pass {
			baseline = t.Pass.On(draw.PassSign) + " YOUR_BASELINE PASS"
		} else {
			baseline = t.Differ.On(draw.DifferSign) + " YOUR_BASELINE " + string(v)
		}
	}
	if m.injection != nil && m.injection.Found {
		fault = t.Differ.On(draw.DifferSign) + " INJECTED_FAILURE " + t.Say("reproduced")
	}
	return baseline + "   " + fault + "   " + repair
}

// breakFrame shows the baseline, or the injected failure with its consequence first. The edit stays hidden.
func (m *Model) breakFrame(width, height int) []string {
	inner := draw.InnerWidth(width)
	top := draw.Row{Height: 1, Panes: []draw.Pane{{Title: m.startTitle(), Lines: []string{draw.Cut(m.progressLine(), inner)}}}}
	if m.kind() == units.Baseline || m.injection == nil {
		return m.theme.Frame(width, height, []draw.Row{top, {Panes: []draw.Pane{{Title: m.breakTitle(), Lines: m.baselineLines(inner)}}}})
	}
	if !m.injection.Found {
		return m.theme.Frame(width, height, []draw.Row{top, {Panes: []draw.Pane{{Title: "Nothing fits", Lines: draw.Wrap(m.theme.Say(
			"None of %d edits gives exactly the declared failure of %s. Start from the reference to see it.", m.injection.Candidates, m.injection.Fault), inner)}}}})
	}
	if m.step.deeds {
		room := height - 5
		return m.theme.Frame(width, height, []draw.Row{top, {Panes: []draw.Pane{m.operationsPane(width-2, room)}}})
	}
	cells := m.differenceLines(inner)
	bottom := draw.Row{Height: len(cells) + 1, Panes: []draw.Pane{{Title: "All tables of the two worlds were compared, row by row",
		Lines: append(cells, m.theme.Faint.On(m.theme.Say("Not shown here: what the supplier delivered. The edit opens after your diagnosis.")))}}}
	caused := m.theme.Consequence(workbench.Consequence(m.exercise(), m.injection.Fault), inner)
	observed := m.theme.Beside(m.injection.Good.Fields, m.injection.Broken.Fields, inner)
	if width-3 >= sideBySide {
		half := (width - 3) / 2
		caused = m.theme.Consequence(workbench.Consequence(m.exercise(), m.injection.Fault), half-2)
		return m.theme.Frame(width, height, []draw.Row{top, {Panes: []draw.Pane{
			{Title: "What it caused", Width: half, Lines: caused},
			{Title: "What the probe observed", Lines: m.theme.Beside(m.injection.Good.Fields, m.injection.Broken.Fields, width-3-half-2)},
		}}, bottom})
	}
	return m.theme.Frame(width, height, []draw.Row{top, {Panes: []draw.Pane{{Title: "What it caused", Lines: caused}}},
		{Height: len(observed), Panes: []draw.Pane{{Title: "What the probe observed", Lines: observed}}}, bottom})
}

func (m *Model) breakTitle() string {
	switch {
	case m.kind() == units.Inject && m.busy != "":
		return m.theme.Say("Looking for the smallest edit")
	case m.kind() == units.Inject:
		return m.theme.Say("Nothing is injected yet: Enter looks for the edit")
	default:
		return m.theme.Say("The baseline")
	}
}

func (m *Model) baselineLines(width int) []string {
	if m.baseline == nil {
		if m.options.Session.Start() == "" {
			return draw.Wrap(m.theme.Say("Choose what to start from in the first step of this unit."), width)
		}
		return []string{m.theme.Say("The handoff is verified, then executed twice.")}
	}
	b := m.baseline
	lines := append([]string{m.theme.Verdict(b.Verdict())}, m.theme.Fields(b.Report.Fields, width)...)
	lines = append(lines, m.theme.Cause(b.Report, width)...)
	lines = append(lines, m.theme.Diagnostics(b.Report.Diagnostics, width)...)
	switch {
	case b.Same && m.breakage.Handoff != nil:
		lines = append(lines, "", m.theme.Pass.On(draw.PassSign)+" "+m.theme.Say("the recorded result, byte for byte"))
	case b.Report.Verdict == grader.Pass:
		lines = append(lines, "", m.theme.Differ.On(draw.DifferSign)+" "+m.theme.Say("the code passes, and its result is not the recorded one"))
	}
	return lines
}

// differenceLines are the cells in which the world of the injected code differs from the student's own.
func (m *Model) differenceLines(width int) []string {
	var lines []string
	if len(m.injection.Differences) == 0 {
		lines = append(lines, m.theme.Say("No table differs; the fields that differ were read from the files."))
	}
	for _, d := range m.injection.Differences {
		text := m.theme.Say("%s, %s.%s   yours %s   injected %s", d.Cell.Database, d.Cell.Table, d.Cell.Column,
			evidence.Short(d.Want), m.theme.Differ.On(evidence.Short(d.Got)))
		lines = append(lines, draw.Hang(m.theme.Differ.On(draw.DifferSign)+" ", text, width)...)
	}
	return lines
}

// editLines is the edit in the student's own source.
func (m *Model) editLines(width int) []string {
	i := m.injection
	if i.Supplied {
		return draw.Wrap(m.theme.Say("SUPPLIED_FAULT: the course's own broken function took the place of %s.", i.Path), width)
	}
	change := draw.Change{Line: i.Edit.Line, Column: i.Edit.Column, Before: i.Before, After: i.After,
		What: m.theme.Say("%s; candidate %d of %d, %s", m.theme.Message(i.Edit.What), i.Candidate, i.Candidates, draw.Duration(i.Elapsed))}
	return m.theme.Edit(workbench.TextOf(m.breakage.Sources(), i.Path), change, width)
}
