package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fieldbook/units"
)

// terminal is the program in a real terminal: a tmux server of its own.
type terminal struct {
	t      *testing.T
	socket string
	unit   string // the unit that the student is in
}

// startTerminal runs a command in a terminal of the given size.
func startTerminal(t *testing.T, width, height int, env []string, command string) *terminal {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("SKIPPED LOUDLY: tmux is not installed, so nothing was tested in a real terminal; install it with: apt-get install tmux")
	}
	term := &terminal{t: t, socket: filepath.Join(t.TempDir(), "tmux")}
	start := exec.Command("tmux", "-S", term.socket, "-f", os.DevNull, "new-session", "-d", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height), command)
	start.Env = append(append(os.Environ(), "TERM=xterm-256color"), env...)
	if output, err := start.CombinedOutput(); err != nil {
		t.Fatalf("start tmux: %v\n%s", err, output)
	}
	t.Cleanup(func() { term.tmux("kill-server") })
	return term
}

func (term *terminal) screen() string {
	output, err := exec.Command("tmux", "-S", term.socket, "capture-pane", "-p").CombinedOutput()
	if err != nil {
		return fmt.Sprintf("no screen: %v %s", err, output)
	}
	return string(output)
}

// shows waits until the screen has a text.
func (term *terminal) shows(text string) {
	term.t.Helper()
	var screen string
	for begun := time.Now(); time.Since(begun) < time.Minute; time.Sleep(50 * time.Millisecond) {
		if screen = term.screen(); strings.Contains(screen, text) {
			return
		}
	}
	term.t.Fatalf("the screen does not show %q:\n%s", text, screen)
}

// tmux sends a command to the terminal's server.
func (term *terminal) tmux(args ...string) {
	term.t.Helper()
	if output, err := exec.Command("tmux", append([]string{"-S", term.socket}, args...)...).CombinedOutput(); err != nil {
		term.t.Errorf("tmux %v: %v\n%s", args, err, output)
	}
}

// press sends keys by tmux's names.
func (term *terminal) press(keys ...string) {
	term.t.Helper()
	term.tmux(append([]string{"send-keys"}, keys...)...)
}

// types sends text as it is.
func (term *terminal) types(text string) {
	term.t.Helper()
	term.press("-l", text)
}

// open goes to a step by the course map, which shows the steps of the unit that the student is in.
func (term *terminal) open(u *units.Unit, step string) {
	term.t.Helper()
	term.press("m")
	term.shows("Course map")
	all := units.All()
	if term.unit == "" {
		term.unit = all[0].ID
	}
	term.press("g")
	for _, other := range all {
		if other.ID == u.ID {
			break
		}
		term.press("j")
		if other.ID == term.unit {
			term.down(len(other.Steps))
		}
	}
	if term.unit != u.ID {
		term.press("Enter") // its steps are shown now, and the cursor stays on it
		term.unit = u.ID
	}
	term.down(position(u, step))
	term.press("Enter")
	term.shows(fmt.Sprintf("step %d of %d", position(u, step), len(u.Steps)))
}

func (term *terminal) down(lines int) {
	term.t.Helper()
	for range lines {
		term.press("j")
	}
}

// position is a step's place in its unit, from 1.
func position(u *units.Unit, step string) int {
	for i, s := range u.Steps {
		if s.ID == step {
			return i + 1
		}
	}
	return 0
}

// place is the unit of a role.
func place(t *testing.T, role units.Role) *units.Unit {
	t.Helper()
	for _, u := range units.All() {
		if u.Role == role && u.Exercise == "restore" {
			return u
		}
	}
	t.Fatalf("no unit has the role %s", role)
	return nil
}

// stepOf is the step of a kind.
func stepOf(t *testing.T, u *units.Unit, kind units.StepKind) *units.Step {
	t.Helper()
	for i := range u.Steps {
		if u.Steps[i].Kind == kind {
			return &u.Steps[i]
		}
	}
	t.Fatalf("%s has no step of kind %s", u.ID, kind)
	return nil
}

// buildProgram builds the program as a student gets it.
func buildProgram(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "fieldbook")
	if output, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	return program
}

