package draw

import (
	"go/scanner"
	"go/token"
	"strings"
)

// Go highlights Go source with the standard scanner, line by line. Text that does not scan is shown as it stands.
func (t Theme) Go(source string) []string {
	source = strings.TrimRight(source, "\n")
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(source))
	var s scanner.Scanner
	s.Init(file, []byte(source), func(token.Position, string) {}, scanner.ScanComments)

	var b strings.Builder
	done := 0
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			break
		}
		start := file.Offset(pos)
		if tok == token.SEMICOLON && literal == "\n" || start < done {
			continue
		}
		text := literal
		if text == "" {
			text = tok.String()
		}
		end := min(start+len(text), len(source))
		b.WriteString(source[done:start])
		b.WriteString(t.token(tok).onLines(source[start:end]))
		done = end
	}
	b.WriteString(source[done:])
	lines := strings.Split(b.String(), "\n")
	for i, line := range lines {
		lines[i] = Tabs(line)
	}
	return lines
}

func (t Theme) token(tok token.Token) Style {
	switch {
	case tok == token.COMMENT:
		return t.Comment
	case tok == token.STRING || tok == token.CHAR:
		return t.Text
	case tok.IsKeyword():
		return t.Keyword
	}
	return Style{}
}

// onLines styles each line of a text by itself, so that a frame can stand between them.
func (s Style) onLines(text string) string {
	if !strings.Contains(text, "\n") {
		return s.On(text)
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = s.On(line)
	}
	return strings.Join(lines, "\n")
}
