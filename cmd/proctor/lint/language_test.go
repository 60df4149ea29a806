package lint

import (
	"strings"
	"testing"
	"testing/fstest"

	"fieldbook/units"
)

// mustPlantIn is a translated unit with changes in its texts.
func mustPlantIn(t *testing.T, id, language string, changes ...change) *units.Unit {
	t.Helper()
	original, err := units.Named(units.All(), id)
	if err != nil {
		t.Fatal(err)
	}
	translated, err := units.Named(units.In(language), id)
	if err != nil {
		t.Fatal(err)
	}
	folder := fstest.MapFS{}
	for _, u := range []*units.Unit{original, translated} {
		for _, name := range u.Names() {
			text, err := u.File(name)
			if err != nil {
				t.Fatal(err)
			}
			folder[strings.TrimPrefix(u.Place(name), id+"/")] = &fstest.MapFile{Data: text}
		}
	}
	for _, c := range changes {
		file := folder[language+"/"+c.file]
		if file == nil || strings.Count(string(file.Data), c.part) != 1 {
			t.Fatalf("%q does not stand once in %s", c.part, c.file)
		}
		file.Data = []byte(strings.Replace(string(file.Data), c.part, c.with, 1))
	}
	planted, err := units.ReadIn(folder, id, language)
	if err != nil {
		t.Fatal(err)
	}
	return planted
}

func TestPlantedMistakesInATranslationAreFound(t *testing.T) {
	if found, err := Unit(mustPlantIn(t, "recovery-a", "pt-BR")); err != nil || len(found) > 0 {
		t.Fatalf("the unchanged translation: %v\n%s", err, say(found))
	}
	for name, c := range map[string]struct{ file, part, with, want string }{
		"Word":        {"stop.md", "Você\npode parar aqui", "Você\npode simplesmente parar aqui", `says "simplesmente"`},
		"Praise":      {"stop.md", "está em disco.", "está em disco. Muito bem.", `says "Muito bem"`},
		"Exclamation": {"stop.md", "e voltar a essa linha.", "e voltar a essa linha!", "says"},
		"Sentence":    {"stop.md", "os dois handoffs. Você", "os dois handoffs, e você", "words; at most 25"},
		"NoQuestion":  {"stop.md", "cujo efeito talvez exista?", "cujo efeito talvez exista.", "does not end with a question"},
		"NoDay":       {"stop.md", "Na segunda-feira, às 11h45, Rosa", "Às 11h45 Rosa", "names no day"},
		"Title":       {"stop.md", "# Um bom lugar para parar", "# Pausa", "must be the title"},
		"Width":       {"setup.md", "trace.jsonl       o que aconteceu", "trace.jsonl                                                      o que aconteceu", "columns wide"},
		"Compiles":    {"execute.md", "recovery.Execute(", "recovery.Executar(", "does not compile"},
		"Term":        {"stop.md", "a evidência de que", "a *evidência* de que", "the card has none"},
		"Quote":       {"interface.md", "66  w.Mark", "67  w.Mark", "line 67 of the probe is quoted as"},
		"Question":    {"unit.yaml", "- id: falsifier", "- id: refutacao", "this translation lacks step hypothesis: question falsifier"},
		"Choice":      {"primers.yaml", "        - Pelo texto do erro.\n", "", "a question of 3 choices"},
		"Example":     {"concepts.yaml", "ask: [events, token,", "ask: [events,", "example redacted"},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := Unit(mustPlantIn(t, "recovery-a", "pt-BR", change{c.file, c.part, c.with}))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(say(found), c.want) {
				t.Errorf("complaints:\n%s\nwant one with %q", say(found), c.want)
			}
			for _, d := range found {
				if !strings.HasPrefix(d.File, "recovery-a/pt-BR/") {
					t.Errorf("a complaint names no file of the translation: %v", d)
				}
			}
		})
	}
}
