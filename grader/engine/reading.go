package engine

import (
	"bytes"
	"fmt"
	"go/scanner"
	"go/token"
	"strings"
	"unicode/utf8"

	"fieldbook/grader"
)

// read holds a learner's bytes to what a Go file may be before anything parses them: size, encoding, build constraints
// and directives, depth of brackets. It blanks the one accepted constraint. More than a few faults of a kind are not
// listed: the first of each is.
func (f *file) read() []grader.Diagnostic {
	switch {
	case len(f.text) > maxSourceBytes:
		return []grader.Diagnostic{f.whole(codeTooLarge,
			fmt.Sprintf("the file has %d bytes; at most %d are read", len(f.text), maxSourceBytes),
			"Keep the function and its helpers only. Was another file picked by mistake?")}
	case len(bytes.TrimSpace(f.text)) == 0:
		return []grader.Diagnostic{f.whole(codeEmpty, "the file is empty",
			"Start from the exercise's starter file.")}
	}
	if d, bad := f.encoding(); bad {
		return []grader.Diagnostic{d}
	}
	return f.scan()
}

// encoding finds the first byte that no Go file may hold.
func (f *file) encoding() (grader.Diagnostic, bool) {
	if bytes.HasPrefix(f.text, []byte("\xff\xfe")) || bytes.HasPrefix(f.text, []byte("\xfe\xff")) {
		return f.whole(codeEncoding, "the file is encoded in UTF-16; Go source is UTF-8", "Save the file as UTF-8."), true
	}
	if i := bytes.IndexByte(f.text, 0); i >= 0 {
		d := f.at(codeNUL, i, i+1, "invalid NUL character", "Go source holds no zero bytes. Was the file cut off, or is it not a text file?")
		d.Excerpt = ""
		return d, true
	}
	for i := 0; i < len(f.text); {
		r, size := utf8.DecodeRune(f.text[i:])
		if r == utf8.RuneError && size == 1 {
			return f.at(codeEncoding, i, i+1, fmt.Sprintf("invalid UTF-8 encoding (byte 0x%02x)", f.text[i]),
				"Save the file as UTF-8, or write the byte as an escape in a string."), true
		}
		i += size
	}
	return grader.Diagnostic{}, false
}

// scan walks over the tokens: constraints, directives, brackets.
func (f *file) scan() []grader.Diagnostic {
	var found []grader.Diagnostic
	files := token.NewFileSet()
	handle := files.AddFile(f.path, -1, len(f.text))
	var s scanner.Scanner
	// Errors are left to the parser, which sees them again in their context.
	s.Init(handle, f.text, func(token.Position, string) {}, scanner.ScanComments)

	depth, inPackage := 0, false
	for {
		pos, tok, literal := s.Scan()
		offset := handle.Offset(pos)
		switch tok {
		case token.EOF:
			return found
		case token.PACKAGE:
			inPackage = true
		case token.COMMENT:
			if d, bad := f.comment(offset, literal, inPackage); bad {
				found = append(found, d)
			}
		case token.LPAREN, token.LBRACK, token.LBRACE:
			if depth++; depth > maxBrackets {
				return append(found, f.at(codeTooDeep, offset, offset+1,
					fmt.Sprintf("more than %d brackets are open here", maxBrackets), "Split the expression or the blocks."))
			}
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth--
		}
	}
}

// accepted is the one build constraint that may stand above the package clause: exercise folders keep their Go files out
// of the build with it.
const accepted = "//go:build exercise"

// comment judges one comment. It blanks the accepted constraint, which must go before the file can be part of a build, and
// comments that would give lines other names.
func (f *file) comment(offset int, text string, inPackage bool) (grader.Diagnostic, bool) {
	const what = "Remove the line."
	text = strings.TrimRight(text, " \t\r")
	end := offset + len(text)
	switch {
	case text == accepted && !inPackage:
		f.blank(offset, end)
	case strings.HasPrefix(text, "//line "), strings.HasPrefix(text, "/*line "):
		f.blank(offset, end)
	case strings.HasPrefix(text, "//go:build"):
		return f.at(codeConstraint, offset, end, "build constraints are not accepted in this file",
			what+" The only one accepted is "+accepted+", above the package clause."), true
	case !inPackage && strings.HasPrefix(strings.TrimLeft(strings.TrimPrefix(text, "//"), " \t"), "+build"):
		return f.at(codeConstraint, offset, end, "build constraints are not accepted in this file", what), true
	case strings.HasPrefix(text, "//go:"), strings.HasPrefix(text, "//export "):
		return f.at(codeDirective, offset, end, "compiler directives are not accepted in this file", what), true
	}
	return grader.Diagnostic{}, false
}

// blank overwrites bytes of the text by spaces. Line ends stay.
func (f *file) blank(start, end int) {
	if &f.shown[0] == &f.text[0] {
		f.text = bytes.Clone(f.text)
	}
	for i := start; i < end; i++ {
		if f.text[i] != '\n' {
			f.text[i] = ' '
		}
	}
}
