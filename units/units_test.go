package units_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"fieldbook/units"
)

func TestAllDecode(t *testing.T) {
	all := units.All()
	if len(all) < 2 {
		t.Fatalf("%d units", len(all))
	}
	for _, u := range all {
		if u.Continues != "" {
			first, err := units.Named(all, u.Continues)
			if err != nil {
				t.Errorf("%s: %v", u.ID, err)
			} else if first.Exercise != u.Exercise {
				t.Errorf("%s breaks the exercise %s and continues %s, which constructs %s", u.ID, u.Exercise, first.ID, first.Exercise)
			}
		}
		for _, other := range all {
			if u != other && u.Handoff == other.Handoff {
				t.Errorf("%s and %s write the same handoff file", u.ID, other.ID)
			}
		}
	}
	if _, err := units.Named(all, "ch20-z"); err == nil || !strings.Contains(err.Error(), "ch20-z") {
		t.Errorf("an unknown unit: %v", err)
	}
}

func TestReadFolderRefusesWithPosition(t *testing.T) {
	const good = `id: u
title: T
question: Q?
role: construct
minutes: 5
assumes: [if]
exercise: restore
handoff: u-handoff-v1.json
steps:
  - id: one
    title: One
    kind: read
    minutes: 2
    text: one.md
`
	for name, c := range map[string]struct{ old, new, want string }{
		"UnknownKey":     {"title: T", "title: T\ntitel: T", "u/unit.yaml:3: unknown key"},
		"RepeatedKey":    {"title: T", "title: T\ntitle: U", "u/unit.yaml:3"},
		"AnotherKind":    {"minutes: 5", "minutes: five", "u/unit.yaml:5"},
		"OtherFolder":    {"id: u", "id: v", "u/unit.yaml:1: id is \"v\""},
		"NoQuestion":     {"question: Q?\n", "", "u/unit.yaml:1: question is missing"},
		"UnknownRole":    {"role: construct", "role: build", "u/unit.yaml:4: role is \"build\""},
		"BreaksNothing":  {"role: construct", "role: break", "u/unit.yaml:4: a unit that breaks needs continues and fault"},
		"HandoffPath":    {"u-handoff-v1.json", "../u-handoff-v1.json", "u/unit.yaml:8: handoff is"},
		"UnknownKind":    {"kind: read", "kind: ponder", "u/unit.yaml:12: kind is \"ponder\""},
		"NoPrompts":      {"kind: read", "kind: predict", "u/unit.yaml:10: step \"one\" asks for a text"},
		"MissingText":    {"text: one.md", "text: two.md", "u/unit.yaml:14: step \"one\": its text \"two.md\""},
		"TooManyMinutes": {"    minutes: 2", "    minutes: 9", "u/unit.yaml:5: the steps plan 9 minutes"},
		"SecondDocument": {"id: u", "id: u\n---\nid: u", "u/unit.yaml:2: a second document"},
		"StepTwice":      {"  - id: one\n    title: One", "  - {id: one, title: O, kind: read, minutes: 0, text: one.md}\n  - id: one\n    title: One", "u/unit.yaml:11: id \"one\" is used twice"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(good, c.old, c.new, 1)
			if text == good {
				t.Fatal("the case changes nothing")
			}
			folder := fstest.MapFS{"unit.yaml": {Data: []byte(text)}, "one.md": {Data: []byte("# One\n")}}
			_, err := units.ReadFolder(folder, "u")
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error\n%v\nwant one with\n%s", err, c.want)
			}
		})
	}
	if _, err := units.ReadFolder(fstest.MapFS{"unit.yaml": {Data: []byte(good)}, "one.md": {Data: []byte("# One\n")}}, "u"); err != nil {
		t.Errorf("the unchanged folder is refused: %v", err)
	}
	if _, err := units.ReadFolder(fstest.MapFS{}, "u"); err == nil || !strings.Contains(err.Error(), "u/unit.yaml") {
		t.Errorf("an empty folder: %v", err)
	}
}

// TestTranslationsAreComplete holds every unit in another language to the parts of the original.
func TestTranslationsAreComplete(t *testing.T) {
	all, languages := units.All(), map[string]int{}
	for _, u := range units.Translations() {
		languages[u.Language()]++
		original, err := units.Named(all, u.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range units.Missing(original, u) {
			t.Errorf("%s in %s %s", u.ID, u.Language(), part)
		}
		if u.Title == original.Title || u.Question == original.Question {
			t.Errorf("%s in %s is not translated", u.ID, u.Language())
		}
	}
	if languages["pt-BR"] != 2 {
		t.Errorf("translations by language: %v", languages)
	}
	for _, u := range units.In("pt-BR") {
		if want := map[bool]string{true: "pt-BR", false: units.Base}[strings.HasPrefix(u.ID, "recovery-")]; u.Language() != want {
			t.Errorf("%s is in %s, want %s", u.ID, u.Language(), want)
		}
	}
}

func TestEveryFileIsUsed(t *testing.T) {
	for _, u := range append(units.All(), units.Translations()...) {
		used := map[string]bool{"unit.yaml": true, u.CardFile: true}
		if u.Pause != nil {
			used[u.Pause.Recap] = true
		}
		for i := range u.Steps {
			s := &u.Steps[i]
			used[s.Text], used[s.Pages] = true, true
			if s.Demonstration != nil {
				used[s.Demonstration.Source] = true
			}
			for _, p := range u.Pages(s) {
				used[p.Text] = true
			}
			for _, c := range s.Challenges {
				used[c.Probe] = true
			}
			for _, e := range s.Exhibits {
				used[e.File] = true
			}
		}
		for _, e := range u.Examples() {
			used[e.File()], used[e.Recorded()] = true, true
		}
		for _, name := range u.Names() {
			if !used[name] {
				t.Errorf("%s/%s is used by no step", u.ID, name)
			}
		}
	}
}
