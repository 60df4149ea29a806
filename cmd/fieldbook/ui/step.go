package ui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"fieldbook/cmd/fieldbook/course"
	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/grader"
	"fieldbook/units"
)

// enter opens a step: the place is recorded, the part shows at which the student stopped, and what its work needs begins.
func (m *Model) enter(unit, step string) tea.Cmd {
	m.keepDraft()
	if unit != m.unit().ID {
		m.forget()
	}
	if err := m.options.Session.Visit(unit, step); err != nil {
		m.fails(err)
	}
	m.forgetOther()
	m.screen, m.overlay = stepScreen, noOverlay
	m.step = stepState{cards: m.options.Session.Activities(m.unit(), m.current())}
	switch m.kind() {
	case units.Connect:
		m.showPassed()
	case units.Submit:
		m.submission.made = nil
		m.readSubmission()
	}
	return tea.Batch(m.show(m.options.Session.Stopped(m.step.cards)), m.prepare())
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
			for i, source := range a.Sources {
				a.Sources[i].Text, _ = m.options.Session.Bench.Work.AttemptText(a, source) // without it the line is not shown
			}
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

// pressStep does what a key means on every card of a step, then what it means on this one.
func (m *Model) pressStep(key string) tea.Cmd {
	switch key {
	case "m", "esc":
		m.showMap()
		return nil
	case "tab":
		return m.show((m.step.card + 1) % len(m.step.cards))
	case "shift+tab":
		return m.show((m.step.card + len(m.step.cards) - 1) % len(m.step.cards))
	case "c":
		m.open(contentsOverlay)
		m.pointer = m.step.card
		return nil
	case "n":
		return m.forward()
	case "p":
		if m.closed() {
			return nil
		}
		if back := m.options.Session.Back(); back != nil {
			return m.enter(m.unit().ID, back.ID)
		}
		m.showMap()
		return nil
	case "e":
		if len(m.files()) > 0 {
			return m.edit()
		}
	case "r":
		if m.runs() {
			return m.run()
		}
	case "a":
		return m.openAttempts()
	case "w":
		if m.options.Session.HasScenarios() && !m.closed() {
			m.openArtifacts()
			return nil
		}
	case "v", "t", "/":
		if !m.closed() {
			return m.look(key)
		}
		return nil
	case "s":
		if a := m.activity(); !a.Skip || m.options.Session.Choice(a) != a.Right {
			return m.look(key)
		}
	}
	switch m.activity().Kind {
	case course.Reading:
		return m.pressText(key)
	case course.Work:
		return m.pressWork(key)
	default:
		return m.pressActivity(key)
	}
}

// look opens what is one key away from everywhere.
func (m *Model) look(key string) tea.Cmd {
	switch key {
	case "v":
		m.openSources()
	case "t":
		m.openTerms()
	case "/":
		m.openSearch()
	case "s":
		m.readSubmission()
		m.open(submissionOverlay)
	}
	return nil
}

// closed says whether the other pages stay closed: until the texts of this step are written.
func (m *Model) closed() bool {
	if m.screen != stepScreen || !m.current().Closed || m.options.Session.Answered(m.unit().ID, m.current()) {
		return false
	}
	m.notice = "The pages are closed until your texts are committed."
	return true
}

// pressText scrolls a text; Enter at its end goes on.
func (m *Model) pressText(key string) tea.Cmd {
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

// onwards goes to the next part of the step, or to the next step.
func (m *Model) onwards() tea.Cmd {
	if m.step.card+1 < len(m.step.cards) {
		return m.show(m.step.card + 1)
	}
	return m.forward()
}

// forward goes to the next step, when this one may be left. Reading is finished by going on when nothing is left to do.
func (m *Model) forward() tea.Cmd {
	if why := m.options.Session.Insists(); why != "" {
		m.notice = why
		return nil
	}
	notice := ""
	switch m.kind() {
	case units.Read, units.Connect:
		if left := m.options.Session.Left(); len(left) == 0 {
			m.finish()
		} else {
			notice = m.theme.Say("%s: parts still to do: %d. c in that step lists them.", m.current().Title, len(left))
		}
	}
	next := m.options.Session.Next()
	if next == nil {
		m.showMap()
		m.notice = strings.TrimSpace(m.theme.Say("This is the end of %s.", m.unit().ID) + " " + notice)
		return nil
	}
	cmd := m.enter(m.unit().ID, next.ID)
	if m.notice == "" {
		m.notice = notice
	}
	return cmd
}

// pressWork does what a key means in the step's work.
func (m *Model) pressWork(key string) tea.Cmd {
	switch m.kind() {
	case units.Submit:
		return m.pressSubmit(key)
	case units.Choose:
		return m.pressChoose(key)
	case units.Baseline, units.Inject:
		return m.pressBreak(key)
	default:
		return m.pressRun(key)
	}
}

// wideHeader is the width from which the header has whole words on both sides.
const wideHeader = 100

// stepState says on the right of the header how the step stands.
func (m *Model) stepState() string {
	if r := m.shownReport(); r != nil && m.activity().Kind == course.Work {
		state := string(r.Verdict)
		if m.width >= wideHeader || r.Outcome != grader.Observed {
			state += ": " + m.theme.Outcome(*r)
		}
		if m.step.runs > 0 {
			state = m.theme.Say("run %d   %s", m.step.runs, state)
		}
		return state
	}
	part := ""
	if n := len(m.step.cards); n > 1 {
		part = m.theme.Say("part %d of %d", m.step.card+1, n) + "   "
		if m.width < wideHeader {
			part = fmt.Sprintf("%d/%d   ", m.step.card+1, n)
		}
	}
	switch {
	case m.options.Session.Done(m.unit().ID, m.current().ID):
		return part + draw.PassSign + " " + m.theme.Say("done")
	case m.current().Within != "" && m.width < wideHeader:
		return strings.TrimSpace(part)
	case m.current().Within != "":
		if within := m.unit().Step(m.current().Within); within != nil {
			return part + m.theme.Say("part of %s", within.Title)
		}
	case m.current().Minutes == 0:
		return strings.TrimSpace(part) // outside the unit's minutes
	}
	return part + m.theme.Say("about %d min", m.current().Minutes)
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
	switch m.activity().Kind {
	case course.Reading:
		return m.textFrame(width, height)
	case course.Writing:
		return m.promptsFrame(width, height)
	case course.Work:
	default:
		return m.activityFrame(width, height)
	}
	switch m.kind() {
	case units.Submit:
		return m.submitFrame(width, height)
	case units.Choose:
		return m.chooseFrame(width, height)
	case units.Baseline, units.Inject:
		return m.breakFrame(width, height)
	default:
		return m.runFrame(width, height)
	}
}

func (m *Model) stepKeys() []binding {
	if m.focused() != nil {
		return m.boxKeys() // every other key is text
	}
	var list []binding
	switch m.activity().Kind {
	case course.Reading:
		list = []binding{{"Enter", "go on", "down the text, then to the next part or the next step"},
			{"j/k", "scroll", "a line; space and b a page, g and G to an end, h and l sideways in code"}}
	case course.Work:
		list = m.workKeys()
	default:
		list = m.activityKeys()
	}
	if m.runs() {
		list = append([]binding{{"e", "edit", "your file in your editor; saving runs it"}, {"r", "run", "run your file now; saving it does the same"}}, list...)
	}
	if len(m.step.cards) > 1 {
		list = append(list, binding{"Tab", "next part", "to the next part of this step; Shift-Tab to the one before"},
			binding{"c", "contents", "the parts of this step"})
	}
	if m.options.Session.HasScenarios() {
		list = append(list, binding{"w", "artifacts", "what scenarios have left: checkpoint, effects, trace, and the time line"})
	}
	return append(append(list,
		binding{"n/p", "next, back", "to the next or the previous step"},
		binding{"m", "map", "the course map"},
		binding{"/", "search", "in every text, command and key"},
		binding{"t", "terms", "the card: terms with the paragraph that defines each, calls, usual slips"},
		binding{"a", "attempts", "your attempts, with what changed between them"},
		binding{"s", "submission", "what will be submitted, and how much of it is there"},
		binding{"v", "sources", "the supplied sources"},
	), always()...)
}

func (m *Model) workKeys() []binding {
	switch m.kind() {
	case units.Submit:
		return m.submitKeys()
	case units.Choose:
		return []binding{{"Enter", "choose", "start from this"}, {"j/k", "move", "move the cursor"}}
	case units.Baseline:
		return []binding{{"Enter", "go on", "to the next step, after a PASS"}}
	case units.Inject:
		enter := binding{"Enter", "inject", "look for the edit"}
		switch {
		case m.step.deeds:
			enter = binding{"Enter", "bytes", "what the operation asked the disk to do"}
		case m.injection != nil:
			enter = binding{"Enter", "go on", "to the next part"}
		}
		return []binding{enter, {"o", "operations", "the operations of the broken run, or what it caused"}, {"j/k", "move", "through the operations"}}
	default:
		return []binding{{"h", "hint", "open the next hint; that is recorded"}, {"o", "other pane", "operations, rows, and the lines of the contract"},
			{"j/k", "move", "through the operations"}, {"Enter", "bytes", "what the operation asked the disk to do"},
			{"z", "enlarge", "give operations and rows the whole window, or not"}, {"d", "diff", "what you changed since the attempt before"},
			{"x", "crash matrix", "what a crash after each operation leaves"},
			{"R, U", "reset, undo", "put the starter back, after a backup of your file; undo that"}}
	}
}
