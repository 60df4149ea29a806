package draw

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fieldbook/cmd/fieldbook/lang"
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
func (t Theme) Outcome(r grader.Report) string {
	if r.Outcome == grader.Observed {
		if r.Verdict == grader.Pass {
			return t.Say("observed, as expected")
		}
		return t.Say("observed, differs")
	}
	return t.Format(outcomeWords(r.Outcome))
}

// outcomeWords are the outcomes in words, besides those of a run that was observed.
func outcomeWords(o grader.Outcome) string {
	switch o {
	case grader.Unfinished:
		return lang.Key("unfinished")
	case grader.CompileError:
		return lang.Key("compile error")
	case grader.Panic:
		return lang.Key("panic")
	case grader.NoResult:
		return lang.Key("no result")
	case grader.Unstable:
		return lang.Key("unstable")
	case grader.Unsupported:
		return lang.Key("unsupported")
	case grader.Timeout:
		return lang.Key("timeout")
	case grader.CPULimit:
		return lang.Key("cpu limit")
	case grader.MemoryLimit:
		return lang.Key("memory limit")
	case grader.OutputLimit:
		return lang.Key("output limit")
	case grader.SandboxViolation:
		return lang.Key("sandbox violation")
	case grader.Tampered:
		return lang.Key("tampered")
	case grader.EnginesDisagree:
		return lang.Key("engines disagree")
	case grader.Infrastructure:
		return lang.Key("infrastructure")
	}
	return strings.ReplaceAll(string(o), "_", " ")
}

// Outcome is the outcome in English words.
func Outcome(r grader.Report) string { return Theme{}.Outcome(r) }

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
func (t Theme) Environment(e grader.Environment) string {
	var parts []string
	if e.Engine != "" {
		parts = append(parts, t.Say("engine %s", e.Engine))
	}
	if e.Sandbox != "" {
		parts = append(parts, t.Say("sandbox %s", e.Sandbox))
	}
	if e.Elapsed.Total() > 0 {
		parts = append(parts, Duration(e.Elapsed.Total()))
	}
	return strings.Join(parts, "   ")
}

// Saved is the line that says where evidence was saved. Scripts look for it, so it is the same in every language.
func Saved(path string) string { return "Saved evidence: " + path }

// wideValue is the width from which a value no longer fits into a column of a table.
const wideValue = 24

// Fields is the comparison: each field with what is expected beside what was observed, and where it was read.
func (t Theme) Fields(fields []grader.Field, width int) []string {
	rows := [][]string{{t.Faint.On("  " + t.Say("field")), t.Faint.On(t.Say("expected")), t.Faint.On(t.Say("observed")), t.Faint.On(t.Say("read from"))}}
	for _, f := range fields {
		if max(Width(f.Expected.String()), Width(f.Observed.String())) > wideValue {
			return t.tallFields(fields, width)
		}
	}
	for _, f := range fields {
		rows = append(rows, []string{t.fieldName(f), f.Expected.String(), t.observed(f), t.Faint.On(t.Message(f.From))})
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
			lines = append(lines, Hang("    ", t.Faint.On(t.Say("read from %s", t.Message(f.From))), width)...)
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
	expected, observed, from := t.Say("expected"), t.Say("observed"), t.Say("read from")
	column := max(Width(expected), Width(observed), Width(from)) + 2
	for _, f := range fields {
		lines = append(lines, Cut(t.fieldName(f), width))
		if f.Agrees {
			lines = append(lines, Hang("    "+Fit(observed, column), t.Say("%s, as expected", f.Observed), width)...)
		} else {
			lines = append(lines, Hang("    "+Fit(expected, column), f.Expected.String(), width)...)
			lines = append(lines, Hang("    "+Fit(observed, column), f.Observed.String(), width)...)
		}
		lines = append(lines, Hang("    "+t.Faint.On(Fit(from, column)), t.Message(f.From), width)...)
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
func Count(fields []grader.Field) string { return Theme{}.Count(fields) }

// Count is Count in the theme's language.
func (t Theme) Count(fields []grader.Field) string {
	agree := 0
	for _, f := range fields {
		if f.Agrees {
			agree++
		}
	}
	return t.Say("%d as expected, %d differ", agree, len(fields)-agree)
}

// Cause is why a run has no observation, and what to do: the sentence, the panic with its line, the hint; then what there
// is to say about the engine.
func (t Theme) Cause(r grader.Report, width int) []string {
	var lines []string
	if r.Cause != "" {
		lines = append(lines, Wrap(t.Message(r.Cause), width)...)
	}
	if c := r.Crash; c != nil {
		place := ""
		if c.Line > 0 {
			place = "  " + t.Say("at %s:%d", c.File, c.Line)
		}
		lines = append(lines, Hang("  ", t.Differ.On(visible(c.Message))+t.Accent.On(place), width)...)
	}
	if r.Hint != "" {
		lines = append(lines, Wrap(t.Message(r.Hint), width)...)
	}
	if r.Environment.Note != "" {
		lines = append(lines, Wrap(t.Message(r.Environment.Note), width)...)
	}
	return lines
}

// Output is what the learner's code printed.
func (t Theme) Output(o grader.Output, width int) []string {
	if o.Total == 0 {
		return nil
	}
	head := t.Say("Printed, %d bytes", o.Total)
	if o.Omitted > 0 {
		head = t.Say("Printed, %d bytes, %d left out of the middle", o.Total, o.Omitted)
	}
	lines := []string{t.Faint.On(head)}
	if o.File != "" {
		lines = append(lines, Hang("  ", t.Say("All of it: %s", o.File), width)...)
	}
	for _, line := range strings.Split(strings.TrimRight(o.Text, "\n"), "\n") {
		lines = append(lines, "  "+Cut(visible(Tabs(line)), width-2))
	}
	return lines
}

// Headline names the exercise, the label of the run and its verdict.
func (t Theme) Headline(r grader.Report) string {
	return fmt.Sprintf("%s   %s   %s", t.Title.On(r.Exercise), r.Label, t.Verdict(r.Verdict)+": "+t.Outcome(r))
}
