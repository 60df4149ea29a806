package exercises

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fieldbook/grader"
	"fieldbook/runtime/world"
)

func TestAllAreValid(t *testing.T) {
	var names []string
	for _, e := range All() {
		names = append(names, e.Name)
		if e.Transfer != "" {
			if _, err := Named(e.Transfer); err != nil {
				t.Errorf("%s: transfer: %v", e.Name, err)
			}
		}
	}
	if !slices.IsSorted(names) || len(names) == 0 {
		t.Errorf("All() = %v, want every exercise in the order of its name", names)
	}
	onDisk, err := filepath.Glob("*/" + manifestName)
	if err != nil {
		t.Fatal(err)
	}
	for i := range onDisk {
		onDisk[i] = filepath.Dir(onDisk[i])
	}
	if !slices.Equal(onDisk, names) {
		t.Errorf("the folders with an %s are %v; All() has %v", manifestName, onDisk, names)
	}
	for _, e := range All() {
		entries, err := os.ReadDir(e.Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range entries {
			if _, err := e.File(entry.Name()); err != nil {
				t.Errorf("%s/%s is not embedded: %v", e.Name, entry.Name(), err)
			}
		}
	}
}

func TestHoldoutsAreNotEmbedded(t *testing.T) {
	files := 0
	err := fs.WalkDir(folders, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files++
		text, err := fs.ReadFile(folders, path)
		if strings.HasPrefix(path, "holdout/") || strings.Contains(string(text), "HOLDOUT-CANARY") {
			t.Errorf("%s is embedded", path)
		}
		return err
	})
	if err != nil || files == 0 {
		t.Fatalf("%d files embedded, %v", files, err)
	}
}

func TestNamed(t *testing.T) {
	e, err := Named("restore")
	if err != nil {
		t.Fatal(err)
	}
	if e.Name != "restore" || e.Kind != Source || len(e.Expectation) != 3 {
		t.Errorf("Named(restore) = %q of kind %s with %d expected fields", e.Name, e.Kind, len(e.Expectation))
	}
	for _, name := range []string{"", "Restore", "holdout", "restore/", "../restore", "strict"} {
		_, err := Named(name)
		var known *grader.Error
		if !errors.As(err, &known) {
			t.Fatalf("Named(%q): error %v, want a grader.Error", name, err)
		}
		if known.Code != "unknown_exercise" || known.Exit != grader.ExitUsage || !strings.Contains(known.Hint, "manifest, ") || !strings.Contains(known.Hint, ", restore") {
			t.Errorf("Named(%q): %+v", name, known)
		}
	}
}

func TestValuesKeepTheirKinds(t *testing.T) {
	e, err := Named("restore")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]world.Value{
		"restore_error":             world.NullValue(),
		"restored_paused":           world.BoolValue(true),
		"work_claimed_before_audit": world.BoolValue(false),
	}
	for _, x := range e.Expectation {
		if !x.Expected.Equal(want[x.Field]) {
			t.Errorf("%s: expected %v (%s), want %v (%s)", x.Field, x.Expected, x.Expected.Kind(), want[x.Field], want[x.Field].Kind())
		}
	}
	if cell := e.Faults[0].Differs[0]; !cell.Value.Equal(world.IntValue(0)) {
		t.Errorf("the cell that differs has value %v (%s), want the whole number 0", cell.Value, cell.Value.Kind())
	}
}

// TestTexts holds what is read by students to the course's voice.
func TestTexts(t *testing.T) {
	for _, e := range All() {
		texts := []string{e.Title, e.Summary}
		for _, x := range e.Expectation {
			texts = append(texts, x.Meaning, x.From)
		}
		for _, r := range e.Contract {
			texts = append(texts, r.Text)
		}
		for _, h := range e.Hints {
			texts = append(texts, h.Text)
		}
		for _, f := range e.Faults {
			texts = append(append(texts, f.Summary), f.Consequence...)
		}
		for _, m := range e.Impostors {
			texts = append(texts, m.Summary)
		}
		for _, c := range e.Table {
			texts = append(texts, c.Name)
		}
		for _, text := range texts {
			for _, word := range []string{"simply", " just ", "of course", "obviously", "!", "\t"} {
				if strings.Contains(strings.ToLower(text), word) {
					t.Errorf("%s: %q is in %q", e.Name, word, text)
				}
			}
		}
	}
}
