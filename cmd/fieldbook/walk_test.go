package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fieldbook/cmd/fieldbook/submit"
	"fieldbook/units"
)

var walks = flag.Bool("walks", false, "walk through whole units, in a terminal and in lines: some minutes")

// walk skips a test that takes a student through whole units, unless the flag asks for it: .ci/run does.
func walk(t *testing.T) {
	t.Helper()
	if !*walks {
		t.Skip("SKIPPED LOUDLY: whole units are walked with the flag -walks alone, as .ci/run does")
	}
}

// pupil is a student at the keyboard of a real terminal, who does what the key line offers until a unit has ended.
type pupil struct {
	*terminal
	workspace string
	reference map[string][]byte // files to write when their turn comes, by their place in the workspace
	seen      []string          // screens that asked for something of their own, by a name
}

// settled waits until nothing runs and the screen stands still.
func (w *pupil) settled() string {
	w.t.Helper()
	last := ""
	for begun := time.Now(); time.Since(begun) < time.Minute; time.Sleep(15 * time.Millisecond) {
		screen := w.screen()
		header, _, _ := strings.Cut(screen, "\n")
		if screen == last && strings.TrimSpace(screen) != "" && !strings.HasSuffix(strings.TrimSpace(header), "…") {
			return screen
		}
		last = screen
	}
	w.t.Fatalf("the screen does not come to rest:\n%s", last)
	return ""
}

// act presses keys, waits until the screen shows that they arrived, and returns the screen at rest.
func (w *pupil) act(keys ...string) string {
	w.t.Helper()
	before := w.screen()
	w.press(keys...)
	for begun := time.Now(); time.Since(begun) < 5*time.Second && w.screen() == before; {
		time.Sleep(15 * time.Millisecond)
	}
	return w.settled()
}

// escape presses Esc alone: a key that follows at once would make one sequence with it.
func (w *pupil) escape() {
	w.t.Helper()
	w.settled()
	w.act("Escape")
	time.Sleep(200 * time.Millisecond)
}

// keyLine is the last line with text.
func keyLine(screen string) string {
	lines := strings.Split(strings.TrimRight(screen, "\n "), "\n")
	return lines[len(lines)-1]
}

// longest is how many screens a unit may take.
const longest = 900

// unit walks from the screen that shows to the end of a unit.
func (w *pupil) unit(u *units.Unit) {
	w.t.Helper()
	stuck, last := 0, ""
	for range longest {
		screen := w.settled()
		if strings.Contains(screen, "This is the end of "+u.ID) {
			return
		}
		if screen == last {
			if stuck++; stuck == 5 {
				w.t.Fatalf("the student is stuck:\n%s", screen)
			}
		} else {
			stuck, last = 0, screen
		}
		w.turn(screen)
	}
	w.t.Fatalf("%s has no end:\n%s", u.ID, w.screen())
}

// turn does the next thing on a screen.
func (w *pupil) turn(screen string) {
	w.t.Helper()
	keys := keyLine(screen)
	switch {
	case strings.Contains(screen, "my_transfer/expected.yaml") && strings.Contains(screen, "Not run yet"):
		w.shows("no field is expected yet")                          // the files are laid out
		w.write("my_transfer/probe.go", "my_transfer/expected.yaml") // saving runs it
		w.shows("PASS: observed, as expected")
	case strings.Contains(screen, "cases/manifest.yaml") && strings.Contains(screen, "Not run yet") && !strings.Contains(screen, "wrong functions meet"):
		w.laid("cases/manifest.yaml")
		w.write("cases/manifest.yaml", "runtime/assistant/manifest.go")
		w.shows("PASS: observed, as expected")
	case strings.Contains(keys, "Enter write"):
		w.act("Enter")
		var typed []string
		for range 8 { // more than any part has: around the end it goes on in the first box
			typed = append(typed, "l", "i", "n", "e", "Space", "9", "0", "Space", "p", "a", "u", "s", "e", "d", "Tab")
		}
		w.press(append(typed, "C-s")...)
		w.shows("Committed.")
	case strings.Contains(keys, "Ctrl-S commit"):
		w.escape()
	case strings.HasPrefix(keys, " e edit   r run   h hint"):
		w.work(screen)
	case strings.HasPrefix(keys, " h hint"): // the run that passed, under Connect
		w.act("Tab")
	case strings.Contains(keys, "Esc close"):
		w.escape()
	default:
		w.act("Enter")
	}
}

