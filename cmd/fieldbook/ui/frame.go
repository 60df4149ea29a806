package ui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/units"
)

// The smallest window that every screen fits into.
const (
	leastWidth  = 40
	leastHeight = 14
)

// Frame draws the whole screen: exactly as many lines as the window has, each exactly as wide.
func (m *Model) Frame() string {
	switch {
	case m.width <= 0 || m.height <= 0 || m.leaving:
		return ""
	case m.width < leastWidth || m.height < leastHeight:
		return tooSmall(m.theme, m.width, m.height)
	}
	m.hit = hitArea{}
	lines := []string{m.header()}
	height := m.frameHeight()
	lines = append(lines, m.body(height)...)
	if m.notice != "" {
		for _, line := range m.noticeLines() {
			lines = append(lines, draw.Fit(line, m.width))
		}
	}
	lines = append(lines, keyLine(m.theme, m.keys(), m.width))
	return strings.Join(lines, "\n")
}

// frameHeight is the height of the framed part: header, notice and key line are taken off.
func (m *Model) frameHeight() int { return m.height - 2 - len(m.noticeLines()) }

// noticeLines is the notice, at most three lines of it.
func (m *Model) noticeLines() []string {
	if m.notice == "" {
		return nil
	}
	lines := draw.Hang(" "+m.theme.Changed.On("! "), m.theme.Message(m.notice), m.width-1)
	return lines[:min(len(lines), 3)]
}

func (m *Model) body(height int) []string {
	if m.overlay != noOverlay {
		return m.overlayFrame(m.width, height)
	}
	if m.screen == mapScreen {
		return m.mapFrame(m.width, height)
	}
	return m.stepFrame(m.width, height)
}

func (m *Model) header() string {
	right := m.theme.Say("%s edition", units.Edition)
	if m.options.Sandbox != "" {
		right += "   " + m.theme.Say("sandbox %s", m.options.Sandbox)
	}
	left := "Fieldbook   " + m.theme.Say("Course map")
	if m.screen == stepScreen {
		u, step := m.unit(), m.current()
		at := 1
		for i := range u.Steps {
			if u.Steps[i].ID == step.ID {
				at = i + 1
			}
		}
		left = m.theme.Say("%s   %s   step %d of %d", u.ID, step.Title, at, len(u.Steps))
		right = m.stepState()
	}
	if m.busy != "" {
		right = m.theme.Format(m.busy) + "…"
	}
	return header(m.theme, left, right, m.width)
}

// tooSmall says so in as many lines as there are.
func tooSmall(t draw.Theme, width, height int) string {
	text := t.Say("This window is too small: %d × %d. Fieldbook needs %d × %d. Make it larger, or leave with q and use `fieldbook --plain`.", width, height, leastWidth, leastHeight)
	lines := draw.Wrap(text, max(width, 1))
	return strings.Join(lines[:min(len(lines), max(height, 1))], "\n")
}

// pickSign stands in the first column of the line that the cursor is on.
const pickSign = "›"

// mark shows a line, whose first cell is left free for it, as chosen: with a sign, and reversed where the terminal can.
func (m *Model) mark(line string) string {
	return m.theme.Selected.On(pickSign + strings.TrimPrefix(ansi.Strip(line), " "))
}

func (m *Model) keys() []binding {
	switch {
	case m.overlay == searchOverlay:
		return m.boxKeys()
	case m.overlay != noOverlay:
		return m.overlayKeys()
	case m.screen == mapScreen:
		return mapKeys()
	default:
		return m.stepKeys()
	}
}
