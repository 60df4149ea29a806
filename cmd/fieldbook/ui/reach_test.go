package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"fieldbook/cmd/fieldbook/course"
	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/grader"
	"fieldbook/units"
)

// mustReal is the app over the real units.
func mustReal(t testing.TB, width, height int) *Model {
	t.Helper()
	now := func() time.Time { return time.Date(2026, 3, 2, 19, 41, 0, 0, time.UTC) }
	work, err := workspace.Create(filepath.Join(t.TempDir(), "workspace"), units.Edition, now)
	if err != nil {
		t.Fatal(err)
	}
	session, err := course.Open(&workbench.Bench{Work: work, Units: units.All()}, now)
	if err != nil {
		t.Fatal(err)
	}
	m, err := New(t.Context(), Options{Session: session, Explain: grader.AsError, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	m.Update(tea.WindowSizeMsg{Width: width, Height: height})
	return m
}

// In the smallest window every text of every unit can be read to its last line with keys alone.
func TestEveryTextIsReachable(t *testing.T) {
	m := mustReal(t, leastWidth, leastHeight)
	for _, u := range m.options.Session.Bench.Units {
		for i := range u.Steps {
			m.step = stepState{}
			m.screen = stepScreen
			m.options.Session.Progress.Unit, m.options.Session.Progress.Step = u.ID, u.Steps[i].ID
			m.step.cards = m.options.Session.Activities(u, &u.Steps[i])
			for n, a := range m.step.cards {
				m.step.card, m.step.text, m.step.answers = n, scroll{}, scroll{}
				m.resetBoxes()
				checkShape(t, m.Frame(), leastWidth, leastHeight)
				if a.Kind == course.Work || a.Kind == course.Writing || a.Text == "" {
					continue
				}
				m.step.pick = 0
				keys(m, "G")
				lines := m.page(draw.InnerWidth(m.width))
				last := strings.TrimSpace(draw.Cut(lines[len(lines)-1].Text, draw.InnerWidth(m.width)))
				if !strings.Contains(m.Frame(), strings.TrimSuffix(last, "…")) {
					t.Errorf("%s/%s, %s: the last line, %q, is not reached:\n%s", u.ID, u.Steps[i].ID, a.ID, last, m.Frame())
				}
			}
		}
	}
}

// A text is laid out once for a width. Scrolling through it does not lay it out again, however long it is.
func TestScrollingLaysNothingOutAgain(t *testing.T) {
	m := longText(t)
	m.Frame()
	before := m.page(draw.InnerWidth(m.width))
	for range 50 {
		keys(m, "pgdown")
		m.Frame()
	}
	if after := m.page(draw.InnerWidth(m.width)); &before[0] != &after[0] || m.step.text.top == 0 {
		t.Error("the text was laid out again")
	}
}

// longText shows 80 kB of prose and code.
func longText(t testing.TB) *Model {
	t.Helper()
	m := mustReal(t, 100, 40)
	m.enter("ch19-a", "setup")
	var b strings.Builder
	for i := 0; b.Len() < 80<<10; i++ {
		fmt.Fprintf(&b, "Paragraph %d says that the *marker* names the history, and that `paused` stands in the row.\n\n```go\nif err := db.Ping(ctx); err != nil {\n\treturn err\n}\n```\n\n", i)
	}
	m.step.cards[0].Text = b.String()
	return m
}

// BenchmarkScroll is what a key in 80 kB of text costs.
func BenchmarkScroll(b *testing.B) {
	m := longText(b)
	m.Frame()
	for b.Loop() {
		keys(m, "j")
		m.Frame()
	}
}

// The wheel scrolls, and a click chooses; a second click opens.
func TestMouse(t *testing.T) {
	m := mustReal(t, 100, 40)
	m.Frame()
	m.Update(tea.MouseClickMsg{X: 5, Y: 4, Button: tea.MouseLeft})
	if m.courses.step != m.unit().Steps[1].ID || m.screen != mapScreen {
		t.Fatalf("a click chose %q", m.courses.step)
	}
	m.Frame()
	m.Update(tea.MouseClickMsg{X: 5, Y: 4, Button: tea.MouseLeft})
	if m.screen != stepScreen || m.current().ID != m.unit().Steps[1].ID {
		t.Fatalf("a second click did not open %q", m.current().ID)
	}
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 18})
	m.Frame()
	m.Update(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	m.Frame()
	if m.step.text.top != linesPerNotch {
		t.Errorf("the wheel scrolled to line %d", m.step.text.top)
	}
	m.Update(tea.MouseClickMsg{X: 99, Y: 99, Button: tea.MouseLeft}) // outside: nothing
}

// R twice puts the starter back, U brings the student's own text back; any other key in between changes nothing.
func TestResetAndUndo(t *testing.T) {
	m := mustReal(t, 100, 40)
	m.enter("ch19-a", "construct")
	m.toWork()
	file := m.options.Session.Bench.Work.Path(workbench.Places(m.exercise())[0])
	const own = "package assistant\n"
	if err := workspace.WriteFile(file, []byte(own)); err != nil {
		t.Fatal(err)
	}
	is := func() string {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	keys(m, "R", "j", "R")
	if is() != own {
		t.Fatal("one R was enough")
	}
	keys(m, "R")
	if is() == own || !strings.Contains(m.notice, "backup") {
		t.Fatalf("the starter is not back: %s", m.notice)
	}
	keys(m, "U")
	if is() != own {
		t.Errorf("the student's file is not back: %s", m.notice)
	}
}

// The supplied sources are a list; one of them is read at a time.
func TestSources(t *testing.T) {
	m := mustReal(t, 100, 40)
	keys(m, "v")
	if frame := m.Frame(); !strings.Contains(frame, "runtime/assistant/claim.go") || strings.Contains(frame, "runtime/assistant/restore.go") {
		t.Fatalf("the list is\n%s", frame)
	}
	keys(m, "enter")
	if frame := m.Frame(); !strings.Contains(frame, "SUPPLIED") || !strings.Contains(frame, "package assistant") {
		t.Errorf("the file is\n%s", frame)
	}
	keys(m, "esc", "esc")
	if m.overlay != noOverlay {
		t.Error("Esc twice does not close the sources")
	}
}
