package ui

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"fieldbook/cmd/fieldbook/course"
	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/grader"
	"fieldbook/units"
)

var update = flag.Bool("update", false, "write the golden frames anew")

func TestMain(m *testing.M) {
	time.Local = time.UTC // frames show times of day
	os.Exit(m.Run())
}

// sizes are the windows in which every frame is held. The smallest is too small for any screen and says so.
func sizes() [][2]int { return [][2]int{{80, 24}, {120, 40}, {200, 50}, {40, 20}, {20, 10}} }

// fixtureUnits are a short course, so that frames do not change with the texts of the real one.
func fixtureUnits(t *testing.T) []*units.Unit {
	t.Helper()
	var list []*units.Unit
	for _, name := range []string{"ch19-a", "ch19-b"} {
		u, err := units.ReadFolder(os.DirFS(filepath.Join("testdata", "units", name)), name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, u)
	}
	return list
}

// mustModel is the app over a fresh workspace at the given window size, with the clock at a fixed time.
func mustModel(t *testing.T, theme draw.Theme, width, height int) *Model {
	t.Helper()
	now := func() time.Time { return time.Date(2026, 3, 2, 19, 41, 0, 0, time.UTC) }
	work, err := workspace.Create(filepath.Join(t.TempDir(), "workspace"), units.Edition, now)
	if err != nil {
		t.Fatal(err)
	}
	bench := &workbench.Bench{Work: work, Units: fixtureUnits(t)}
	session, err := course.Open(bench, now)
	if err != nil {
		t.Fatal(err)
	}
	m, err := New(t.Context(), Options{Session: session, Theme: theme, Explain: grader.AsError, Sandbox: "standard", Now: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	m.Update(tea.WindowSizeMsg{Width: width, Height: height})
	return m
}

// mustLoad reads a recorded report or injection. They were recorded with `fieldbook run --json` and `fault --json` on the
// first idea of the construct step, a source with three mistakes, and the reference; times and the level were set by hand.
func mustLoad[T any](t *testing.T, name string) T {
	t.Helper()
	var v T
	data, err := os.ReadFile(filepath.Join("testdata", name+".json"))
	if err == nil {
		err = json.Unmarshal(data, &v)
	}
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestGoldenFrames(t *testing.T) {
	for name, lead := range frames() {
		t.Run(name, func(t *testing.T) {
			m := mustModel(t, draw.Theme{}, 80, 24)
			lead(t, m)
			for _, size := range sizes() {
				if size[0] < leastWidth && name != "map" {
					continue // one sentence, the same for all
				}
				m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]}) // as a student does who drags the window's edge
				frame := m.Frame()
				if size[0] >= leastWidth {
					checkShape(t, frame, size[0], size[1])
				}
				golden(t, fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), frame)
			}
		})
	}
}

// Light and dark terminals get the same sequences: the sixteen colours are the terminal's own. NO_COLOR leaves bold, faint
// and reverse.
func TestGoldenThemes(t *testing.T) {
	for theme, style := range map[string]draw.Theme{"colour": draw.Colour(), "mono": draw.Mono()} {
		for _, name := range []string{"map", "construct-needs-work", "question-answered", "diff"} {
			t.Run(theme+"-"+name, func(t *testing.T) {
				m := mustModel(t, style, 80, 24)
				frames()[name](t, m)
				frame := m.Frame()
				checkShape(t, frame, 80, 24)
				golden(t, name+"-80x24-"+theme, strings.ReplaceAll(frame, "\x1b", "␛"))
			})
		}
	}
}

// Colours change nothing but colours: every word and sign of a frame is there without them.
func TestColoursCarryNoMeaningOfTheirOwn(t *testing.T) {
	for name, lead := range frames() {
		t.Run(name, func(t *testing.T) {
			plain, colour := mustModel(t, draw.Theme{}, 100, 28), mustModel(t, draw.Colour(), 100, 28)
			lead(t, plain)
			lead(t, colour)
			frame := colour.Frame()
			checkShape(t, frame, 100, 28)
			if diff := cmp.Diff(plain.Frame(), ansi.Strip(frame)); diff != "" {
				t.Error(diff)
			}
			if !strings.Contains(frame, "\x1b[") {
				t.Error("the coloured frame has no colour")
			}
		})
	}
}

// checkShape holds that a frame fills the window exactly and ends with the key line.
func checkShape(t *testing.T, frame string, width, height int) {
	t.Helper()
	lines := strings.Split(frame, "\n")
	if len(lines) != height {
		t.Errorf("%d lines, the window has %d", len(lines), height)
	}
	for i, line := range lines {
		if w := draw.Width(line); w != width {
			t.Errorf("line %d is %d wide, the window %d: %q", i+1, w, width, ansi.Strip(line))
		}
	}
	last := ansi.Strip(lines[len(lines)-1])
	if !slices.ContainsFunc([]string{"help", "close", "Ctrl-C", "ajuda", "fechar"}, func(word string) bool { return strings.Contains(last, word) }) {
		t.Errorf("the last line is not the key help: %q", last)
	}
}

func golden(t *testing.T, name, frame string) {
	t.Helper()
	path := filepath.Join("testdata", "frames", name+".txt")
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(frame+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), frame+"\n"); diff != "" {
		t.Errorf("the frame differs from %s; if it should, run the test with -update:\n%s", path, diff)
	}
}

func TestEverySizeIsFilled(t *testing.T) {
	report := mustLoad[grader.Report](t, "naive")
	for _, size := range [][2]int{{40, 14}, {41, 15}, {60, 18}, {61, 19}, {79, 23}, {100, 28}, {103, 30}, {200, 60}} {
		m := mustModel(t, draw.Theme{}, size[0], size[1])
		checkShape(t, m.Frame(), size[0], size[1])
		goTo(m, "ch19-a", "construct")
		checkShape(t, m.Frame(), size[0], size[1])
		m.toWork()
		m.ranWith(report)
		keys(m, "h")
		checkShape(t, m.Frame(), size[0], size[1])
	}
}

func TestAWindowThatIsTooSmallSaysSo(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {20, 5}, {40, 13}, {39, 40}, {200, 13}} {
		m := mustModel(t, draw.Theme{}, size[0], size[1])
		lines := strings.Split(m.Frame(), "\n")
		if len(lines) > size[1] {
			t.Errorf("%v: %d lines", size, len(lines))
		}
		for _, line := range lines {
			if draw.Width(line) > size[0] {
				t.Errorf("%v: a line is %d wide", size, draw.Width(line))
			}
		}
		if size[0] >= 20 && size[1] >= 5 && !strings.Contains(strings.Join(lines, " "), "too small") {
			t.Errorf("%v: %q", size, lines)
		}
	}
}
