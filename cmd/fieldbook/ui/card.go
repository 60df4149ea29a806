package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"fieldbook/cmd/fieldbook/course"
	"fieldbook/cmd/fieldbook/workbench"
)

// activity is the part of the step that is shown.
func (m *Model) activity() *course.Activity {
	if m.step.card < len(m.step.cards) {
		return m.step.cards[m.step.card]
	}
	return &course.Activity{Kind: course.Reading}
}

// show goes to a part of the step, records that, and watches the files that the student edits in it.
func (m *Model) show(card int) tea.Cmd {
	m.keepDraft()
	m.step.card = max(min(card, len(m.step.cards)-1), 0)
	m.step.text, m.step.answers, m.step.pick = scroll{}, scroll{}, 0
	m.resetBoxes()
	if err := m.options.Session.Stop(m.activity()); err != nil {
		m.fails(err)
	}
	m.watcher.stop()
	m.readOwn()
	a := m.activity()
	if a.Kind == course.Work && m.runs() {
		return m.watcher.begin(m.ctx, m.files())
	}
	if len(a.Edits) == 0 {
		return nil
	}
	session, ctx := m.options.Session, m.ctx
	return func() tea.Msg { return laid{a, session.Prepare(ctx, a)} }
}

// resetBoxes makes the boxes that the part's texts are written in; none once they are committed.
func (m *Model) resetBoxes() {
	m.step.boxes, m.step.revising = nil, false
	if a := m.activity(); len(a.Choices) == 0 && !m.answered() {
		m.step.boxes = m.drafts[m.draft()]
		if len(m.step.boxes) != len(a.Asks) {
			m.step.boxes = make([]textBox, len(a.Asks))
		}
	}
	m.step.focus = len(m.step.boxes)
}

// readOwn reads what stands in the student's own file of the part, to show it before it runs.
func (m *Model) readOwn() {
	a := m.activity()
	m.step.own, m.step.wrong = nil, ""
	switch a.Kind {
	case course.OwnProbe, course.Cases, course.Impostors:
		rows, err := m.options.Session.Own(a)
		m.step.own = rows
		if err != nil {
			m.step.wrong = m.options.Explain(err).Message
		}
	}
}

// toWork shows the work of the step.
func (m *Model) toWork() tea.Cmd {
	for i, a := range m.step.cards {
		if a.Kind == course.Work && i != m.step.card {
			return m.show(i)
		}
	}
	return nil
}

// keepDraft keeps what is written and not committed while the student looks elsewhere.
func (m *Model) keepDraft() {
	if !m.step.revising && len(m.step.boxes) > 0 {
		m.drafts[m.draft()] = m.step.boxes
	}
}

// draft names the texts of the part that is shown.
func (m *Model) draft() string {
	return strings.Join([]string{m.unit().ID, m.current().ID, m.activity().ID}, "/")
}

// refresh reads the parts of the step anew after something was recorded, which opens or closes some.
func (m *Model) refresh() {
	shown := m.activity().ID
	m.step.cards = m.options.Session.Activities(m.unit(), m.current())
	for i, a := range m.step.cards {
		if a.ID == shown {
			m.step.card = i
		}
	}
	m.step.card = min(m.step.card, len(m.step.cards)-1)
	m.resetBoxes()
}

// files are what the student edits in the part, as absolute paths: for an exercise its files.
func (m *Model) files() []string {
	places := m.activity().Edits
	if len(places) == 0 && m.runs() {
		places = workbench.Places(m.exercise())
	}
	var files []string
	for _, place := range places {
		files = append(files, m.options.Session.Bench.Work.Path(place))
	}
	return files
}
