package grader

import (
	"fmt"
	"strings"
)

// Diagnostic is one message about a place in a source file. Lines and columns are the learner's own, from 1; columns
// count bytes, as the Go compiler's do. Line 0 means that the message is about the file as a whole.
type Diagnostic struct {
	Code    string `json:"code"`              // stable, for tests and scripts: "syntax", "type", "signature", "import_not_offered", …
	File    string `json:"file"`              // slash path inside the runtime tree, or the learner's own file name
	Line    int    `json:"line"`              // 0: the whole file
	Column  int    `json:"column"`            // 0: the whole line
	End     int    `json:"end,omitempty"`     // column after the marked text, when it ends on the same line
	Message string `json:"message"`           // one sentence, the compiler's wording where the compiler has one
	Hint    string `json:"hint,omitempty"`    // what to do about it
	Excerpt string `json:"excerpt,omitempty"` // the source line, without its newline; "?" for each byte of what a terminal would not show
}

// String is the one-line form: file:line:column: message.
func (d Diagnostic) String() string {
	switch {
	case d.Line == 0:
		return fmt.Sprintf("%s: %s", d.File, d.Message)
	case d.Column == 0:
		return fmt.Sprintf("%s:%d: %s", d.File, d.Line, d.Message)
	default:
		return fmt.Sprintf("%s:%d:%d: %s", d.File, d.Line, d.Column, d.Message)
	}
}

// Caret is the excerpt with a caret line below it, or "" when there is no excerpt. Tabs stay tabs in both lines so that
// the caret stands under its column whatever the reader's tab width.
func (d Diagnostic) Caret() string {
	if d.Excerpt == "" || d.Column == 0 {
		return ""
	}
	var under strings.Builder
	for i, r := range d.Excerpt {
		if i >= d.Column-1 {
			break
		}
		if r == '\t' {
			under.WriteByte('\t')
		} else {
			under.WriteByte(' ')
		}
	}
	width := 1
	if d.End > d.Column && d.End-1 <= len(d.Excerpt) {
		width = len([]rune(d.Excerpt[d.Column-1 : d.End-1]))
	}
	return d.Excerpt + "\n" + under.String() + strings.Repeat("^", max(width, 1))
}
