package course

import (
	"regexp"
	"strconv"
	"strings"

	"fieldbook/grader/task"
)

// Diagnosis compares what a student wrote with what was injected. It looks for the two facts alone; the reasoning is for
// people to read.
type Diagnosis struct {
	Cell   bool // a differing cell is named: its table and column, or its column
	Line   bool // the line that was changed is named
	WasIn  string
	OnLine int
}

// Diagnose reads the student's texts.
func Diagnose(texts []string, i task.Injection) Diagnosis {
	d := Diagnosis{OnLine: i.Edit.Line}
	all := strings.ToLower(strings.Join(texts, "\n"))
	for _, difference := range i.Differences {
		cell := difference.Cell
		if d.WasIn == "" {
			d.WasIn = cell.Table + "." + cell.Column
		}
		if cell.Column != "" && hasWord(all, strings.ToLower(cell.Column)) {
			d.Cell = true
		}
	}
	last := i.Edit.Line + max(len(i.Before), 1) - 1
	for line := i.Edit.Line; line <= last; line++ {
		d.Line = d.Line || hasWord(all, strconv.Itoa(line))
	}
	return d
}

func hasWord(text, word string) bool {
	return regexp.MustCompile(`(^|[^\p{L}\p{N}])` + regexp.QuoteMeta(word) + `($|[^\p{L}\p{N}])`).MatchString(text)
}
