package ui

import (
	"fmt"

	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/evidence"
	"fieldbook/cmd/fieldbook/workbench"
	teaching "fieldbook/runtime"
)

func (m *Model) overlayFrame(width, height int) []string {
	inner := draw.InnerWidth(width)
	title, lines := "", []string(nil)
	switch m.overlay {
	case helpOverlay:
		title, lines = "Keys of this screen", m.helpLines(inner)
	case operationOverlay:
		title, lines = "Operation", m.operationLines(inner)
	case sourceOverlay:
		title, lines = "Supplied sources", m.sourceLines(inner)
	}
	if more := m.over.more(len(lines), height-2); more != "" {
		title += "   " + more
	}
	return m.theme.Frame(width, height, []draw.Row{{Panes: []draw.Pane{{Title: title, Lines: m.over.window(lines, height-2)}}}})
}

func overlayKeys() []binding {
	return []binding{{"Esc", "close", ""}, {"j/k", "scroll", ""}}
}

func (m *Model) helpLines(width int) []string {
	over := m.overlay
	m.overlay = noOverlay
	bindings := m.keys()
	m.overlay = over
	var lines []string
	for _, b := range bindings {
		help := b.help
		if help == "" {
			help = b.what
		}
		lines = append(lines, draw.Hang(m.theme.Accent.On(draw.Fit(b.key, 10)), help, width)...)
	}
	return append(lines, "",
		draw.PassSign+" done, as expected   "+draw.DifferSign+" differs   "+draw.HereSign+" here   "+draw.OpenSign+" to do   "+draw.ChangeSign+" changed",
		"",
		"YOURS is what you write, SUPPLIED what comes with the course.",
		"Without this screen: `fieldbook --plain` is a line mode, `fieldbook --help` lists the commands.")
}

// operationLines is everything about one operation: the call, and what it asked the disk to do.
func (m *Model) operationLines(width int) []string {
	steps := m.steps()
	if m.step.cursor >= len(steps) {
		return nil
	}
	s := steps[m.step.cursor]
	t := m.theme
	lines := draw.Wrap(t.Title.On(s.Name)+"   "+s.Subject, width)
	if s.Yours {
		lines = append(lines, fmt.Sprintf("asked for by your %s:%d", s.File, s.Line))
	} else {
		lines = append(lines, "asked for by SUPPLIED code")
	}
	if s.Detail != "" {
		lines = append(lines, draw.Wrap(evidence.Folded(s.Detail), width)...)
	}
	if s.Err != "" {
		lines = append(lines, draw.Hang(t.Differ.On(draw.DifferSign)+" returned: ", s.Err, width)...)
	}
	if s.Changed > 0 {
		lines = append(lines, fmt.Sprintf("rows changed: %d", s.Changed))
	}
	if len(s.Durable) == 0 {
		return append(lines, "", "It asked the disk for nothing.")
	}
	lines = append(lines, "", t.Title.On("What the disk was asked to do"))
	table := [][]string{{t.Faint.On("  #"), t.Faint.On("what"), t.Faint.On("where"), t.Faint.On("bytes")}}
	for _, e := range s.Durable {
		where, size := e.Path, ""
		if e.To != "" {
			where += " -> " + e.To
		}
		if n := evidence.Written(e); n > 0 {
			size = fmt.Sprintf("%d at %d", n, e.Offset)
		}
		table = append(table, []string{fmt.Sprintf("%3d", e.Seq), string(e.Kind), where, size})
	}
	return append(lines, draw.Columns(table, 3, width)...)
}

// sourceLines are the supplied sources, one after the other. Files that the student writes are left out.
func (m *Model) sourceLines(width int) []string {
	if m.sources.width == width {
		return m.sources.lines
	}
	var lines []string
	for _, path := range append(teaching.CopiedFiles(), teaching.SuppliedFiles()...) {
		if workbench.IsReplaced(path) {
			continue
		}
		text, err := teaching.Source(path)
		if err != nil {
			continue
		}
		lines = append(lines, m.theme.Title.On(path)+m.theme.Faint.On("   SUPPLIED"), "")
		for _, line := range m.theme.Go(string(text)) {
			lines = append(lines, draw.Cut(line, width))
		}
		lines = append(lines, "")
	}
	m.sources.width, m.sources.lines = width, lines
	return lines
}
