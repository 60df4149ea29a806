package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fieldbook/grader"
	"fieldbook/handoff"
	"fieldbook/units"
)

// walker types what a diligent student types in the line mode: it does every part of every step of some units, in order, and
// reads nothing but what tells a list of choices from a question. So it walks in every language.
type walker struct {
	out   *bytes.Buffer
	seen  int // bytes of out that were answered
	units []*units.Unit
	jumps []string // numbers in the course map at which the units after the first begin
	texts map[string]string

	unit, step int
	title      string   // of the part that was done last
	queue      []string // choices that are left in the step
	queued     bool
	asked      bool // the last line typed was the choice g
	log        []string
	typed      func(line string) // told each line before it is typed; may be nil
}

// Read gives the next line, once the program has asked for it.
func (w *walker) Read(p []byte) (int, error) {
	line, over := w.next()
	if over {
		return 0, io.EOF
	}
	w.log = append(w.log, line)
	if w.typed != nil {
		w.typed(line)
	}
	return copy(p, line+"\n"), nil
}

func (w *walker) current() *units.Step { return &w.units[w.unit].Steps[w.step] }

func (w *walker) next() (line string, over bool) {
	fresh := w.out.String()[w.seen:]
	w.seen = w.out.Len()
	if w.unit == len(w.units) || len(w.log) > 5000 {
		return "", true // the end; or it goes in circles, and what is not done is reported
	}
	choices := strings.Contains("\n"+fresh, "\n 0  ")
	unknown := w.asked && !strings.HasPrefix(fresh, "\n")
	if !choices && !unknown {
		return w.answer(), false
	}
	if w.asked && !unknown {
		// A part that is still to be done comes again; it has had its turn.
		title, _, _ := strings.Cut(strings.TrimLeft(fresh, "\n"), "\n")
		unknown, w.title = title == w.title, title
	}
	w.asked = !unknown && !w.queued
	if w.asked {
		return "g", false
	}
	if !w.queued {
		w.queued, w.queue = true, append(commandsOf(w.current().Kind), "n")
	}
	line, w.queue = w.queue[0], w.queue[1:]
	if line != "n" {
		return line, false
	}
	w.queued, w.title = false, ""
	if w.step++; w.step == len(w.units[w.unit].Steps) {
		w.step, w.unit = 0, w.unit+1
	}
	w.asked = false
	return line, false
}

// answer is what the student types where a part asks for something.
func (w *walker) answer() string {
	w.asked = false
	if w.step == 0 && len(w.jumps) > 0 && w.unit > 0 { // the course map at a unit's end
		jump := w.jumps[0]
		w.jumps = w.jumps[1:]
		return jump
	}
	if text := w.texts[w.current().ID]; text != "" {
		return text
	}
	return "1"
}

// commandsOf are the choices that do the work of a step.
func commandsOf(kind units.StepKind) []string {
	switch kind {
	case units.Construct, units.Repair, units.Baseline, units.Inject:
		return []string{"r"}
	case units.Choose:
		return []string{"c"}
	case units.Submit:
		return []string{"y"}
	}
	return nil
}

const ownCases = `cases:
  - {name: three of two, from: one was asked for twice, changed: a third time, args: [[a, b, a, a], {b: r}], expected: 1}
  - {name: all sent, from: everything was sent, changed: other keys, args: [[a, b], {a: r, b: r}], expected: 0}
  - {name: begun, from: one was cut short, changed: both were, args: [[a, b], {a: "", b: ""}], expected: 2}
  - {name: begun and not meant, from: nothing was intended, changed: one is intended, args: [[a], {a: r, z: ""}], expected: 0}
  - {name: of others, from: a receipt for something else, changed: two receipts, args: [[a], {y: r, z: r}], expected: 1}
  - {name: none, from: nothing was sent, changed: three keys, args: [[a, b, c], {}], expected: 3}
`

// TestTheRecoverableRuntimeInLines takes both units of the recoverable runtime in the line mode, part by part, in both
// languages, to handoffs that verify.
func TestTheRecoverableRuntimeInLines(t *testing.T) {
	walk(t)
	t.Parallel()
	for _, language := range []string{"en", "pt-BR"} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			walkRecovery(t, language)
		})
	}
}

