package ui

import (
	"fmt"
	"strings"

	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/scenario"
)

// artifactState is what scenarios have left, a folder at a time.
type artifactState struct {
	folders []string // of the workspace, with slashes
	at      int
	shown   scenario.Evidence
}

// openArtifacts shows the files of the scenarios: those of the last ones, then variants and collected evidence.
func (m *Model) openArtifacts() {
	folders, err := m.options.Session.Bench.ScenarioFolders()
	switch {
	case err != nil:
		m.fails(err)
		return
	case len(folders) == 0:
		m.notice = "No scenario has left anything yet. In a second terminal: fieldbook scenario happy"
		return
	}
	m.artifacts.folders = folders
	m.readArtifacts(0)
	m.open(artifactsOverlay)
}

// readArtifacts reads a folder anew.
func (m *Model) readArtifacts(at int) {
	a := &m.artifacts
	a.at = max(min(at, len(a.folders)-1), 0)
	shown, err := m.options.Session.Bench.ShowFolder(a.folders[a.at])
	if err != nil {
		m.fails(err)
	}
	a.shown, m.over = shown, scroll{}
}

// pressArtifacts does what a key means among the artifacts, and reports whether it meant something.
func (m *Model) pressArtifacts(key string) bool {
	switch key {
	case "right", "l", "tab":
		m.readArtifacts(m.artifacts.at + 1)
	case "left", "h", "shift+tab":
		m.readArtifacts(m.artifacts.at - 1)
	case "r":
		m.readArtifacts(m.artifacts.at)
	default:
		return false
	}
	return true
}

// artifactLines are the folder's name among the others, and below it what it holds.
func (m *Model) artifactLines(width int) (title string, lines []string) {
	a := &m.artifacts
	var names []string
	for i, folder := range a.folders {
		if i == a.at {
			folder = m.theme.Accent.On(draw.HereSign + " " + folder)
		}
		names = append(names, folder)
	}
	lines = append(draw.Wrap(strings.Join(names, "   "), width), "")
	title = m.theme.Say("What scenarios have left") + fmt.Sprintf("   %d/%d", a.at+1, len(a.folders))
	return title, append(lines, scenario.Show(m.theme, a.shown, width)...)
}
