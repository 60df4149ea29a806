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

// From is the part of a line that begins left cells from its start, as wide as asked.
func From(line string, left, width int) string {
	if left == 0 {
		return Cut(line, width)
	}
	return ansi.Cut(line, left, left+width)
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

// Wrap breaks text at its spaces into lines of at most width cells, and at line feeds. A word that is longer than a line is
// broken inside. A style that is on at the end of a line is ended there and goes on in the next one, so that a frame can
// stand between. Text without anything to show gives one empty line.
func Wrap(text string, width int) []string { return wrap(text, width, true) }

// Flow is Wrap for printed text, where nothing stands beside: a word that is longer than a line, a path for instance, stays
// whole, so that it can be copied.
func Flow(text string, width int) []string { return wrap(text, width, false) }

func wrap(text string, width int, inside bool) []string {
	if width <= 0 {
		return nil
	}
	var lines []string
	open := "" // the escape sequences that are in force
	for _, paragraph := range strings.Split(text, "\n") {
		line, used := "", 0
		flush := func() {
			line = strings.TrimRight(line, " ")
			if open != "" {
				line += ansi.ResetStyle
			}
			lines = append(lines, line)
			line, used = open, 0
		}
		for i, word := range strings.Split(paragraph, " ") {
			wide := Width(word)
			if i > 0 {
				if used+1+wide > width && used > 0 {
					flush()
				} else {
					line, used = line+" ", used+1
				}
			}
			for inside && wide > width-used && wide > width {
				head := ansi.Truncate(word, width-used, "")
				line += head
				open = inForce(open, head)
				word = open + ansi.TruncateLeft(word, width-used, "")
				wide = Width(word)
				flush()
				line = ""
			}
			line, used = line+word, used+wide
			open = inForce(open, word)
		}
		lines = append(lines, strings.TrimRight(line, " "))
		if open != "" {
			lines[len(lines)-1] += ansi.ResetStyle
		}
	}
	return lines
}

// inForce is the escape sequences in force after text, given those before it.
func inForce(open, text string) string {
	for {
		start := strings.Index(text, "\x1b[")
		if start < 0 {
			return open
		}
		end := strings.IndexByte(text[start:], 'm')
		if end < 0 {
			return open
		}
		sequence := text[start : start+end+1]
		if sequence == ansi.ResetStyle || sequence == "\x1b[0m" {
			open = ""
		} else {
			open += sequence
		}
		text = text[start+end+1:]
	}
}

// Hang wraps text after a first-line prefix; further lines are indented by the prefix's width.
func Hang(prefix, text string, width int) []string {
	return hang(prefix, Width(prefix), Wrap(text, max(width-Width(prefix), 8)))
}

// HangFlow is Hang for printed text: see Flow.
func HangFlow(prefix, text string, width int) []string {
	return hang(prefix, Width(prefix), Flow(text, max(width-Width(prefix), 8)))
}

func hang(prefix string, indent int, lines []string) []string {
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
