package matrix

import (
	"fmt"
	"path"
	"strings"

	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/grader/crash"
	"fieldbook/grader/probe"
)

// kinds are the ways in which an operation is refused, in the order in which they are told.
func kinds() []probe.FaultKind {
	return []probe.FaultKind{probe.NoSpace, probe.TornWrite, probe.FailedSync}
}

func kindWords(t draw.Theme, k probe.FaultKind) string {
	switch k {
	case probe.NoSpace:
		return t.Say("no space")
	case probe.TornWrite:
		return t.Say("half a write, then no space")
	default:
		return t.Say("a failed sync")
	}
}

// mostFaults is how many refused operations are told one by one; the rest is counted.
const mostFaults = 6

// Faults tells what happened when each operation was refused in a run of its own.
func Faults(t draw.Theme, m *crash.Matrix, width int) []string {
	counts := map[probe.FaultKind]int{}
	var broken []crash.Injected
	missed := 0
	for _, f := range m.Faults {
		counts[f.Kind]++
		switch {
		case !f.Holds():
			broken = append(broken, f)
		case !f.Reached:
			missed++
		}
	}
	var parts []string
	for _, k := range kinds() {
		if counts[k] > 0 {
			parts = append(parts, t.Say("%s at %d", kindWords(t, k), counts[k]))
		}
	}
	lines := draw.Wrap(t.Say("One operation refused in each of %s: %s.", pluralOf(t, len(m.Faults), "1 run", "%d runs"), strings.Join(parts, ", ")), width)
	if missed > 0 {
		lines = append(lines, draw.Wrap(t.Say("%s did not come to the operation that it was to refuse.", pluralOf(t, missed, "1 run", "%d runs")), width)...)
	}
	if len(broken) == 0 {
		return append(lines, draw.Wrap(t.Pass.On(draw.PassSign)+" "+t.Say("After each, an error came back or the end was complete, and every invariant holds."), width)...)
	}
	lines = append(lines, draw.Wrap(t.Differ.On(draw.DifferSign)+" "+t.Say("%d of them broke the rule: an error comes back or the end is complete, and every invariant holds.", len(broken)), width)...)
	for i, f := range broken {
		if i == mostFaults {
			lines = append(lines, "  "+t.Say("… %d more; --json has all of them", len(broken)-mostFaults))
			break
		}
		lines = append(lines, fault(t, m, f, width)...)
	}
	return lines
}

// fault tells one refused operation.
func fault(t draw.Theme, m *crash.Matrix, f crash.Injected, width int) []string {
	op := m.Operations[f.Operation-1]
	head := kindWords(t, f.Kind) + ": " + op.Words()
	if op.Line > 0 {
		head += fmt.Sprintf(" (%s:%d)", path.Base(op.File), op.Line)
	}
	returned := t.Say("returned no error")
	if f.Returned != "" {
		returned = t.Say("returned an error, %s", f.Returned)
	}
	lines := draw.Hang(draw.Right(fmt.Sprint(f.Operation), afterWidth)+"  ", head+", "+returned, width)
	for _, b := range f.Broken {
		text := b.Invariant
		for _, c := range m.Invariants {
			if c.ID == b.Invariant {
				text = t.Say("%s is broken: %s", c.ID, c.Text)
			}
		}
		if b.Model == crash.Lost {
			text = t.Say("%s, once the power is lost", text)
		}
		if b.Reason != "" {
			text = strings.TrimPrefix(text+". "+b.Reason, ". ")
		}
		lines = append(lines, draw.Hang(draw.Spaces(afterWidth+2)+t.Differ.On(draw.DifferSign)+" ", text, width)...)
	}
	return lines
}
