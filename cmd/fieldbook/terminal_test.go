package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// terminal is the program in a real terminal: a tmux server of its own.
type terminal struct {
	t      *testing.T
	socket string
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
	t.Cleanup(func() { exec.Command("tmux", "-S", term.socket, "kill-server").Run() })
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

// press sends keys by tmux's names.
func (term *terminal) press(keys ...string) {
	term.t.Helper()
	if output, err := exec.Command("tmux", append([]string{"-S", term.socket, "send-keys"}, keys...)...).CombinedOutput(); err != nil {
		term.t.Fatalf("press %v: %v\n%s", keys, err, output)
	}
}

// types sends text as it is.
func (term *terminal) types(text string) {
	term.t.Helper()
	term.press("-l", text)
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

	term.shows("Course map")
	term.press("Enter")
	term.shows("Lucy runs an ice-cream shop")
	term.press("G", "Enter")
	term.shows("step 2 of 6")

	// Going on without a prediction is refused.
	term.press("n")
	term.shows("Write the texts first")
	term.press("G", "Enter")
	term.shows("not committed yet")
	for i, text := range []string{"Paused is 1.", "The UPDATE in the live shop.", "A claim that is accepted."} {
		if i > 0 {
			term.press("Tab")
		}
		term.types(text)
	}
	term.press("C-s")
	term.shows("committed")
	term.press("Enter")
	term.shows("step 3 of 6")
	term.press("n")
	term.shows("step 4 of 6")
	term.press("n")
	term.shows("step 5 of 6")

	// The starter, then the first idea from the editor, then a save: each runs.
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
	term.shows("ch19-unit-a-handoff-v1.json")
	term.press("n")
	term.shows("step 6 of 6")
	term.press("n")
	term.shows("This is the end of ch19-a")

	// Unit B from the handoff.
	term.press("G", "Enter", "j", "Enter")
	term.shows("step 1 of 6")
	term.shows("Choose what to start from")
	term.press("G", "Enter")
	term.shows("LEARNER_SELECTED")
	term.press("Enter")
	term.shows("step 2 of 6")
	term.press("Tab")
	term.shows("the recorded result, byte for byte")
	term.press("Enter")
	term.shows("step 3 of 6")
	term.press("Tab", "Enter")
	term.shows("Claim is accepted")
	term.press("Enter")
	term.shows("step 4 of 6")
	term.press("Tab", "Enter")
	term.types("paused is 0")
	term.press("Tab")
	term.types("line 90")
	term.press("C-s")
	term.shows("you named it: line 90")
	term.shows("paused = 0")
	term.press("Enter")
	term.shows("step 5 of 6")
	term.press("r")
	term.shows("3 as expected, 0 differ")
	term.press("n")
	term.shows("step 6 of 6")

	// A window that becomes too small, and is made larger again, leaves nothing behind.
	resize := func(width, height int) {
		exec.Command("tmux", "-S", term.socket, "resize-window", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height)).Run()
	}
	resize(40, 12)
	term.shows("too small")
	resize(100, 30)
	term.shows("What you have shown")
	if screen := term.screen(); strings.Contains(screen, "too small") {
		t.Errorf("a resize left something behind:\n%s", screen)
	}
	term.press("q")
	term.shows("the program has ended: 0")

	for _, name := range []string{"ch19-unit-a-handoff-v1.json", "ch19-unit-b-handoff-v1.json"} {
		verify := exec.Command(program, "handoff", "verify", filepath.Join(w, "handoffs", name))
		if output, err := verify.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, output)
		}
	}
}
