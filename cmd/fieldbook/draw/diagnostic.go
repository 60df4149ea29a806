package draw

import (
	"fmt"
	"strings"

	"fieldbook/grader"
)

// Diagnostics is the messages about a source, each with its place, the line it is about, a caret below it, and what to do.
func (t Theme) Diagnostics(list []grader.Diagnostic, width int) []string {
	var lines []string
	for i, d := range list {
		if i > 0 {
			lines = append(lines, "")
		}
		place := t.Accent.On(strings.TrimSuffix(grader.Diagnostic{File: d.File, Line: d.Line, Column: d.Column}.String(), ": "))
		if Width(place) < width/2 {
			lines = append(lines, Wrap(place+" "+t.Differ.On(d.Message), width)...)
		} else {
			lines = append(append(lines, place), Wrap(t.Differ.On(d.Message), width)...) // a long path stays whole
		}
		if d.Excerpt != "" {
			lines = append(lines, t.excerpt(d, width)...)
		}
		if d.Hint != "" {
			lines = append(lines, Hang("  ", t.Message(d.Hint), width)...)
		}
	}
	return lines
}

// excerpt is the line a diagnostic is about with a caret below. A line wider than the pane is moved left until the caret
// is inside.
func (t Theme) excerpt(d grader.Diagnostic, width int) []string {
	gutter := fmt.Sprintf("%5d  ", d.Line)
	source, under, marked := strings.Cut(d.Caret(), "\n")
	if !marked {
		source = d.Excerpt
	}
	// The caret line repeats the tabs of the source, so both are widened alike.
	source, under = visible(Tabs(source)), Tabs(under)
	room := width - Width(gutter)
	from := max(strings.Index(under, "^")-room+12, 0)
	lines := []string{t.Faint.On(gutter) + Cut(dropCells(source, from), room)}
	if marked {
		lines = append(lines, Spaces(Width(gutter))+t.Differ.On(Cut(dropCells(under, from), room)))
	}
	return lines
}

func dropCells(text string, n int) string {
	for i, r := range text {
		if n <= 0 {
			return text[i:]
		}
		n -= Width(string(r))
	}
	return ""
}

// visible replaces control characters, so that a learner's source cannot move the cursor or change colours.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return '·'
		}
		return r
	}, text)
}
