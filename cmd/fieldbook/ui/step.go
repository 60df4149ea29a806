package ui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/grader"
	"fieldbook/units"
)

// enter opens a step: the place is recorded, its text shows, and what its work needs begins.
func (m *Model) enter(unit, step string) tea.Cmd {
	if unit != m.unit().ID {
		m.forget()
	}
	if err := m.options.Session.Visit(unit, step); err != nil {
		m.fails(err)
	}
	m.forgetOther()
	m.screen, m.overlay = stepScreen, noOverlay
	m.step = stepState{boxes: make([]textBox, len(m.current().Prompts))}
	m.step.focus = len(m.step.boxes)
	m.watcher.stop()
	if m.kind() == units.Connect {
		m.showPassed()
	}
	var watching tea.Cmd
	if m.kind() == units.Construct || m.kind() == units.Repair {
		var files []string
		for _, place := range workbench.Places(m.exercise()) {
			files = append(files, m.options.Session.Bench.Work.Path(place))
		}
		watching = m.watcher.begin(m.ctx, files)
	}
	return tea.Batch(watching, m.prepare())
}

// showPassed takes the last passing run out of the attempts: what it shows is read once more.
func (m *Model) showPassed() {
	attempts, err := m.options.Session.Bench.Work.ListAttempts(m.exercise().Name)
	if err != nil {
		m.fails(err)
	}
	for _, a := range slices.Backward(attempts) {
		if a.Verdict != grader.Pass {
			continue
		}
		if report, err := m.options.Session.Bench.Work.AttemptReport(a.Number); err == nil {
			m.step.run = &workbench.Run{Report: report, Attempt: a}
			m.step.cursor = m.firstOfInterest(report)
		}
		return
	}
}

// forget drops what Unit B has built up: another unit is opened, or another start chosen.
func (m *Model) forget() {
	if m.breakage != nil {
		m.breakage.Close()
	}
	m.breakage, m.baseline, m.injection = nil, nil, nil
}

// forgetOther drops what belongs to another exercise or fault than the step's.
func (m *Model) forgetOther() {
	if m.breakage != nil && m.breakage.Exercise.Name != m.unit().ExerciseOf(m.current()) {
		m.forget()
	}
	if m.injection != nil && (m.kind() == units.Inject || m.kind() == units.Diagnose) && m.injection.Fault != m.unit().FaultOf(m.current()) {
		m.injection = nil
	}
}

// prepare runs what the step's work shows and the student does not have to ask for.
func (m *Model) prepare() tea.Cmd {
	if m.options.Session.Start() == "" {
		return nil
	}
	switch m.kind() {
	case units.Baseline, units.Inject, units.Repair:
		if m.baseline == nil {
			return m.start()
		}
	case units.Diagnose:
		if m.injection == nil {
			return m.inject()
		}
	}
	return nil
}

// hasWork reports whether the step has more than its text.
func (m *Model) hasWork() bool {
	switch m.kind() {
	case units.Read, units.Submit:
		return m.writes()
	case units.Connect:
		return m.step.run != nil
	}
	return true
}

// writes reports whether the step's work is to write its texts.
func (m *Model) writes() bool {
	switch m.kind() {
	case units.Predict, units.Diagnose, units.Read, units.Submit:
		return len(m.step.boxes) > 0
	}
	return false
}

func (m *Model) pressStep(key string) tea.Cmd {
	switch key {
	case "m", "esc":
		m.showMap()
		return nil
	case "tab":
		if m.hasWork() {
			m.step.work = !m.step.work
		}
		return nil
	case "n":
		return m.forward()
	case "p":
		if back := m.options.Session.Back(); back != nil {
			return m.enter(m.unit().ID, back.ID)
		}
		m.showMap()
		return nil
	case "v":
		m.open(sourceOverlay)
		return nil
	case "e":
		if m.runs() {
			return m.edit()
		}
	case "r":
		if m.runs() {
			return m.run()
		}
	}
	if m.step.work {
		return m.pressWork(key)
	}
	page := m.frameHeight() - 2
	if key == "enter" {
		if m.step.text.top+page >= len(m.page(draw.InnerWidth(m.width))) {
			return m.onwards()
		}
		key = "pgdown" // there is more to read first
	}
	m.step.text.press(key, page)
	return nil
}

// runs reports whether the step is about the student's file.
func (m *Model) runs() bool { return m.kind() == units.Construct || m.kind() == units.Repair }

// onwards is Enter in the text of a step: to its work, or to the next step.
func (m *Model) onwards() tea.Cmd {
	if m.hasWork() && m.kind() != units.Connect && !m.options.Session.Done(m.unit().ID, m.current().ID) {
		m.step.work = true
		if m.writes() && !m.options.Session.Answered(m.unit().ID, m.current()) {
			m.step.focus = 0
		}
		return nil
	}
	return m.forward()
}