func walkRecovery(t *testing.T, language string) {
	s := &student{folder: t.TempDir()}
	if code := s.run(t, "", "init"); code != 0 {
		t.Fatalf("init: %d\n%s", code, &s.out)
	}
	work := filepath.Join(s.folder, "w")
	for _, name := range []string{"decide", "execute", "run", "outstanding"} {
		text, err := os.ReadFile("../../runtime/recovery/" + name + ".go")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(work, "runtime", "recovery", name+".go"), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(work, "cases"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(work, "cases", "recovery-outstanding.yaml"), []byte(ownCases), 0o600); err != nil {
		t.Fatal(err)
	}

	all := units.In(language)
	a, err := units.Named(all, "recovery-a")
	if err != nil {
		t.Fatal(err)
	}
	b, err := units.Named(all, "recovery-b")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := &walker{
		out: &out, units: []*units.Unit{a, b}, jumps: []string{fmt.Sprint(stepNumber(b, b.Steps[0].ID))},
		texts: map[string]string{"diagnose": "effects.json has the key run-os-742:write-report:v2"},
	}
	// The walk begins at the first step of the first unit; the end of the walk is the end of the input.
	first := fmt.Sprintf("m\n%d\n", stepNumber(a, a.Steps[0].ID))
	input := &beginning{text: first, then: w}
	code := run(t.Context(), []string{"--plain", "--lang", language, "--workspace", work}, system{
		in: input, out: &out, err: &out, getenv: func(string) string { return "" }, now: time.Now,
		folder: s.folder, data: s.folder, config: filepath.Join(s.folder, "config"), state: s.folder,
	})
	if code != 0 {
		t.Errorf("exit %d", code)
	}
	text := strings.Join(strings.Fields(out.String()), " ")
	for _, u := range []*units.Unit{a, b} {
		for i := range u.Steps {
			if want := strings.Join(strings.Fields(u.Steps[i].Title), " "); !strings.Contains(text, want) {
				t.Errorf("%s: the step %q was not shown", u.ID, want)
			}
		}
	}
	for _, want := range []string{
		"YOUR_BASELINE: PASS", "LEARNER_SELECTED", "YOUR_REPAIR: PASS", "SUPPLIED_FAULT", "crash/effects.json",
		"happy/trace.jsonl", "budget/effects.json", "denied/effects.json", "deny-tenant/effects.json",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the walk does not show %q", want)
		}
	}
	if said := strings.Contains(text, "Esta unidade existe somente em inglês"); said != (language == "pt-BR") {
		t.Errorf("that chapter 19 is in English only is said: %t", said)
	}
	consequence := map[string]string{"en": "two keys for one order; somebody gets two reports", "pt-BR": "duas chaves para um pedido; alguém recebe dois relatórios"}
	for other, want := range consequence {
		if said := strings.Contains(text, want); said != (other == language) {
			t.Errorf("%q is said: %t", want, said)
		}
	}
	for _, u := range []*units.Unit{a, b} {
		if found, _ := filepath.Glob(filepath.Join(work, "submissions", u.ID+"-*.zip")); len(found) != 1 {
			t.Errorf("%s: %d archives were made for the instructor", u.ID, len(found))
		}
	}
	checkDone(t, s, []string{a.ID, b.ID})
	checkHandoffs(t, work, a, b)
	if t.Failed() {
		t.Logf("%d lines typed; the end of what was said:\n%s", len(w.log), out.Bytes()[max(0, out.Len()-20_000):])
	}
}

// beginning is a reader that gives a text, line by line, before another one is asked.
type beginning struct {
	text string
	then io.Reader
}

func (r *beginning) Read(p []byte) (int, error) {
	line, rest, found := strings.Cut(r.text, "\n")
	if !found {
		return r.then.Read(p)
	}
	r.text = rest
	if rest == "" {
		if w, ok := r.then.(*walker); ok {
			w.seen = w.out.Len()
		}
	}
	return copy(p, line+"\n"), nil
}

// checkDone holds that every step of the units is listed as done.
func checkDone(t *testing.T, s *student, ids []string) {
	t.Helper()
	s.run(t, "", "list", "--json")
	var list listResult
	if err := json.Unmarshal(s.out.Bytes(), &list); err != nil {
		t.Fatal(err)
	}
	for _, u := range list.Units {
		for _, step := range u.Steps {
			if slices.Contains(ids, u.ID) && !step.Done {
				t.Errorf("%s/%s is not listed as done", u.ID, step.ID)
			}
		}
	}
}

// checkHandoffs holds what the units have written: three handoffs of the first, and one of the second that continues it.
func checkHandoffs(t *testing.T, work string, a, b *units.Unit) {
	t.Helper()
	digests := map[string]string{}
	for _, exercise := range []string{"recovery-policy", "recovery-execute", "recovery-run"} {
		h, err := handoff.Load(filepath.Join(work, "handoffs", a.HandoffOf(exercise)), handoff.Expect{Unit: a.ID, Exercise: exercise})
		if err != nil {
			t.Error(err)
			continue
		}
		digests[exercise] = h.Digest
		if h.Prediction == handoff.None {
			t.Errorf("the handoff of %s carries no prediction", exercise)
		}
	}
	h, err := handoff.Load(filepath.Join(work, "handoffs", b.Handoff), handoff.Expect{Unit: b.ID, Exercise: b.Exercise})
	if err != nil {
		t.Error(err)
		return
	}
	if h.Previous != digests[b.Exercise] || h.Verdict != string(grader.Pass) {
		t.Errorf("the handoff of %s continues %s and says %s; the first ones are %v", b.ID, h.Previous, h.Verdict, maps.All(digests))
	}
}