// TestTheCourseInATerminal drives both units of chapter 19 through a real terminal: reading, predicting, a first idea that
// fails, a save that passes, the handoff, the injected failure, the diagnosis and the repair.
func TestTheCourseInATerminal(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED LOUDLY: the terminal test takes half a minute, and -short was asked for")
	}
	program, folder := buildProgram(t), t.TempDir()
	w := filepath.Join(folder, "w")
	naive, err := filepath.Abs("testdata/naive.go")
	if err != nil {
		t.Fatal(err)
	}
	reference, err := os.ReadFile("../../runtime/assistant/restore.go")
	if err != nil {
		t.Fatal(err)
	}
	env := []string{"HOME=" + folder, "XDG_DATA_HOME=" + folder, "XDG_CONFIG_HOME=" + folder, "XDG_STATE_HOME=" + folder,
		// An editor that writes the first idea and ends.
		"VISUAL=", "EDITOR=cp " + naive}
	term := startTerminal(t, 80, 24, env, program+" --workspace "+w+"; echo the program has ended: $?; sleep 60")

	a, b := place(t, units.Constructs), place(t, units.Breaks)
	term.shows("Course map")

	// Reading goes on to the next step.
	term.open(a, a.Steps[0].ID)
	term.press("n")
	term.shows("step 2 of")

	// Going on without a prediction is refused.
	term.open(a, stepOf(t, a, units.Predict).ID)
	term.press("n")
	term.shows("Write the texts first")
	term.press("Tab", "Enter")
	for i := range stepOf(t, a, units.Predict).Prompts {
		if i > 0 {
			term.press("Tab")
		}
		term.types(fmt.Sprintf("Text number %d.", i+1))
	}
	term.press("C-s")
	term.shows("prediction, committed")

	// The starter, then the first idea from the editor, then a save: each runs.
	term.open(a, stepOf(t, a, units.Construct).ID)
	term.press("r")
	term.shows("unfinished")
	term.press("e")
	term.shows("1 as expected, 2 differ")
	term.press("h")
	term.shows("Hint 1 of 3")
	term.press("n")
	term.shows("This step ends with a PASS")
	file := filepath.Join(w, "runtime", "assistant", "restore.go")
	if err := os.WriteFile(file, reference, 0o644); err != nil {
		t.Fatal(err)
	}
	term.shows("3 as expected, 0 differ")
	term.shows(a.Handoff)

	// Unit B from the handoff.
	term.open(b, stepOf(t, b, units.Choose).ID)
	term.press("Tab")
	term.shows("LEARNER_SELECTED")
	term.press("Enter")
	term.shows(fmt.Sprintf("step %d of", position(b, stepOf(t, b, units.Choose).ID)+1))
	term.open(b, stepOf(t, b, units.Baseline).ID)
	term.press("Tab")
	term.shows("the recorded result, byte for byte")
	term.open(b, stepOf(t, b, units.Inject).ID)
	term.press("Tab", "Enter")
	term.shows("Claim is accepted")
	term.open(b, stepOf(t, b, units.Diagnose).ID)
	term.press("Tab", "Enter")
	for i := range stepOf(t, b, units.Diagnose).Prompts {
		if i > 0 {
			term.press("Tab")
		}
		term.types("paused is 0; line 90 sets it")
	}
	term.press("C-s")
	term.shows("you named it: line 90")
	term.shows("paused = 0")
	term.open(b, stepOf(t, b, units.Repair).ID)
	term.press("r")
	term.shows("3 as expected, 0 differ")
	term.open(b, b.Steps[len(b.Steps)-1].ID)

	// A window that becomes too small, and is made larger again, leaves nothing behind.
	resize := func(width, height int) {
		term.tmux("resize-window", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height))
	}
	resize(40, 12)
	term.shows("too small")
	resize(100, 30)
	term.shows(b.Steps[len(b.Steps)-1].Title)
	if screen := term.screen(); strings.Contains(screen, "too small") {
		t.Errorf("a resize left something behind:\n%s", screen)
	}
	term.press("q")
	term.shows("the program has ended: 0")

	for _, name := range []string{a.Handoff, b.Handoff} {
		verify := exec.Command(program, "handoff", "verify", filepath.Join(w, "handoffs", name))
		if output, err := verify.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, output)
		}
	}
}
