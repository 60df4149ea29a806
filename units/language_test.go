package units_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"fieldbook/units"
)

// bilingual is the small unit with its texts once more in pt-BR.
func bilingual() fstest.MapFS {
	folder := folder()
	fsys := fstest.MapFS{}
	for name, text := range folder {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
		if strings.HasSuffix(name, ".md") || strings.HasSuffix(name, ".yaml") {
			fsys["pt-BR/"+name] = &fstest.MapFile{Data: []byte(text)}
		}
	}
	return fsys
}

func TestATranslationSharesProgramsAndHasTextsOfItsOwn(t *testing.T) {
	fsys := bilingual()
	fsys["pt-BR/one.md"].Data = []byte("# Um\n\nTexto de um?\n")
	original, err := units.ReadFolder(fsys, "u")
	if err != nil {
		t.Fatal(err)
	}
	translated, err := units.ReadIn(fsys, "u", "pt-BR")
	if err != nil {
		t.Fatal(err)
	}
	if got := original.Text(original.Step("one")); !strings.HasPrefix(got, "# One") {
		t.Errorf("the original reads %q", got)
	}
	if got := translated.Text(translated.Step("one")); !strings.HasPrefix(got, "# Um") {
		t.Errorf("the translation reads %q", got)
	}
	program, err := translated.Source("naive.go")
	if err != nil || !strings.Contains(string(program), "package assistant") {
		t.Errorf("the translation lacks a shared program: %v", err)
	}
	if a, b := len(original.Names()), len(translated.Names()); a != b || a != len(folder()) {
		t.Errorf("%d files in the original, %d in the translation, want %d", a, b, len(folder()))
	}
	if got := translated.Place("one.md"); got != "u/pt-BR/one.md" {
		t.Errorf("a text lies at %s", got)
	}
	if got := translated.Place("naive.go"); got != "u/naive.go" {
		t.Errorf("a program lies at %s", got)
	}
	if got := units.Missing(original, translated); len(got) != 0 {
		t.Errorf("missing: %v", got)
	}
}

func TestWhatATranslationLacksIsListed(t *testing.T) {
	for name, c := range map[string]struct{ file, old, new, want string }{
		"Question":   {"unit.yaml", "      - {id: why, ask: Why so?}", "      - {id: how, ask: Como?}", "lacks step one: question why"},
		"Surplus":    {"unit.yaml", "      - {id: why, ask: Why so?}", "      - {id: why, ask: Why?}\n      - {id: how, ask: Como?}", "the original does not: step one: question how"},
		"Gap":        {"unit.yaml", "{id: gap, text", "{id: vao, text", "lacks step one: gap gap"},
		"Minutes":    {"unit.yaml", "    minutes: 9\n    text: one.md\n    schedule:\n      - {minutes: 9", "    minutes: 8\n    text: one.md\n    schedule:\n      - {minutes: 8", "lacks step one: read, 9 minutes"},
		"Expected":   {"unit.yaml", "{field: count, value: 1", "{field: count, value: 2", "lacks step one: challenge again"},
		"Choice":     {"pages.yaml", "choices: [this, that]", "choices: [isto, aquilo, nada]", "a question of 2 choices"},
		"Right":      {"pages.yaml", "right: 2", "right: 1", "of which 2 is right"},
		"Prediction": {"pages.yaml", "ask: [seen]", "ask: [other]", "asks for [seen]"},
		"Call":       {"card.yaml", "call: f,", "call: g,", "lacks the call f of the card"},
		"Reference":  {"unit.yaml", "https://example.org", "https://example.com", "lacks the reference https://example.org"},
	} {
		t.Run(name, func(t *testing.T) {
			fsys := bilingual()
			file := fsys["pt-BR/"+c.file]
			if n := strings.Count(string(file.Data), c.old); n != 1 {
				t.Fatalf("the case changes %d places", n)
			}
			file.Data = []byte(strings.Replace(string(file.Data), c.old, c.new, 1))
			original, err := units.ReadFolder(fsys, "u")
			if err != nil {
				t.Fatal(err)
			}
			translated, err := units.ReadIn(fsys, "u", "pt-BR")
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(units.Missing(original, translated), "\n"); !strings.Contains(got, c.want) {
				t.Errorf("missing:\n%s\nwant %q", got, c.want)
			}
		})
	}
}

func TestATranslationWithoutAFileIsRefusedWithItsPlace(t *testing.T) {
	for _, name := range []string{"unit.yaml", "one.md", "pages.yaml", "card.yaml", "recap.md"} {
		fsys := bilingual()
		delete(fsys, "pt-BR/"+name)
		_, err := units.ReadIn(fsys, "u", "pt-BR")
		if err == nil || !strings.Contains(err.Error(), "u/pt-BR/") {
			t.Errorf("without %s: %v", name, err)
		}
	}
}

func TestAStepOfAnotherExercise(t *testing.T) {
	u, err := units.Named(units.All(), "recovery-a")
	if err != nil {
		t.Fatal(err)
	}
	for step, want := range map[string]string{"decide": "recovery-policy", "execute": "recovery-execute", "run": "recovery-run", "setup": "recovery-run"} {
		if got := u.ExerciseOf(u.Step(step)); got != want {
			t.Errorf("step %s works on %s, want %s", step, got, want)
		}
	}
	if a, b := u.HandoffOf("recovery-policy"), u.HandoffOf("recovery-run"); a == b || a == "" || u.HandoffOf("restore") != "" {
		t.Errorf("handoffs %q and %q", a, b)
	}
}
