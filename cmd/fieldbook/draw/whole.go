package draw

import (
	"fieldbook/cmd/fieldbook/evidence"
	"fieldbook/grader"
)

// Detail says how much of a report is drawn.
type Detail struct {
	Learner    []string // the learner's files in the runtime: their calls stand alone in the timeline
	Operations bool     // the operations of a passing run too
}

// Report is a whole report as printed text: headline, cause, messages, fields, operations, rows and output.
func (t Theme) Report(r grader.Report, d Detail, width int) []string {
	var lines []string
	section := func(title string, body []string) {
		if len(body) > 0 {
			lines = append(lines, "", t.Title.On(title))
			lines = append(lines, body...)
		}
	}
	lines = append(lines, t.Banner(r, width)...)
	if cause := t.Cause(r, width); len(cause) > 0 {
		lines = append(lines, cause...)
	}
	section(t.plural(len(r.Diagnostics), "1 message", "%d messages"), t.Diagnostics(r.Diagnostics, width))
	if len(r.Fields) > 0 {
		section(t.Say("Fields: %s", t.Count(r.Fields)), t.Fields(r.Fields, width))
	}
	if r.Verdict != grader.Pass || d.Operations {
		if steps := evidence.Timeline(r.Operations, d.Learner...); len(steps) > 0 {
			section(t.Say("Operations, in order"), t.Timeline(steps, width))
		}
	}
	if trails := evidence.Trails(r); len(trails) > 0 {
		section(t.Say("Rows that changed   %s changed   %s differs", ChangeSign, DifferSign), t.Rows(evidence.Stages(r), trails, width))
	}
	section(t.Say("Output"), t.Output(r.Output, width))
	return lines
}

// Banner is the headline of a report with its environment at the right, on two lines where one is too short.
func (t Theme) Banner(r grader.Report, width int) []string {
	left, right := t.Headline(r), t.Faint.On(t.Environment(r.Environment))
	if Width(left)+Width(right)+2 <= width {
		return []string{Fit(left, width-Width(right)) + right}
	}
	return []string{Cut(left, width), Cut(right, width)}
}
