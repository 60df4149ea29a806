package ui

import tea "charm.land/bubbletea/v2"

// hitArea is a list on the screen in which a click chooses a line. Cells count from 0.
type hitArea struct {
	right       int // the first column behind it
	top, height int
	pick        func(line int) // called with the line inside
}

// linesPerNotch is how far a notch of the wheel scrolls.
const linesPerNotch = 3

// wheel scrolls what the keys j and k scroll; while a text is written, the pane in which it stands.
func (m *Model) wheel(mouse tea.Mouse) tea.Cmd {
	var key string
	var by int
	switch mouse.Button {
	case tea.MouseWheelDown:
		key, by = "j", linesPerNotch
	case tea.MouseWheelUp:
		key, by = "k", -linesPerNotch
	default:
		return nil
	}
	if m.overlay == searchOverlay {
		m.pointer = max(m.pointer+by, 0)
		return nil
	}
	if m.focused() != nil {
		m.step.text.top = max(m.step.text.top+by, 0)
		return nil
	}
	var commands []tea.Cmd
	for range linesPerNotch {
		commands = append(commands, m.press(key, ""))
	}
	return tea.Batch(commands...)
}

// click chooses the line that was clicked; a click on the line that is chosen already opens it.
func (m *Model) click(mouse tea.Mouse) tea.Cmd {
	h := m.hit
	if mouse.Button != tea.MouseLeft || h.pick == nil || mouse.X >= h.right || mouse.Y < h.top || mouse.Y >= h.top+h.height {
		return nil
	}
	before := m.choice()
	h.pick(mouse.Y - h.top)
	if m.choice() == before {
		return m.press("enter", "")
	}
	return nil
}

// choice is what is chosen in the lists of the screen.
func (m *Model) choice() [3]any {
	return [3]any{m.pointer, m.step.cursor, m.courses.unit + "/" + m.courses.step}
}
