package draw

import (
	"fmt"
	"strings"

	"fieldbook/grader"
)

// Consequence is what a fault causes, one numbered line a step: who, then what.
func (t Theme) Consequence(steps []string, width int) []string {
	who := 0
	for _, s := range steps {
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
	rows := [][]string{{t.Faint.On("  field"), t.Faint.On("yours"), t.Faint.On("injected")}}
	for i, f := range injected {
		own := "-"
		if i < len(yours) {
			own = yours[i].Observed.String()
		}
		rows = append(rows, []string{t.fieldName(f), own, t.observed(f)})
	}
	return Columns(rows, 3, width)
}

// Edit is the lines that an edit changed with a line of context on each side: - the learner's, + the injected. column is
// where the change begins, in bytes from 1, and gets a caret with what was changed.
func (t Theme) Edit(source string, line, column int, before, after []string, what string, width int) []string {
	all := strings.Split(source, "\n")
	at := func(n int) string {
		if n < 1 || n > len(all) {
			return ""
		}
		return all[n-1]
	}
	row := func(sign string, n int, text string, style Style) string {
		return Cut(fmt.Sprintf("  %s %4d  ", style.On(sign), n)+style.On(visible(Tabs(text))), width)
	}
	var lines []string
	for n := line - 2; n < line; n++ {
		if n >= 1 {
			lines = append(lines, row(" ", n, at(n), t.Faint))
		}
	}
	for i, text := range before {
		lines = append(lines, row("-", line+i, text, t.Differ))
	}
	for i, text := range after {
		lines = append(lines, row("+", line+i, text, t.Changed))
	}
	if len(before) > 0 && column >= 1 && column <= len(before[0])+1 {
		caret := Width(Tabs(before[0][:column-1]))
		lines = append(lines, Cut(Spaces(10+caret)+t.Faint.On("^ "+what), width))
	}
	for n := line + len(before); n < line+len(before)+2; n++ {
		if n <= len(all) && at(n) != "" {
			lines = append(lines, row(" ", n, at(n), t.Faint))
		}
	}
	return lines
}
