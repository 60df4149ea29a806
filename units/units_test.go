package units_test

import (
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"
	"unicode/utf8"

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

// The mechanical half of the course's voice: sentences, snippets, banned words.
const (
	maxSentence = 25 // words
	maxSnippet  = 6  // lines of Go
	maxColumns  = 76 // of a line of code
)

func banned() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(simply|just|of course|obviously|easy|easily|trivial|great|congratulations|well done)\b|!(\s|$)`)
}

func TestTextsKeepTheVoice(t *testing.T) {
	words := banned()
	for _, u := range units.All() {
		for _, s := range u.Steps {
			where := u.ID + "/" + s.Text
			text := u.Markdown(&s)
			if !utf8.ValidString(text) || strings.ContainsRune(text, '\r') || strings.ContainsRune(text, '\t') {
				t.Errorf("%s: not UTF-8, or a carriage return or tab in it", where)
			}
			if found := words.FindString(text); found != "" {
				t.Errorf("%s: says %q", where, found)
			}
			if !strings.HasPrefix(text, "# ") {
				t.Errorf("%s: does not begin with a title", where)
			}
			if found := regexp.MustCompile(`(?m)^[^\d\s#-].*\n\d+\. .*$`).FindString(text); found != "" {
				t.Errorf("%s: a line of a paragraph reads as the item of a list: %s", where, found)
			}
			prose, code := split(text)
			for _, block := range code {
				lines := strings.Split(strings.TrimRight(block.text, "\n"), "\n")
				if block.language == "go" && len(lines) > maxSnippet {
					t.Errorf("%s: a snippet of %d lines; at most %d", where, len(lines), maxSnippet)
				}
				for _, line := range lines {
					if n := utf8.RuneCountInString(line); n > maxColumns {
						t.Errorf("%s: a line of code is %d columns wide; at most %d: %s", where, n, maxColumns, line)
					}
				}
			}
			for _, sentence := range sentences(prose) {
				if n := len(strings.Fields(sentence)); n > maxSentence {
					t.Errorf("%s: a sentence of %d words; at most %d: %s", where, n, maxSentence, sentence)
				}
			}
			if paragraphs := strings.Split(strings.TrimSpace(prose), "\n\n"); !strings.HasSuffix(paragraphs[len(paragraphs)-1], "?") {
				t.Errorf("%s: does not end with a question", where)
			}
		}
	}
}

type block struct{ language, text string }

// split takes fenced code out of a Markdown text.
func split(text string) (prose string, code []block) {
	var b strings.Builder
	parts := strings.Split(text, "```")
	for i, part := range parts {
		if i%2 == 0 {
			b.WriteString(part)
			continue
		}
		language, body, _ := strings.Cut(part, "\n")
		code = append(code, block{language, body})
	}
	return b.String(), code
}

// sentences splits prose at full stops, question marks and colons at the end of a line; headings and list items stand alone.
func sentences(prose string) []string {
	var list []string
	for _, paragraph := range strings.Split(prose, "\n\n") {
		for _, item := range regexp.MustCompile(`(?m)^(?:#+|-|\d+\.) `).Split(paragraph, -1) {
			rest := strings.Join(strings.Fields(item), " ")
			for rest != "" {
				i := strings.IndexFunc(rest, func(r rune) bool { return r == '.' || r == '?' || r == ';' || r == ':' })
				for i >= 0 && i+1 < len(rest) && !unicode.IsSpace(rune(rest[i+1])) {
					next := strings.IndexFunc(rest[i+1:], func(r rune) bool { return r == '.' || r == '?' || r == ';' || r == ':' })
					if next < 0 {
						i = -1
						break
					}
					i += next + 1
				}
				if i < 0 {
					list = append(list, rest)
					break
				}
				list = append(list, rest[:i+1])
				rest = strings.TrimSpace(rest[i+1:])
			}
		}
	}
	return list
}

func TestEveryFileIsUsed(t *testing.T) {
	for _, u := range units.All() {
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