// work constructs, or repairs.
func (w *pupil) work(screen string) {
	w.t.Helper()
	if strings.Contains(screen, "Construct") && !slices.Contains(w.seen, "construct") {
		w.seen = append(w.seen, "construct")
		for range 3 {
			w.press("r") // and the window changes its size while it runs
			w.resize(70, 20)
			w.resize(100, 32)
			w.shows("unfinished", "1 as expected, 2 differ")
			w.press("e") // the editor writes the first idea
			w.shows("1 as expected, 2 differ")
		}
		w.press("h")
		w.shows("Hint 1 of 3")
		w.press("n")
		w.shows("This step ends with a PASS")
		w.press("o", "o")
		w.shows("The contract, as the operations show it")
		w.write("runtime/assistant/restore.go")
		w.shows("3 as expected, 0 differ")
		w.press("d")
		w.shows("From attempt")
		w.escape()
		w.press("a")
		w.shows("Fields as expected, attempt by attempt")
		w.escape()
	}
	if !strings.Contains(w.settled(), "3 as expected, 0 differ") {
		w.press("r")
		w.shows("3 as expected, 0 differ")
	}
	w.act("n")
}

func (w *pupil) resize(width, height int) {
	w.t.Helper()
	w.tmux("resize-window", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height))
}

// laid waits until the program has laid out a file, and watches it.
func (w *pupil) laid(place string) {
	w.t.Helper()
	for begun := time.Now(); time.Since(begun) < time.Minute; time.Sleep(20 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(w.workspace, place)); err == nil {
			time.Sleep(200 * time.Millisecond)
			return
		}
	}
	w.t.Fatalf("%s is not laid out", place)
}

func (w *pupil) write(places ...string) {
	w.t.Helper()
	for _, place := range places {
		if err := os.WriteFile(filepath.Join(w.workspace, place), w.reference[place], 0o644); err != nil {
			w.t.Fatal(err)
		}
	}
}

// ownProbe is the visible probe with one more question: may a worker that sleeps through the restore go on?
func ownProbe(t *testing.T) []byte {
	t.Helper()
	text, err := os.ReadFile("../../exercises/restore/probe.go")
	if err != nil {
		t.Fatal(err)
	}
	_, text2, _ := strings.Cut(string(text), "\n\n")
	return []byte(strings.Replace(text2, `	w.Mark("claimed")`, `	seen.Bool("refused_twice", claim == nil)
	w.Mark("claimed")`, 1))
}

const ownExpectation = `expect:
  - {field: restore_error, expected: null, case: valid, meaning: the backup is sound}
  - {field: restored_paused, expected: true, case: valid, meaning: the row says so}
  - {field: work_claimed_before_audit, expected: false, case: refused}
  - {field: refused_twice, expected: true, case: refused, meaning: nobody gets work}
`

const manifestCases = `cases:
  - {name: one member, from: "intact, found in another order", changed: one member alone, args: [{a: x}, {a: x}], expected: true}
  - {name: one is missing, from: a member is missing, changed: names, args: [{a: x, b: y}, {a: x}], expected: false}
  - {name: one too many, from: an unexpected member is there, changed: names, args: [{a: x}, {a: x, b: y}], expected: false}
  - {name: another digest, from: a digest has changed, changed: names, args: [{a: x}, {a: y}], expected: false}
  - {name: another name, from: a digest has changed, changed: the name in place of the digest, args: [{a: x}, {b: x}], expected: false}
  - {name: nothing at all, from: both are empty, changed: null in place of the empty map, args: [null, {}], expected: false}
`

func mustRead(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestTheCourseInATerminal walks through the whole of both units of chapter 19 in a real terminal: every text, question,
// example, check, challenge, the student's own probe and cases, the crash matrix, the injected failure, the diagnosis and the
// repair, to submissions that verify. Only the keyboard is used.
func TestTheCourseInATerminal(t *testing.T) {
	walk(t)
	t.Parallel()
	program, folder := buildProgram(t), t.TempDir()
	naive, err := filepath.Abs("testdata/naive.go")
	if err != nil {
		t.Fatal(err)
	}
	env := []string{"HOME=" + folder, "XDG_DATA_HOME=" + folder, "XDG_CONFIG_HOME=" + folder, "XDG_STATE_HOME=" + folder,
		// An editor that writes the first idea and ends.
		"VISUAL=", "EDITOR=cp " + naive}
	place1 := filepath.Join(folder, "w")
	w := &pupil{workspace: place1, reference: map[string][]byte{
		"runtime/assistant/restore.go":  mustRead(t, "../../runtime/assistant/restore.go"),
		"runtime/assistant/manifest.go": mustRead(t, "../../runtime/assistant/manifest.go"),
		"my_transfer/probe.go":          ownProbe(t),
		"my_transfer/expected.yaml":     []byte(ownExpectation),
		"cases/manifest.yaml":           []byte(manifestCases),
	}}
	w.terminal = startTerminal(t, 100, 32, env, program+" --workspace "+place1+"; echo the program has ended: $?; sleep 60")
	a, b := place(t, units.Constructs), place(t, units.Breaks)
	w.shows("Course map")

	// Going on without a prediction is refused; a search finds a text and goes to it.
	w.press("/", "e", "p", "o", "c", "h")
	w.shows("Places found: ")
	w.escape()
	w.press("g", "j", "j", "j", "Enter")
	w.shows("Predict   step 3 of")
	w.press("n")
	w.shows("Write the texts first")
	w.act("m")
	w.act("g", "j", "Enter")
	w.unit(a)

	// A window that becomes too small, and is made larger again, leaves nothing behind.
	w.resize(30, 10)
	w.shows("too small")
	w.resize(100, 32)
	w.shows("Course map")
	if screen := w.screen(); strings.Contains(screen, "too small") {
		t.Errorf("a resize left something behind:\n%s", screen)
	}

	// The map shows the steps of the unit that has ended; the next unit follows them.
	w.act("g")
	for range len(a.Steps) + 1 {
		w.press("j")
	}
	w.act("Enter") // shows its steps
	w.act("Enter")
	w.shows("step 1 of")
	w.unit(b)
	w.press("q")
	w.shows("the program has ended: 0")

	for _, file := range []string{"handoffs/" + a.Handoff, "handoffs/" + b.Handoff, submit.ArchivePath(a.ID), submit.ArchivePath(b.ID)} {
		verify := exec.Command(program, "handoff", "verify", filepath.Join(place1, file))
		if output, err := verify.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", file, err, output)
		}
	}
	everyStepIsDone(t, program, place1, a, b)
}

