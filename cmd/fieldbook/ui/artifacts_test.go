package ui

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"fieldbook/cmd/fieldbook/course"
	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/scenario"
	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/runtime/fieldnotes"
	"fieldbook/runtime/recovery"
	"fieldbook/units"
)

// mustRecovery is the app at the first step of the unit about the recoverable runtime.
func mustRecovery(t *testing.T, width, height int) *Model {
	t.Helper()
	m := mustModel(t, draw.Theme{}, width, height)
	bench := m.options.Session.Bench
	bench.Units = units.All()
	session, err := course.Open(bench, m.options.Now)
	if err != nil {
		t.Fatal(err)
	}
	m.options.Session = session
	goTo(m, "recovery-a", "setup")
	return m
}

// leaves performs scenarios natively in a folder of the workspace.
func leaves(t *testing.T, w *workspace.Workspace, folder string, names ...string) {
	t.Helper()
	if err := os.MkdirAll(w.Path(folder), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		s, _ := fieldnotes.ScenarioNamed(name, fieldnotes.DefaultBudget)
		notes, err := fieldnotes.Open(w.Path(folder), s.Options)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := recovery.Run(t.Context(), notes, s.Task); err != nil && name != "crash" {
			t.Fatal(err)
		}
	}
}

// TestArtifacts shows what scenarios have left, folder by folder, in every window.
func TestArtifacts(t *testing.T) {
	for _, size := range sizes() {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			m := mustRecovery(t, size[0], size[1])
			keys(m, "w")
			if m.overlay != noOverlay || !strings.Contains(m.notice, "fieldbook scenario happy") {
				t.Fatalf("nothing was left, and the app says %q", m.notice)
			}
			work := m.options.Session.Bench.Work
			leaves(t, work, workbench.ScenarioFolder, "crash")
			leaves(t, work, scenario.EvidenceFolder+"/crash", "crash", "happy")
			keys(m, "w")
			golden(t, fmt.Sprintf("artifacts-%dx%d", size[0], size[1]), m.Frame())
			keys(m, "right", "right")
			if m.artifacts.at != 1 || m.artifacts.shown.StopReason() != fieldnotes.Accepted {
				t.Errorf("the second folder is %d, %q", m.artifacts.at, m.artifacts.shown.StopReason())
			}
			keys(m, "left", "r")
			if m.artifacts.at != 0 || m.artifacts.shown.StopReason() != scenario.NoValue {
				t.Errorf("the first folder is %d, %q", m.artifacts.at, m.artifacts.shown.StopReason())
			}
			keys(m, "esc")
			if m.overlay != noOverlay {
				t.Error("Esc closes nothing")
			}
		})
	}
}

// TestArtifactsAreOfTheirUnit holds that a unit without scenarios has no such key.
func TestArtifactsAreOfTheirUnit(t *testing.T) {
	m := mustModel(t, draw.Theme{}, 120, 40)
	goTo(m, "ch19-a", "opening")
	keys(m, "w")
	if m.overlay != noOverlay {
		t.Error("the artifacts are shown in a unit that has no scenarios")
	}
	for _, b := range m.keys() {
		if b.key == "w" {
			t.Error("the key is offered")
		}
	}
}
