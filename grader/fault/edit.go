package fault

import (
	"bytes"
	"strings"
)

// Edit is one change of a source text: bytes Start to End become Text.
type Edit struct {
	Start  int    `json:"start"`
	End    int    `json:"end"`
	Text   string `json:"text"`
	Line   int    `json:"line"`   // of Start, from 1
	Column int    `json:"column"` // of Start, in bytes, from 1
	What   string `json:"what"`   // "one literal in a text", "a statement removed", …
	kind   kind
}

// Apply returns source with the edit made.
func (e Edit) Apply(source []byte) []byte {
	out := make([]byte, 0, len(source)+len(e.Text))
	out = append(out, source[:e.Start]...)
	out = append(out, e.Text...)
	return append(out, source[e.End:]...)
}

// Lines returns the source lines that the edit touches, before and after it, without their newlines.
func (e Edit) Lines(source []byte) (before, after []string) {
	first := bytes.LastIndexByte(source[:e.Start], '\n') + 1
	last := len(source)
	if i := bytes.IndexByte(source[e.End:], '\n'); i >= 0 {
		last = e.End + i
	}
	before = strings.Split(string(source[first:last]), "\n")
	changed := string(source[first:e.Start]) + e.Text + string(source[e.End:last])
	if strings.TrimSpace(changed) != "" {
		after = strings.Split(changed, "\n")
	}
	return before, after
}
