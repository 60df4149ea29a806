package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"fieldbook/units"
)

// TestTheRecoverableRuntimeInATerminal drives both units of the recoverable runtime through a real terminal, in both
// languages: the hypothesis, three functions that pass, the handoffs, six faults, the diagnosis and the repair. What it waits
// for is the same in every language: titles of the units themselves, labels, names of fields, files.
func TestTheRecoverableRuntimeInATerminal(t *testing.T) {
	walk(t)
	t.Parallel()
	program := buildProgram(t)
	for _, language := range []string{"en", "pt-BR"} {
		t.Run(language, func(t *testing.T) { driveRecovery(t, program, language) })
	}
}

func driveRecovery(t *testing.T, program, language string) {
	folder := t.TempDir()
	w := filepath.Join(folder, "w")
	env := []string{"HOME=" + folder, "XDG_DATA_HOME=" + folder, "XDG_CONFIG_HOME=" + folder, "XDG_STATE_HOME=" + folder, "VISUAL=", "EDITOR=true"}
	flags := " --lang " + language + " --workspace " + w
	term := startTerminal(t, 120, 50, env, program+flags+"; echo the program has ended: $?; sleep 60")
	all := units.In(language)
	a, b := mustUnit(t, all, "recovery-a"), mustUnit(t, all, "recovery-b")
	term.shows("ch19-b")

	// The first page says that everything is fictitious; its text is there in the student's language.
	term.openStep(all, a, a.Steps[0].ID)
	term.shows(map[string]string{"en": "All tenants, addresses, orders and people", "pt-BR": "Todos os tenants, endereços, pedidos e pessoas"}[language])

	term.openStep(all, a, "hypothesis")
	term.writeTexts(len(a.Step("hypothesis").Prompts), "effects.json has one key")
	term.there(filepath.Join(w, "predictions", a.ID+".json"))

	for step, name := range map[string]string{"decide": "decide.go", "execute": "execute.go", "run": "run.go"} {
		reference, err := os.ReadFile("../../runtime/recovery/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(w, "runtime", "recovery", name), reference, 0o600); err != nil {
			t.Fatal(err)
		}
		term.openStep(all, a, step)
		term.press("r")
		term.there(filepath.Join(w, "handoffs", a.HandoffOf(a.ExerciseOf(a.Step(step)))))
	}

	term.openStep(all, b, "choose")
	term.press("Tab")
	term.shows("LEARNER_SELECTED")
	term.press("Enter")
	term.openStep(all, b, "baseline")
	term.press("Tab")
	term.shows("YOUR_BASELINE PASS")
	term.openStep(all, b, "inject")
	term.press("Tab", "Enter")
	term.shows("✗ INJECTED_FAILURE")
	term.openStep(all, b, "diagnose")
	term.writeTexts(len(b.Step("diagnose").Prompts), "two keys in effects.json")
	term.shows("crash/effects.json, ")
	term.openStep(all, b, "repair")
	term.press("r")
	term.there(filepath.Join(w, "handoffs", b.Handoff))
	for _, fault := range []struct{ step, field string }{
		{"no-save", "✗ prepared_first"}, {"secret", "✗ secrets"}, {"budget", "✗ budget_effects"}, {"too-late", "✗ denied_effects"},
	} {
		term.openStep(all, b, fault.step)
		term.press("Tab", "Enter")
		term.shows(fault.field)
	}
	// The last fault is in another function: its own handoff is executed first.
	term.openStep(all, b, "tenant")
	term.press("Tab")
	term.shows(a.HandoffOf("recovery-policy"))
	term.shows("✓ tenant_effects")
	term.press("Enter")
	term.shows("✗ tenant_effects")
	term.openStep(all, b, "solution")
	term.press("q")
	term.shows("the program has ended: 0")

	for _, name := range []string{a.Handoff, a.HandoffOf("recovery-policy"), a.HandoffOf("recovery-execute"), b.Handoff} {
		if output, err := exec.Command(program, "handoff", "verify", filepath.Join(w, "handoffs", name)).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, output)
		}
	}
}

func mustUnit(t *testing.T, all []*units.Unit, id string) *units.Unit {
	t.Helper()
	u, err := units.Named(all, id)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// openStep goes to a step by the course map, in whichever language the app speaks.
func (term *terminal) openStep(all []*units.Unit, u *units.Unit, step string) {
	term.t.Helper()
	term.press("m")
	term.shows("ch19-b")
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
		term.press("Enter")
		term.unit = u.ID
	}
	term.down(position(u, step))
	term.press("Enter")
	// The step's own screen says its number; the map, which has its title too, does not.
	term.shows(fmt.Sprintf(" %d ", position(u, step)))
	term.shows(u.Step(step).Title)
}

// writeTexts fills the fields of the step that is open and commits them.
func (term *terminal) writeTexts(fields int, text string) {
	term.t.Helper()
	term.press("Tab", "Enter")
	for i := range fields {
		if i > 0 {
			term.press("Tab")
		}
		term.types(text)
	}
	term.press("C-s")
}

// there waits until a file is there.
func (term *terminal) there(path string) {
	term.t.Helper()
	for begun := time.Now(); time.Since(begun) < time.Minute; time.Sleep(50 * time.Millisecond) {
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			return
		}
	}
	term.t.Fatalf("%s is not written; the screen shows:\n%s", path, term.screen())
}
