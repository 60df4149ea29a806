package engine

import (
	"bytes"
	"go/ast"
	"go/token"
	"sort"

	"fieldbook/grader"
)

// file is one file of the copy while a program is prepared.
type file struct {
	path    string // in the module
	name    string // in messages
	learner bool
	specs   []FunctionSpec
	text    []byte // what is checked: byte order mark and carriage returns removed, accepted constraint and //line comments blanked
	shown   []byte // what excerpts show: the same lines, nothing blanked
	lines   []int  // offsets of line starts in text

	syntax *ast.File
	token  *token.File
}

// newFile prepares a file's text. Lines and columns stay those an editor shows.
func newFile(s Source) *file {
	f := &file{path: s.Path, name: s.Name, learner: s.Learner, specs: s.Functions}
	if f.name == "" {
		f.name = f.path
	}
	f.text = bytes.TrimPrefix(s.Text, []byte("\xef\xbb\xbf"))
	f.text = bytes.ReplaceAll(f.text, []byte("\r\n"), []byte("\n"))
	f.shown = f.text
	f.lines = []int{0}
	for i, b := range f.text {
		if b == '\n' {
			f.lines = append(f.lines, i+1)
		}
	}
	return f
}

// importPath is the path of the package that the file belongs to.
func (f *file) importPath() string { return ImportPath(f.path) }

// at makes a diagnostic that marks the bytes from start to end, offsets into text. A mark that leaves its line is cut
// to its first byte.
func (f *file) at(code string, start, end int, message, hint string) grader.Diagnostic {
	start = min(max(start, 0), len(f.text))
	line := sort.SearchInts(f.lines, start+1) // the number of line starts at or before start
	from := f.lines[line-1]
	excerpt := f.line(line)
	d := grader.Diagnostic{
		Code: code, File: f.name, Line: line, Column: start - from + 1,
		Message: grader.Visible([]byte(message)), Hint: grader.Visible([]byte(hint)), Excerpt: grader.Masked(excerpt),
	}
	if end > start && end <= from+len(excerpt) {
		d.End = end - from + 1
	}
	return d
}

// whole makes a diagnostic about the file as a whole.
func (f *file) whole(code, message, hint string) grader.Diagnostic {
	return grader.Diagnostic{Code: code, File: f.name, Message: grader.Visible([]byte(message)), Hint: grader.Visible([]byte(hint))}
}

// node makes a diagnostic that marks a part of the syntax.
func (f *file) node(code string, n ast.Node, message, hint string) grader.Diagnostic {
	return f.at(code, f.offset(n.Pos()), f.offset(n.End()), message, hint)
}

// offset turns a position of this file into an offset of text; 0 for a position that lies elsewhere.
func (f *file) offset(p token.Pos) int {
	if f.token == nil || int(p) < f.token.Base() || int(p) > f.token.Base()+f.token.Size() {
		return 0
	}
	return f.token.Offset(p)
}

// line is a source line, from 1, without its newline.
func (f *file) line(n int) string {
	start := f.lines[n-1]
	end := len(f.text)
	if n < len(f.lines) {
		end = f.lines[n] - 1
	}
	return string(f.shown[start:end])
}

// wordEnd is where the name, number or string that begins at an offset ends.
func (f *file) wordEnd(start int) int {
	rest := f.text[start:]
	if len(rest) > 0 && (rest[0] == '"' || rest[0] == '`') {
		if end := bytes.IndexByte(rest[1:], rest[0]); end >= 0 {
			return start + end + 2
		}
	}
	if end := bytes.IndexFunc(rest, func(r rune) bool { return !letterOrDigit(r) }); end > 0 {
		return start + end
	}
	return start + 1
}