// everyStepIsDone holds that nothing of the units is left to do.
func everyStepIsDone(t *testing.T, program, workspace string, list ...*units.Unit) {
	t.Helper()
	output, err := exec.Command(program, "list", "--json", "--workspace", workspace).Output()
	if err != nil {
		t.Fatal(err)
	}
	var result listResult
	if err := json.Unmarshal(output, &result); err != nil {
		t.Fatal(err)
	}
	for _, u := range result.Units {
		if !slices.ContainsFunc(list, func(one *units.Unit) bool { return one.ID == u.ID }) {
			continue
		}
		for _, step := range u.Steps {
			if !step.Done {
				t.Errorf("%s/%s is not done", u.ID, step.ID)
			}
		}
	}
}

// TestTheWholeCourseInLines takes both units of chapter 19 in the line mode, part by part, to submissions that verify.
func TestTheWholeCourseInLines(t *testing.T) {
	walk(t)
	t.Parallel()
	s := &student{folder: t.TempDir()}
	if code := s.run(t, "", "init"); code != 0 {
		t.Fatalf("init: %d\n%s", code, &s.out)
	}
	workspace := filepath.Join(s.folder, "w")
	write := func(name string, text []byte) {
		file := filepath.Join(workspace, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, text, 0o644)); err != nil {
			t.Error(err)
		}
	}
	manifest := mustRead(t, "../../runtime/assistant/manifest.go")
	write("runtime/assistant/restore.go", mustRead(t, "../../runtime/assistant/restore.go"))
	write("runtime/assistant/manifest.go", manifest)
	write("cases/manifest.yaml", []byte(manifestCases))
	write("my_transfer/probe.go", ownProbe(t))
	write("my_transfer/expected.yaml", []byte(ownExpectation))

	a, b := place(t, units.Constructs), place(t, units.Breaks)
	var out bytes.Buffer
	begun := false
	w := &walker{
		out: &out, units: []*units.Unit{a, b}, jumps: []string{fmt.Sprint(stepNumber(b, b.Steps[0].ID))},
		texts: map[string]string{"diagnose": "assistant_control.paused is 0, and line 90 sets it", "transfer": "begin", "interface": "probe.go:37"},
		typed: func(string) {
			// The function is written again, once the first version was put aside.
			if !begun && strings.Contains(out.String(), "The starter is in its place.") {
				begun = true
				write("runtime/assistant/manifest.go", manifest)
			}
		},
	}
	input := &beginning{text: fmt.Sprintf("m\n%d\n", stepNumber(a, a.Steps[0].ID)), then: w}
	code := run(t.Context(), []string{"--plain", "--workspace", workspace}, system{
		in: input, out: &out, err: &out, getenv: func(string) string { return "" }, now: time.Now,
		folder: s.folder, data: s.folder, config: filepath.Join(s.folder, "config"), state: s.folder,
	})
	if code != 0 {
		t.Errorf("exit %d", code)
	}
	for _, want := range []string{"crash matrix: PASS", "MY_TRANSFER: PASS", "IMPOSTOR: PASS", "CHALLENGE: PASS", "You named it: line 90", "COURSE_REPORT="} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the walk does not show %q", want)
		}
	}
	checkDone(t, s, []string{a.ID, b.ID})
	for _, file := range []string{"handoffs/" + a.Handoff, "handoffs/" + b.Handoff, submit.ArchivePath(a.ID), submit.ArchivePath(b.ID)} {
		if code := s.run(t, "", "handoff", "verify", filepath.Join(workspace, file)); code != 0 {
			t.Errorf("%s: exit %d\n%s", file, code, &s.out)
		}
	}
	if t.Failed() {
		t.Logf("%d lines typed; the end of what was said:\n%s", len(w.log), out.Bytes()[max(0, out.Len()-20_000):])
	}
}
