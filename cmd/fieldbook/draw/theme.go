// Package draw makes the text that a terminal shows: styled lines of exact width, framed panes, highlighted Go, Markdown,
// and the parts of a report. It knows no terminal and does no input or output: every function returns lines. It runs in
// the student's command and imports package evidence and the words of package grader.
//
// Colours are the terminal's own sixteen, so that they suit a light and a dark background alike without asking for it;
// none of them stands without a word or a sign beside it.
package draw

import (
	"github.com/charmbracelet/x/ansi"

	"fieldbook/cmd/fieldbook/lang"
)

// Style marks text with one meaning.
type Style struct{ style ansi.Style }

// On applies the style to text on one line.
func (s Style) On(text string) string {
	if text == "" || len(s.style) == 0 {
		return text
	}
	return s.style.Styled(text)
}

// Theme is a style for each meaning. The zero Theme writes text without any escape sequence.
type Theme struct {
	lang.Texts       // the language in which texts are drawn
	Title      Style // names of screens and panes
	Strong     Style
	Faint      Style // frames, explanations, what is supplied
	Pass       Style
	Differ     Style
	Changed    Style
	Accent     Style // what the reader can act on: keys, paths
	Selected   Style
	Keyword    Style
	Text       Style // string literals
	Comment    Style
}

// Colour is the theme of a terminal with colours.
func Colour() Theme {
	fg := func(c ansi.BasicColor) ansi.Style { return ansi.Style{}.ForegroundColor(c) }
	return Theme{
		Title:    Style{ansi.Style{}.Bold()},
		Strong:   Style{ansi.Style{}.Bold()},
		Faint:    Style{ansi.Style{}.Faint()},
		Pass:     Style{fg(ansi.Green)},
		Differ:   Style{fg(ansi.Red).Bold()},
		Changed:  Style{fg(ansi.Yellow)},
		Accent:   Style{fg(ansi.Cyan)},
		Selected: Style{ansi.Style{}.Reverse(true)},
		Keyword:  Style{fg(ansi.Magenta)},
		Text:     Style{fg(ansi.Green)},
		Comment:  Style{ansi.Style{}.Faint()},
	}
}

// Mono is the theme of a terminal that shows bold, faint and reverse text, for NO_COLOR.
func Mono() Theme {
	bold, faint := Style{ansi.Style{}.Bold()}, Style{ansi.Style{}.Faint()}
	return Theme{
		Title: bold, Strong: bold, Faint: faint, Differ: bold, Accent: bold,
		Selected: Style{ansi.Style{}.Reverse(true)}, Keyword: bold, Comment: faint,
	}
}
