package course

import (
	"path"
	"regexp"
	"strconv"
	"strings"

	"fieldbook/grader/task"
)

// Diagnosis compares what a student wrote with what was injected. It looks for the two facts alone; the reasoning is for
// people to read.
type Diagnosis struct {
	Cell   bool   // a differing cell is named: its table and column, or its column; where no table differs, the file
	Line   bool   // the line that was changed is named
	WasIn  string // what differs
	OnLine int    // 0 when no line of the student's was changed: the course's own broken function took its place
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
	if len(i.Differences) == 0 {
		d.file(all, i)
	}
	if i.Supplied {
		d.OnLine = 0
		return d
	}
	last := i.Edit.Line + max(len(i.Before), 1) - 1
	for line := i.Edit.Line; line <= last; line++ {
		d.Line = d.Line || hasWord(all, strconv.Itoa(line))
	}
	return d
}

// file looks for the artifact in which a field of the probe differs, by the name of the file or of the field.
func (d *Diagnosis) file(text string, i task.Injection) {
	for n, broken := range i.Broken.Fields {
		if n >= len(i.Good.Fields) || broken.Observed.Equal(i.Good.Fields[n].Observed) {
			continue
		}
		place, _, artifact := strings.Cut(broken.From, ",")
		if d.WasIn == "" || artifact && !strings.Contains(d.WasIn, "/") {
			d.WasIn = broken.From
		}
		if hasWord(text, strings.ToLower(broken.Name)) || artifact && strings.Contains(text, strings.ToLower(path.Base(place))) {
			d.Cell = true
		}
	}
}

func hasWord(text, word string) bool {
	return regexp.MustCompile(`(^|[^\p{L}\p{N}])` + regexp.QuoteMeta(word) + `($|[^\p{L}\p{N}])`).MatchString(text)
}
