package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fieldbook/grader"
	"fieldbook/handoff"
	"fieldbook/units"
)

// student is the program in its line mode over one workspace.
type student struct {
	folder string
	out    bytes.Buffer
}

// run calls the program with a typed text as its input.
func (s *student) run(t *testing.T, input string, args ...string) int {
	t.Helper()
	s.out.Reset()
	return run(t.Context(), append(args, "--workspace", filepath.Join(s.folder, "w")), system{
		in: strings.NewReader(input), out: &s.out, err: &s.out, getenv: func(string) string { return "" }, now: time.Now,
		folder: s.folder, data: s.folder, config: filepath.Join(s.folder, "config"), state: s.folder,
	})
}

// number is a step's number in the course map.
func stepNumber(u *units.Unit, step string) int {
	n := 0
	for _, other := range units.All() {
		for _, s := range other.Steps {
			n++
			if other.ID == u.ID && s.ID == step {
				return n
			}
		}
	}
	return 0
}

// TestTheCourseInLines takes both units of chapter 19 in the line mode, to a handoff that verifies.
func TestTheCourseInLines(t *testing.T) {
	t.Parallel()
	s := &student{folder: t.TempDir()}
	if code := s.run(t, "", "init"); code != 0 {
		t.Fatalf("init: %d\n%s", code, &s.out)
	}
	reference, err := os.ReadFile("../../runtime/assistant/restore.go")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.folder, "w", "runtime", "assistant", "restore.go"), reference, 0o644); err != nil {
		t.Fatal(err)
	}

	a, b := place(t, units.Constructs), place(t, units.Breaks)
	var typed strings.Builder
	types := func(lines ...string) {
		for _, line := range lines {
			fmt.Fprintln(&typed, line)
		}
	}
	var done []string
	open := func(u *units.Unit, kind units.StepKind) *units.Step {
		step := stepOf(t, u, kind)
		done = append(done, u.ID+"/"+step.ID)
		types("m", fmt.Sprint(stepNumber(u, step.ID)))
		return step
	}
	answer := func(step *units.Step, text string) {
		types("w")
		for range step.Prompts {
			types(text)
		}
	}
	types("t")
	predict := open(a, units.Predict)
	types("n") // refused
	answer(predict, "Paused is 1.")
	open(a, units.Construct)
	types("r", "h", "o", "5", "a")
	open(b, units.Choose)
	types("c", "1")
	open(b, units.Baseline)
	types("r")
	open(b, units.Inject)
	types("r", "o")
	answer(open(b, units.Diagnose), "assistant_control.paused is 0, and line 90 sets it")
	open(b, units.Repair)
	types("r", "99", "?", "s", "1", "q")

	if code := s.run(t, typed.String(), "--plain"); code != 0 {
		t.Fatalf("exit %d\n%s", code, &s.out)
	}
	text := s.out.String()
	for _, want := range []string{
		a.ID + ", step 1 of ",
		"Write the texts first",
		"Committed. The texts stay as they are",
		"VISIBLE: PASS (observed, as expected)",
		"restored_paused: expected true, observed true. As expected.",
		"paused: 0, then 1 (changed), then 1.",
		"Saved evidence: " + filepath.Join(s.folder, "w", "handoffs", a.Handoff),
		"Hint 1 of 3, the design",
		"LEARNER_SELECTED",
		"YOUR_BASELINE: PASS",
		"The recorded result, byte for byte",
		"worker-1: Claim is accepted",
		"You named it: line 90 is the line that was changed",
		"You named it: assistant_control.paused is the cell that differs",
		"YOUR_REPAIR: PASS",
		"Type a number from 0 to ",
		"SUPPLIED, runtime/",
	} {
		// Sentences are wrapped; what they say is looked for.
		if !strings.Contains(strings.Join(strings.Fields(text), " "), strings.Join(strings.Fields(want), " ")) {
			t.Errorf("the text does not say %q", want)
		}
	}
	if strings.Contains(text, "\x1b") {
		t.Error("the text has escape sequences")
	}
	if t.Failed() {
		t.Logf("%s", text)
	}

	first, err := handoff.Load(filepath.Join(s.folder, "w", "handoffs", a.Handoff), handoff.Expect{Unit: a.ID})
	if err != nil {
		t.Fatal(err)
	}
	if first.Prediction == handoff.None {
		t.Error("the handoff does not carry the prediction that was committed before")
	}
	second, err := handoff.Load(filepath.Join(s.folder, "w", "handoffs", b.Handoff), handoff.Expect{Unit: b.ID})
	if err != nil {
		t.Fatal(err)
	}
	if second.Previous != first.Digest || second.Verdict != string(grader.Pass) {
		t.Errorf("the second handoff continues %s, and the first is %s", second.Previous, first.Digest)
	}

	// It resumes where the student stopped; the end of the input is the end.
	if code := s.run(t, "", "--plain"); code != 0 || !strings.Contains(s.out.String(), b.ID+", step ") {
		t.Errorf("exit %d\n%s", code, &s.out)
	}
	// And what was finished is listed so.
	s.run(t, "", "list", "--json")
	var list listResult
	if err := json.Unmarshal(s.out.Bytes(), &list); err != nil {
		t.Fatal(err)
	}
	finished := map[string]bool{}
	for _, u := range list.Units {
		for _, step := range u.Steps {
			finished[u.ID+"/"+step.ID] = step.Done
		}
	}
	for _, step := range done {
		if !finished[step] {
			t.Errorf("%s is not listed as done", step)
		}
	}
}

// TestScenariosInLines hears what scenarios have left, in the unit that has them and in both languages.
func TestScenariosInLines(t *testing.T) {
	t.Parallel()
	s := &student{folder: t.TempDir()}
	if code := s.run(t, "", "scenario", "crash"); code != 1 {
		t.Fatalf("scenario crash: %d\n%s", code, &s.out)
	}
	u, err := units.Named(units.All(), "recovery-a")
	if err != nil {
		t.Fatal(err)
	}
	for lang, want := range map[string]string{
		"en":    "effect_committed: the effect is there, the checkpoint says prepared",
		"pt-BR": "effect_committed: o efeito existe, o checkpoint diz prepared",
	} {
		typed := fmt.Sprintf("m\n%d\ny\n1\nq\n", stepNumber(u, u.Steps[0].ID))
		if code := s.run(t, typed, "--plain", "--lang", lang); code != 0 || !strings.Contains(s.out.String(), want) {
			t.Errorf("%s: exit %d, and %q is not said:\n%s", lang, code, want, &s.out)
		}
	}
}
