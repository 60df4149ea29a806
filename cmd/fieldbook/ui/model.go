package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/exercises"
	"fieldbook/grader/task"
	"fieldbook/units"
)

// screen is what the app shows.
type screen int

const (
	mapScreen screen = iota
	stepScreen
)

// overlay is what lies over a screen until it is closed.
type overlay int

const (
	noOverlay overlay = iota
	helpOverlay
	operationOverlay
	sourceOverlay
)

// Model is the whole state of the app.
type Model struct {
	options Options
	ctx     context.Context
	theme   draw.Theme

	width, height int
	screen        screen
	overlay       overlay
	over          scroll    // of the overlay
	notice        string    // one message above the key line, until the next key
	busy          string    // what is going on outside the loop, "" when nothing is
	again         bool      // a save arrived meanwhile: run again
	pressed       time.Time // when the last key was, for the time spent
	leaving       bool

	courses courseMap
	step    stepState
	pages   pages
	sources struct { // the supplied sources as drawn last
		width int
		lines []string
	}
	watcher watcher

	// Unit B, kept from step to step.
	breakage  *workbench.Breakage
	baseline  *workbench.Baseline
	injection *task.Injection
}

// stepState is the state of the step that is shown.
type stepState struct {
	work      bool // the step's work is shown, else its text
	text      scroll
	boxes     []textBox // one a prompt
	focus     int       // of the boxes; len(boxes): none
	choice    int       // of the candidates
	run       *workbench.Run
	runs      int // in this session
	cursor    int // of the steps of the timeline
	timeline  scroll
	rows      bool // the pane that operations and rows share on narrow screens shows rows
	rowScroll scroll
	zoom      bool // operations and rows have the whole frame
	deeds     bool // the injected failure shows its operations, else its consequence
}

// New makes the app's state: the course map, with the cursor where the student stopped.
func New(ctx context.Context, o Options) (*Model, error) {
	m := &Model{options: o, ctx: ctx, theme: o.Theme, pages: pages{}, notice: o.Notice}
	m.courses.at(o.Session)
	if o.Session.Aside != "" {
		m.notice = "The record of your progress could not be read; it is kept in backup " + o.Session.Aside + ". Your files are untouched."
	}
	return m, nil
}

// Close records the time spent and ends what the app still holds.
func (m *Model) Close() {
	_ = m.options.Session.Save() // what matters was recorded when it happened
	m.watcher.stop()
	if m.breakage != nil {
		m.breakage.Close()
	}
}

// Init asks for nothing: the first message is the window's size.
func (m *Model) Init() tea.Cmd { return nil }

// Update changes the state for one message and returns what is to run outside the loop.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		return m, nil
	case tea.KeyPressMsg:
		return m, m.press(msg.String(), msg.Text)
	case tea.PasteMsg:
		if box := m.focused(); box != nil {
			box.insert(msg.Content)
		}
		return m, nil
	case event:
		return m, m.happened(msg)
	}
	return m, nil
}

// View draws the screen.
func (m *Model) View() tea.View {
	v := tea.NewView(m.Frame())
	v.AltScreen = true
	v.WindowTitle = "Fieldbook"
	return v
}

// unit and current are where the student is.
func (m *Model) unit() *units.Unit    { return m.options.Session.Unit() }
func (m *Model) current() *units.Step { return m.options.Session.Step() }
func (m *Model) kind() units.StepKind { return m.current().Kind }

// exercise is the one that the student's unit is about. The units' tests hold that it is there.
func (m *Model) exercise() *exercises.Exercise {
	e, err := m.options.Session.Exercise()
	if err != nil {
		return &exercises.Exercise{Name: m.unit().Exercise}
	}
	return e
}

// fails shows an error as a notice.
func (m *Model) fails(err error) {
	e := m.options.Explain(err)
	m.notice = e.Message + ". " + e.Hint
}
