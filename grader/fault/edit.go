package fault

import (
	"bytes"
	"fmt"
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

// Names gives each of the edits of a source a name that stays when lines are added elsewhere: what it does, the touched
// lines before and after it with white space folded, and a number where several edits have these in common.
func Names(source []byte, edits []Edit) []string {
	names := make([]string, len(edits))
	seen := map[string]int{}
	for i, e := range edits {
		before, after := e.Lines(source)
		changed := fold(after)
		if changed == "" {
			changed = "nothing"
		}
		name := e.What + ": " + fold(before) + " => " + changed
		if seen[name]++; seen[name] > 1 {
			name = fmt.Sprintf("%s (%d)", name, seen[name])
		}
		names[i] = name
	}
	return names
}

func fold(lines []string) string { return strings.Join(strings.Fields(strings.Join(lines, " ")), " ") }
