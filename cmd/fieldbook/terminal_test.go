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

// shows waits until the screen has one of some texts.
func (term *terminal) shows(texts ...string) {
	term.t.Helper()
	var screen string
	for begun := time.Now(); time.Since(begun) < time.Minute; time.Sleep(20 * time.Millisecond) {
		screen = term.screen()
		for _, text := range texts {
			if strings.Contains(screen, text) {
				return
			}
		}
	}
	term.t.Fatalf("the screen does not show %q:\n%s", texts, screen)
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
