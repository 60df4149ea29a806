package draw

import (
	"fmt"
	"slices"
	"strings"

	"fieldbook/grader"
)

// Consequence is what a fault causes, one numbered line a step: who, then what.
func (t Theme) Consequence(steps []string, width int) []string {
	who := 0
	steps = slices.Clone(steps)
	for i, s := range steps {
		s = t.Message(s)
		steps[i] = s
		if name, _, ok := strings.Cut(s, ": "); ok {
			who = max(who, Width(name))
		}
	}
	var lines []string
	for i, s := range steps {
		name, what, ok := strings.Cut(s, ": ")
		if !ok {
			name, what = "", s
		}
		lines = append(lines, Hang(fmt.Sprintf("%3d ", i+1)+t.Strong.On(Fit(name, who))+"   ", what, width)...)
	}
	return lines
}

// Beside is two comparisons of the same fields: what the learner's own code gave beside what the injected code gave.
func (t Theme) Beside(yours, injected []grader.Field, width int) []string {
	rows := [][]string{{t.Faint.On("  " + t.Say("field")), t.Faint.On(t.Say("yours")), t.Faint.On(t.Say("injected"))}}
	for i, f := range injected {
		own := "-"
		if i < len(yours) {
			own = yours[i].Observed.String()
		}
		rows = append(rows, []string{t.fieldName(f), own, t.observed(f)})
	}
	return Columns(rows, 3, width)
}

// Change is an edit of a source: the lines from Line on were Before and are After; the change begins at Column of the
// first, in bytes from 1.
type Change struct {
	Line, Column  int
	Before, After []string
	What          string // "one literal in a text"
}

// context is how many unchanged lines stand around an edit.
const context = 2

// Edit shows a change in its place: - the learner's lines, + the injected ones, a caret where it begins.
func (t Theme) Edit(source string, c Change, width int) []string {
	all := strings.Split(source, "\n")
	from, to := max(c.Line-context, 1), min(c.Line+len(c.Before)+context, len(all)+1)
	cut := commonIndent(append(append(slices.Clone(all[from-1:to-1]), c.Before...), c.After...))
	var lines []string
	add := func(sign string, n int, text string, style Style) {
		text = Tabs(strings.TrimPrefix(text, cut))
		lines = append(lines, Cut(fmt.Sprintf("  %s %4d  ", style.On(sign), n)+style.On(visible(text)), width))
	}
	for n := from; n < c.Line; n++ {
		add(" ", n, all[n-1], t.Faint)
	}
	for i, text := range c.Before {
		add("-", c.Line+i, text, t.Differ)
	}
	for i, text := range c.After {
		add("+", c.Line+i, text, t.Changed)
	}
	if len(c.Before) > 0 && c.Column >= 1+len(cut) && c.Column <= len(c.Before[0])+1 {
		caret := 10 + Width(Tabs(c.Before[0][len(cut):c.Column-1]))
		lines = append(lines, t.Faint.On(beside(caret, c.What, width)))
	}
	for n := c.Line + len(c.Before); n < to; n++ {
		add(" ", n, all[n-1], t.Faint)
	}
	return lines
}

// beside is a caret in a column with a text after it, or before it where that does not fit.
func beside(column int, text string, width int) string {
	if column+2+Width(text) <= width {
		return Spaces(column) + "^ " + text
	}
	return Cut(Right(text+" ^", column+1), width)
}

// commonIndent is the white space with which every line that has text begins.
func commonIndent(lines []string) string {
	common, first := "", true
	for _, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		if first {
			common, first = indent, false
		}
		for !strings.HasPrefix(indent, common) {
			common = common[:len(common)-1]
		}
	}
	return common
}
