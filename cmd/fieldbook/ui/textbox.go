package ui

import (
	"slices"
	"strings"

	"fieldbook/cmd/fieldbook/draw"
)

// textBox is a small editor for a few lines of text: what a prediction or a diagnosis needs.
type textBox struct {
	text   []rune
	cursor int // index into text
}

func (b *textBox) value() string { return string(b.text) }

func (b *textBox) insert(s string) {
	// A pasted text keeps its lines; other control characters have no place in a prediction.
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\r' || r < ' ' || r == 0x7f:
			return -1
		}
		return r
	}, s)
	runes := []rune(s)
	b.text = slices.Insert(b.text, b.cursor, runes...)
	b.cursor += len(runes)
}

// press does what a key means and reports whether it meant something.
func (b *textBox) press(key string) bool {
	switch key {
	case "enter":
		b.insert("\n")
	case "backspace":
		if b.cursor > 0 {
			b.cursor--
			b.text = slices.Delete(b.text, b.cursor, b.cursor+1)
		}
	case "delete":
		if b.cursor < len(b.text) {
			b.text = slices.Delete(b.text, b.cursor, b.cursor+1)
		}
	case "left":
		b.cursor = max(b.cursor-1, 0)
	case "right":
		b.cursor = min(b.cursor+1, len(b.text))
	case "home", "ctrl+a":
		b.cursor = b.lineStart()
	case "end", "ctrl+e":
		b.cursor = b.lineEnd()
	case "up":
		column, start := b.cursor-b.lineStart(), b.lineStart()
		if start > 0 {
			b.cursor = start - 1
			b.cursor = min(b.lineStart()+column, start-1)
		}
	case "down":
		column, end := b.cursor-b.lineStart(), b.lineEnd()
		if end < len(b.text) {
			b.cursor = end + 1
			b.cursor = min(b.cursor+column, b.lineEnd())
		}
	case "ctrl+w":
		for b.cursor > 0 && b.text[b.cursor-1] == ' ' {
			b.press("backspace")
		}
		for b.cursor > 0 && b.text[b.cursor-1] != ' ' && b.text[b.cursor-1] != '\n' {
			b.press("backspace")
		}
	default:
		return false
	}
	return true
}

func (b *textBox) lineStart() int {
	i := b.cursor
	for i > 0 && b.text[i-1] != '\n' {
		i--
	}
	return i
}

func (b *textBox) lineEnd() int {
	i := b.cursor
	for i < len(b.text) && b.text[i] != '\n' {
		i++
	}
	return i
}

// cursorSign stands at the place where the next letter goes.
const cursorSign = "▏"

// lines draws the text wrapped to width, with the cursor when the box has the focus.
func (b *textBox) lines(width int, focus bool) []string {
	text := string(b.text)
	if focus {
		text = string(b.text[:b.cursor]) + cursorSign + string(b.text[b.cursor:])
	}
	var lines []string
	for _, line := range strings.Split(text, "\n") {
		lines = append(lines, draw.Wrap(draw.Tabs(line), width)...)
	}
	return lines
}
