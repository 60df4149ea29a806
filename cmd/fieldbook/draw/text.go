package draw

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Width is the number of cells that text takes on a terminal.
func Width(text string) int { return ansi.StringWidth(text) }

// Cut shortens text to a width; an ellipsis says that something is missing.
func Cut(text string, width int) string {
	if width <= 0 {
		return ""
	}
	return ansi.Truncate(text, width, "…")
}

// Fit makes text exactly as wide as asked, cut or padded.
func Fit(text string, width int) string {
	text = Cut(text, width)
	return text + Spaces(width-Width(text))
}

// Right is Fit with the text at the right.
func Right(text string, width int) string {
	text = Cut(text, width)
	return Spaces(width-Width(text)) + text
}

// Spaces is n spaces, none for a negative n.
func Spaces(n int) string { return strings.Repeat(" ", max(n, 0)) }

// Wrap breaks text between words into lines of at most width cells. A word that is longer than a line is broken inside.
// Text without anything to show gives one empty line.
func Wrap(text string, width int) []string {
	if width <= 0 {
		return nil
	}
	lines := strings.Split(ansi.Wrap(text, width, " "), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return lines
}

// Hang wraps text after a first-line prefix; further lines are indented by the prefix's width.
func Hang(prefix, text string, width int) []string {
	indent := Width(prefix)
	lines := Wrap(text, max(width-indent, 8))
	for i := range lines {
		if i == 0 {
			lines[i] = prefix + lines[i]
		} else {
			lines[i] = Spaces(indent) + lines[i]
		}
	}
	return lines
}

// Tabs replaces each tab by spaces up to the next multiple of four. Escape sequences take no room.
func Tabs(line string) string {
	if !strings.Contains(line, "\t") {
		return line
	}
	parts := strings.Split(line, "\t")
	var b strings.Builder
	column := 0
	for i, part := range parts {
		b.WriteString(part)
		column += Width(part)
		if i < len(parts)-1 {
			n := 4 - column%4
			b.WriteString(Spaces(n))
			column += n
		}
	}
	return b.String()
}

// Columns aligns rows of cells, gap cells apart, and cuts the last column so that no line is wider than width.
func Columns(rows [][]string, gap, width int) []string {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], Width(cell))
		}
	}
	lines := make([]string, len(rows))
	for n, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			if i == len(row)-1 {
				b.WriteString(cell)
			} else {
				b.WriteString(Fit(cell, widths[i]))
				b.WriteString(Spaces(gap))
			}
		}
		lines[n] = strings.TrimRight(Cut(b.String(), width), " ")
	}
	return lines
}
