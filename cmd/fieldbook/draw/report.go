package draw

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fieldbook/grader"
)

// The signs that stand beside every colour.
const (
	PassSign   = "✓"
	DifferSign = "✗"
	HereSign   = "▸"
	OpenSign   = "•"
	ChangeSign = "*"
)

// Verdict is a verdict in its colour.
func (t Theme) Verdict(v grader.Verdict) string {
	switch v {
	case grader.Pass:
		return t.Pass.On(PassSign + " " + string(v))
	case grader.NeedsWork, grader.Invalid:
		return t.Differ.On(DifferSign + " " + string(v))
	default:
		return t.Changed.On("! " + string(v))
	}
}

// Outcome is an outcome in words.
func Outcome(r grader.Report) string {
	if r.Outcome == grader.Observed {
		if r.Verdict == grader.Pass {
			return "observed, as expected"
		}
		return "observed, differs"
	}
	return strings.ReplaceAll(string(r.Outcome), "_", " ")
}

// Duration is a time for people: 31 ms, 2.4 s.
func Duration(d time.Duration) string {
	switch {
	case d <= 0:
		return "-"
	case d < time.Millisecond:
		return "under 1 ms"
	case d < 10*time.Second:
		if d >= time.Second {
			return fmt.Sprintf("%.1f s", d.Seconds())
		}
		return fmt.Sprintf("%d ms", d.Milliseconds())
	default:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	}
}

// Environment is what a result was obtained with, on one line.
func Environment(e grader.Environment) string {
	var parts []string
	if e.Engine != "" {
		parts = append(parts, "engine "+e.Engine)
	}
	if e.Sandbox != "" {
		parts = append(parts, "sandbox "+e.Sandbox)
	}
	if e.Elapsed.Total() > 0 {
		parts = append(parts, Duration(e.Elapsed.Total()))
	}
	return strings.Join(parts, "   ")
}

// wideValue is the width from which a value no longer fits into a column of a table.
const wideValue = 24

// Fields is the comparison: each field with what is expected beside what was observed, and where it was read.
func (t Theme) Fields(fields []grader.Field, width int) []string {
	rows := [][]string{{t.Faint.On("  field"), t.Faint.On("expected"), t.Faint.On("observed"), t.Faint.On("read from")}}
	for _, f := range fields {
		if max(Width(f.Expected.String()), Width(f.Observed.String())) > wideValue {
			return t.tallFields(fields, width)
		}
	}
	for _, f := range fields {
		rows = append(rows, []string{t.fieldName(f), f.Expected.String(), t.observed(f), t.Faint.On(f.From)})
	}
	if widest(rows, 3) > width {
		return t.narrowFields(fields, rows, width)
	}
	return Columns(rows, 3, width)
}

// narrowFields is Fields where the sources do not fit beside: each stands in a line of its own below its field. Where
// some fields differ, only theirs do.
func (t Theme) narrowFields(fields []grader.Field, rows [][]string, width int) []string {
	for i := range rows {
		rows[i] = rows[i][:3]
	}
	if widest(rows, 3) > width {
		return t.tallFields(fields, width)
	}
	differ := slices.ContainsFunc(fields, func(f grader.Field) bool { return !f.Agrees })
	table := Columns(rows, 3, width)
	lines := table[:1:1]
	for i, f := range fields {
		lines = append(lines, table[i+1])
		if f.From != "" && f.Agrees != differ {
			lines = append(lines, Hang("    ", t.Faint.On("read from "+f.From), width)...)
		}
	}
	return lines
}

// widest is the width that Columns would need.
func widest(rows [][]string, gap int) int {
	total := 0
	for column := range rows[0] {
		width := 0
		for _, row := range rows {
			width = max(width, Width(row[column]))
		}
		total += width + gap
	}
	return total - gap
}

// tallFields is Fields for long values: several lines a field.
func (t Theme) tallFields(fields []grader.Field, width int) []string {
	var lines []string
	for _, f := range fields {
		lines = append(lines, Cut(t.fieldName(f), width))
		if f.Agrees {
			lines = append(lines, Hang("    observed   ", f.Observed.String()+", as expected", width)...)
		} else {
			lines = append(lines, Hang("    expected   ", f.Expected.String(), width)...)
			lines = append(lines, Hang("    observed   ", f.Observed.String(), width)...)
		}
		lines = append(lines, Hang(t.Faint.On("    read from  "), f.From, width)...)
	}
	return lines
}

func (t Theme) fieldName(f grader.Field) string {
	if f.Agrees {
		return t.Pass.On(PassSign) + " " + f.Name
	}
	return t.Differ.On(DifferSign) + " " + f.Name
}

func (t Theme) observed(f grader.Field) string {
	if f.Agrees {
		return f.Observed.String()
	}
	return t.Differ.On(f.Observed.String())
}

// Count sums a comparison up: "1 as expected, 2 differ".
func Count(fields []grader.Field) string {
	agree := 0
	for _, f := range fields {
		if f.Agrees {
			agree++
		}
	}
	return fmt.Sprintf("%d as expected, %d differ", agree, len(fields)-agree)
}

// Cause is why a run has no observation, and what to do: the sentence, the panic with its line, the hint; then what there
// is to say about the engine.
func (t Theme) Cause(r grader.Report, width int) []string {
	var lines []string
	if r.Cause != "" {
		lines = append(lines, Wrap(r.Cause, width)...)
	}
	if c := r.Crash; c != nil {
		place := ""
		if c.Line > 0 {
			place = fmt.Sprintf("  at %s:%d", c.File, c.Line)
		}
		lines = append(lines, Hang("  ", t.Differ.On(visible(c.Message))+t.Accent.On(place), width)...)
	}
	if r.Hint != "" {
		lines = append(lines, Wrap(r.Hint, width)...)
	}
	if r.Environment.Note != "" {
		lines = append(lines, Wrap(r.Environment.Note, width)...)
	}
	return lines
}

// Output is what the learner's code printed.
func (t Theme) Output(o grader.Output, width int) []string {
	if o.Total == 0 {
		return nil
	}
	head := fmt.Sprintf("Printed, %d bytes", o.Total)
	if o.Omitted > 0 {
		head += fmt.Sprintf(", %d left out of the middle", o.Omitted)
	}
	lines := []string{t.Faint.On(head)}
	if o.File != "" {
		lines = append(lines, Hang("  ", "All of it: "+o.File, width)...)
	}
	for _, line := range strings.Split(strings.TrimRight(o.Text, "\n"), "\n") {
		lines = append(lines, "  "+Cut(visible(Tabs(line)), width-2))
	}
	return lines
}

// Headline names the exercise, the label of the run and its verdict.
func (t Theme) Headline(r grader.Report) string {
	return fmt.Sprintf("%s   %s   %s", t.Title.On(r.Exercise), r.Label, t.Verdict(r.Verdict)+": "+Outcome(r))
}
