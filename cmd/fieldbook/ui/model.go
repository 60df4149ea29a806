package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"fieldbook/cmd/fieldbook/course"
	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/exercises"
	"fieldbook/grader"
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
	contentsOverlay // the parts of the step
	resultOverlay   // the last run of a part
	termsOverlay
	searchOverlay
	attemptsOverlay
	diffOverlay
	matrixOverlay
	artifactsOverlay
	submissionOverlay
)

// Model is the whole state of the app.
type Model struct {
	options Options
	ctx     context.Context
	theme   draw.Theme

	width, height int
	screen        screen
	overlay       overlay
	over          scroll               // of the overlay
	pointer       int                  // in an overlay that is a list
	hit           hitArea              // the list that a click chooses in
	notice        string               // one message above the key line, until the next key
	busy          string               // what is going on outside the loop, "" when nothing is
	deciding      <-chan grader.Report // on which the verdict of the run that is going on comes; nil for none
	again         bool                 // a save arrived meanwhile: run again
	pressed       time.Time            // when the last key was, for the time spent
	leaving       bool

	courses courseMap
	step    stepState
	pages   pages
	drafts  map[string][]textBox // written and not committed, by unit, step and part
	sources sourceList
	watcher watcher

	// Unit B, kept from step to step.
	breakage  *workbench.Breakage
	baseline  *workbench.Baseline
	injection *task.Injection

	terms    termList
	search   searchState
	attempts attemptList
	matrix   matrixState

	artifacts  artifactState
	submission submissionState
}

// stepState is the state of the step that is shown.
type stepState struct {
	cards    []*course.Activity // what there is to do in it, in order
	card     int                // the one that is shown
	text     scroll
	answers  scroll       // of the pane below a text
	boxes    []textBox    // one an ask, or one for the revision
	focus    int          // of the boxes; len(boxes): none
	revising bool         // the box is a revision's
	pick     int          // of an activity's choices
	own      []course.Row // what stands in the student's own file of the part
	wrong    string       // what is wrong with that file
	choice   int          // of the candidates

	run       *workbench.Run
	runs      int // of this step since the app began
	cursor    int // of the steps of the timeline
	timeline  scroll
	evidence  evidencePane // which pane stands beside the operations, or in their place on narrow screens
	rowScroll scroll
	resetting bool // R was pressed, and asks to be pressed once more
	zoom      bool // operations and rows have the whole frame
	deeds     bool // the injected failure shows its operations, else its consequence
}

// evidencePane is one of the panes that share a place.
type evidencePane int

const (
	operationsPane evidencePane = iota // on wide screens they always show, and this stands for the rows
	rowsPane
	contractPane
)

// New makes the app's state: the course map, with the cursor where the student stopped.
func New(ctx context.Context, o Options) (*Model, error) {
	m := &Model{options: o, ctx: ctx, theme: o.Theme, pages: pages{}, drafts: map[string][]textBox{}, notice: o.Notice}
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
		first := m.width == 0
		m.width, m.height = msg.Width, msg.Height
		if first {
			return m, nil
		}
		return m, redraw()
	case tea.KeyPressMsg:
		return m, m.press(msg.String(), msg.Text)
	case tea.PasteMsg:
		if box := m.focused(); box != nil {
			box.insert(msg.Content)
		}
		return m, nil
	case tea.MouseWheelMsg:
		return m, m.wheel(msg.Mouse())
	case tea.MouseClickMsg:
		return m, m.click(msg.Mouse())
	case event:
		return m, m.happened(msg)
	}
	return m, nil
}

// View draws the screen.
func (m *Model) View() tea.View {
	v := tea.NewView(m.Frame())
	v.AltScreen = true
	v.MouseMode = tea.MouseModeCellMotion
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