// forward goes to the next step, when this one may be left. Reading is finished by going on.
func (m *Model) forward() tea.Cmd {
	if why := m.options.Session.Insists(); why != "" {
		m.notice = why
		return nil
	}
	switch m.kind() {
	case units.Read, units.Connect, units.Submit:
		m.finish()
	}
	next := m.options.Session.Next()
	if next == nil {
		m.showMap()
		m.notice = "This is the end of " + m.unit().ID + "."
		return nil
	}
	return m.enter(m.unit().ID, next.ID)
}

// pressWork does what a key means in the step's work.
func (m *Model) pressWork(key string) tea.Cmd {
	if m.writes() {
		return m.pressPrompts(key)
	}
	switch m.kind() {
	case units.Choose:
		return m.pressChoose(key)
	case units.Construct, units.Repair, units.Connect:
		return m.pressRun(key)
	case units.Baseline, units.Inject:
		return m.pressBreak(key)
	}
	return nil
}

// stepState says on the right of the header how the step stands.
func (m *Model) stepState() string {
	if r := m.shownReport(); r != nil && m.step.work {
		state := string(r.Verdict)
		if m.width >= 100 || r.Outcome != grader.Observed {
			state += ": " + draw.Outcome(*r)
		}
		if m.step.runs > 0 {
			state = fmt.Sprintf("run %d   %s", m.step.runs, state)
		}
		return state
	}
	if m.options.Session.Done(m.unit().ID, m.current().ID) {
		return draw.PassSign + " done"
	}
	if m.current().Minutes == 0 {
		return "" // a part of another step, or outside the unit's minutes
	}
	return fmt.Sprintf("about %d min", m.current().Minutes)
}

// shownReport is the report that the step's work shows, nil when there is none.
func (m *Model) shownReport() *grader.Report {
	switch {
	case m.step.run != nil:
		return &m.step.run.Report
	case m.kind() == units.Baseline && m.baseline != nil:
		return &m.baseline.Report
	case m.kind() == units.Inject && m.injection != nil:
		return &m.injection.Broken
	}
	return nil
}

func (m *Model) stepFrame(width, height int) []string {
	if !m.step.work || !m.hasWork() {
		return m.textFrame(width, height)
	}
	if m.writes() {
		return m.promptsFrame(width, height)
	}
	switch m.kind() {
	case units.Choose:
		return m.chooseFrame(width, height)
	case units.Baseline, units.Inject:
		return m.breakFrame(width, height)
	default:
		return m.runFrame(width, height)
	}
}

func (m *Model) stepKeys() []binding {
	var list []binding
	if !m.step.work || !m.hasWork() {
		list = append(list, binding{"Enter", "go on", "down the text, then to the work of this step or to the next step"},
			binding{"j/k", "scroll", "a line; space and b a page, g and G to an end, h and l sideways in code"})
		if m.hasWork() {
			list = append(list, binding{"Tab", "work", "between the text and the work of this step"})
		}
	} else {
		list = append(list, m.workKeys()...)
	}
	if m.runs() {
		list = append([]binding{{"e", "edit", "your file in your editor; saving runs it"}, {"r", "run", "run your file now; saving it does the same"}}, list...)
	}
	if m.focused() != nil {
		return list // every other key is text
	}
	return append(append(list,
		binding{"n/p", "next, back", "to the next or the previous step"},
		binding{"m", "map", "the course map"},
		binding{"v", "sources", "the supplied sources"},
	), always()...)
}

func (m *Model) workKeys() []binding {
	tab := binding{"Tab", "text", "between the work and the text of this step"}
	if m.writes() {
		return m.promptKeys(tab)
	}
	switch m.kind() {
	case units.Choose:
		return []binding{{"Enter", "choose", "start from this"}, {"j/k", "move", "move the cursor"}, tab}
	case units.Baseline:
		return []binding{{"Enter", "go on", "to the next step, after a PASS"}, tab}
	case units.Inject:
		enter := binding{"Enter", "inject", "look for the edit"}
		switch {
		case m.step.deeds:
			enter = binding{"Enter", "bytes", "what the operation asked the disk to do"}
		case m.injection != nil:
			enter = binding{"Enter", "go on", "to the next step"}
		}
		return []binding{enter, {"o", "operations", "the operations of the broken run, or what it caused"}, {"j/k", "move", "through the operations"}, tab}
	default:
		return []binding{{"h", "hint", "open the next hint; that is recorded"}, {"j/k", "operation", "move through the operations"},
			{"Enter", "bytes", "what the operation asked the disk to do"}, {"o", "rows", "operations or rows, where both do not fit"}, {"z", "enlarge", "give operations and rows the whole window, or not"}, tab}
	}
}
