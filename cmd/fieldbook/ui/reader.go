package ui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"fieldbook/cmd/fieldbook/draw"
)

// pages are the rendered texts of steps, by unit, step and width.
type pages map[page][]draw.Line

type page struct {
	unit, step string
	width      int
}

// widestText is the width beyond which prose is hard to read.
const widestText = 92

func (m *Model) page(width int) []draw.Line {
	key := page{m.unit().ID, m.current().ID, min(width, widestText)}
	lines, ok := m.pages[key]
	if !ok {
		// The pane has the step's title already.
		text := strings.TrimPrefix(m.options.Session.Text(), "# "+m.current().Title+"\n\n")
		lines = m.theme.Markdown(text, key.width)
		m.pages[key] = lines
	}
	return lines
}

// textFrame is the step's text. Code does not wrap: it moves sideways.
func (m *Model) textFrame(width, height int) []string {
	inner := draw.InnerWidth(width)
	lines := m.page(inner)
	texts := make([]string, len(lines))
	for i, line := range lines {
		texts[i] = line.Text
		if line.Code && m.step.text.left > 0 {
			texts[i] = ansi.Cut(line.Text, m.step.text.left, m.step.text.left+inner)
		}
	}
	shown := m.step.text.window(texts, height-2)
	title := m.current().Title
	if more := m.step.text.more(len(lines), height-2); more != "" {
		title += "   " + more
	}
	return m.theme.Frame(width, height, []draw.Row{{Panes: []draw.Pane{{Title: title, Lines: shown}}}})
}
