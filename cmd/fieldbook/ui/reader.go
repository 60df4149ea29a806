package ui

import (
	"github.com/charmbracelet/x/ansi"

	"fieldbook/cmd/fieldbook/draw"
)

// pages are the rendered texts of parts, by unit, step, part and width.
type pages map[page][]draw.Line

type page struct {
	unit, step, part string
	width            int
}

// widestText is the width beyond which prose is hard to read.
const widestText = 92

// page is the text of the part that is shown.
func (m *Model) page(width int) []draw.Line {
	a := m.activity()
	key := page{m.unit().ID, m.current().ID, a.ID, min(width, widestText)}
	lines, ok := m.pages[key]
	if !ok {
		lines = m.theme.Markdown(a.Text, key.width)
		m.pages[key] = lines
	}
	return lines
}

// textFrame is a text alone. Code does not wrap: it moves sideways.
func (m *Model) textFrame(width, height int) []string {
	return m.theme.Frame(width, height, []draw.Row{{Panes: []draw.Pane{m.textPane(draw.InnerWidth(width), height-2)}}})
}

// textPane shows the text of the part as far as it fits.
func (m *Model) textPane(inner, height int) draw.Pane {
	lines := m.page(inner)
	texts := make([]string, len(lines))
	for i, line := range lines {
		texts[i] = line.Text
		if line.Code && m.step.text.left > 0 {
			texts[i] = ansi.Cut(line.Text, m.step.text.left, m.step.text.left+inner)
		}
	}
	shown := m.step.text.window(texts, height)
	title := m.activity().Title
	if more := m.step.text.more(len(lines), height); more != "" {
		title += "   " + more
	}
	return draw.Pane{Title: title, Lines: shown}
}
