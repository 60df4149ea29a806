package ui

import (
	"slices"

	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/workbench"
	teaching "fieldbook/runtime"
)

// sourceList is the list of supplied sources; open is the one that is read.
type sourceList struct {
	open  string
	lines []string // of the open one, highlighted
}

// suppliedFiles are the files of the runtime that students do not write.
func suppliedFiles() []string {
	var paths []string
	for _, path := range append(teaching.CopiedFiles(), teaching.SuppliedFiles()...) {
		if !workbench.IsReplaced(path) {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

func (m *Model) openSources() {
	m.sources.open = ""
	m.open(sourceOverlay)
}

// openSource shows the file under the pointer.
func (m *Model) openSource() {
	paths := suppliedFiles()
	if m.pointer >= len(paths) {
		return
	}
	text, err := teaching.Source(paths[m.pointer])
	if err != nil {
		m.fails(err)
		return
	}
	m.sources, m.over = sourceList{open: paths[m.pointer], lines: m.theme.Go(string(text))}, scroll{}
}

// sourceLines are the names of the files, or the text of the one that is open. Code moves sideways.
func (m *Model) sourceLines(width int) (title string, lines []string) {
	if m.sources.open == "" {
		for _, path := range suppliedFiles() {
			lines = append(lines, draw.Cut(" "+path, width))
		}
		return m.theme.Say("Supplied sources"), lines
	}
	for _, line := range m.sources.lines {
		lines = append(lines, draw.From(line, m.over.left, width))
	}
	return m.sources.open + "   SUPPLIED", lines
}
