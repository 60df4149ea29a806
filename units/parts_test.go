package units_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"fieldbook/units"
)

// folder is a small unit that has a part of every kind.
func folder() map[string]string {
	return map[string]string{
		"unit.yaml": `id: u
title: T
question: Q?
role: construct
minutes: 9
assumes: [if]
references:
  - {title: R, url: "https://example.org", for: all of it}
exercise: restore
handoff: u-handoff-v1.json
card: card.yaml
pause: {minutes: 5, step: one, recap: recap.md}
submits:
  - {id: source, what: yours}
steps:
  - id: zero
    title: Zero
    kind: read
    minutes: 0
    within: one
    text: zero.md
    demonstration:
      source: naive.go
      observed:
        - {field: paused, value: false, meaning: open}
  - id: one
    title: One
    kind: read
    minutes: 9
    text: one.md
    schedule:
      - {minutes: 9, for: reading}
    pages: pages.yaml
    notes: notes/one.md
    prompts:
      - {id: why, ask: Why so?}
    gaps:
      - {id: gap, text: something, look: there}
    challenges:
      - id: again
        title: Again
        ask: How often?
        probe: again.go
        expect:
          - {field: count, value: 1, meaning: once, artifact: shop.sqlite, query: SELECT 1}
    exhibits:
      - {title: Ledger, file: ledger.csv}
`,
		"pages.yaml": `pages:
  - id: first
    title: First
    text: first.md
    question: {ask: Which?, choices: [this, that], right: 2, because: That it is.}
    skip: true
    examples:
      - {name: small, purpose: To see., ask: [seen], again: Change it.}
    check: {ask: What now?, answer: Hidden.}
`,
		"card.yaml": `epochs:
  - {short: "7c1e…", names: first}
terms:
  - {term: marker, means: a file, step: one, page: first}
calls:
  - {call: f, does: all, example: "f()\ng()\n"}
slips:
  - {sees: x, means: y, write: z}
`,
		"zero.md":            "# Zero\n",
		"one.md":             "# One\n\nText of one?\n",
		"first.md":           "# First\n\nBefore.\n\nA *marker* is a file.\n\n## Inside\n",
		"recap.md":           "# Back\n\nWhere?\n",
		"naive.go":           "//go:build exercise\n\npackage assistant\n",
		"again.go":           "//go:build exercise\n\npackage probe\n",
		"examples/small.go":  "//go:build exercise\n\npackage main\n",
		"examples/small.out": "seen: 1\nother: 2\n",
		"ledger.csv":         "order,cents\nvanilla-8,2000\n",
	}
}

func read(files map[string]string) (*units.Unit, error) {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return units.ReadFolder(fsys, "u")
}

func mustRead(t *testing.T) *units.Unit {
	t.Helper()
	u, err := read(folder())
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestPartsAreRefusedWithPosition(t *testing.T) {
	for name, c := range map[string]struct{ file, old, new, want string }{
		"WithinNothing":     {"unit.yaml", "within: one", "within: two", `u/unit.yaml:20: step "zero" has 0 minutes within "two"`},
		"WithinItself":      {"unit.yaml", "within: one", "within: zero", `within "zero"`},
		"OptionalMinutes":   {"unit.yaml", "    schedule:", "    optional: true\n    schedule:", `step "one" is optional`},
		"Schedule":          {"unit.yaml", "{minutes: 9, for: reading}", "{minutes: 8, for: reading}", "u/unit.yaml:31: the schedule of step \"one\" has 8 minutes"},
		"PagesMissing":      {"unit.yaml", "pages: pages.yaml", "pages: none.yaml", "u/unit.yaml:33: step \"one\": its pages"},
		"NotesElsewhere":    {"unit.yaml", "notes/one.md", "../one.md", "u/unit.yaml:34: notes is"},
		"PromptWithoutAsk":  {"unit.yaml", "{id: why, ask: Why so?}", "{id: why}", "asks nothing"},
		"Gap":               {"unit.yaml", "{id: gap, text: something, look: there}", "{id: gap, text: something}", "u/unit.yaml:38: a gap needs"},
		"ChallengeProbe":    {"unit.yaml", "probe: again.go", "probe: once.go", "the program \"once.go\" cannot be read"},
		"ChallengeField":    {"unit.yaml", "{field: count, value: 1, meaning: once,", "{field: count, meaning: once,", `the field "count" needs field, value and meaning`},
		"QueryWithout":      {"unit.yaml", ", query: SELECT 1", "", "with artifact and query, or with neither"},
		"UnknownInside":     {"unit.yaml", "ask: How often?", "ask: How often?\n        asks: more", `unknown key "asks"`},
		"Exhibit":           {"ledger.csv", "order,cents\n", "", "u/unit.yaml:47: an exhibit needs"},
		"DemonstrationTag":  {"naive.go", "//go:build exercise\n\n", "", "naive.go must begin with the line //go:build exercise"},
		"Reference":         {"unit.yaml", "https://example.org", "http://example.org", "u/unit.yaml:8: a reference needs"},
		"Item":              {"unit.yaml", "{id: source, what: yours}", "{id: source}", "u/unit.yaml:14: an item"},
		"PauseLate":         {"unit.yaml", "pause: {minutes: 5", "pause: {minutes: 9", "u/unit.yaml:12: the stopping place is after 9 of 9"},
		"PauseNowhere":      {"unit.yaml", "step: one, recap", "step: two, recap", `the stopping place is the step "two"`},
		"RereadsAlone":      {"unit.yaml", "    notes:", "    rereads: zero\n    notes:", `opens pages of the unit before this one`},
		"PageUnknownKey":    {"pages.yaml", "skip: true", "skips: true", `u/pages.yaml:6: unknown key "skips"`},
		"PageText":          {"pages.yaml", "text: first.md", "text: second.md", `u/pages.yaml:4: the text "second.md"`},
		"PageRight":         {"pages.yaml", "right: 2", "right: 3", "has 2 choices and right is 3"},
		"PageSkip":          {"pages.yaml", "    question: {ask: Which?, choices: [this, that], right: 2, because: That it is.}\n", "", "can be skipped without a question"},
		"PageCheck":         {"pages.yaml", ", answer: Hidden.", "", "needs a check with ask and answer"},
		"ExampleAsk":        {"pages.yaml", "ask: [seen]", "ask: [unseen]", `asks for "unseen", which stands 0 times`},
		"ExampleAskNothing": {"pages.yaml", "ask: [seen], ", "", "asks for no prediction"},
		"ExampleTwice":      {"examples/small.out", "other: 2", "seen: 2", "which stands 2 times"},
		"ExampleName":       {"pages.yaml", "name: small", "name: ../small", "the name of an example"},
		"TermNowhere":       {"card.yaml", "page: first", "page: last", `u/card.yaml:4: the term "marker" is defined in page "last"`},
		"TermUndefined":     {"first.md", "*marker*", "marker", `first.md does not define "marker"`},
		"CallTwice":         {"card.yaml", "calls:\n", "calls:\n  - {call: f, does: all, example: f()}\n", "u/card.yaml:7: the call \"f\""},
		"Slip":              {"card.yaml", ", write: z", "", "a slip needs"},
	} {
		t.Run(name, func(t *testing.T) {
			files := folder()
			if n := strings.Count(files[c.file], c.old); n != 1 {
				t.Fatalf("the case changes %d places", n)
			}
			files[c.file] = strings.Replace(files[c.file], c.old, c.new, 1)
			if _, err := read(files); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error\n%v\nwant one with\n%s", err, c.want)
			}
		})
	}
}

func TestMissingFileOfAPartIsRefused(t *testing.T) {
	mustRead(t)
	for _, name := range slices.Sorted(maps.Keys(folder())) {
		files := folder()
		delete(files, name)
		if _, err := read(files); err == nil {
			t.Errorf("the folder without %s is accepted", name)
		}
	}
}

func TestTextsOfAUnit(t *testing.T) {
	u := mustRead(t)
	if got, want := u.Exhibits(u.Step("one")), "\n## Ledger (SUPPLIED)\n\n```\norder      cents\nvanilla-8  2000\n```\n"; got != want {
		t.Errorf("the table is %q, want %q", got, want)
	}
	if got := u.Exhibits(u.Step("zero")); got != "" {
		t.Errorf("a step without a table has %q", got)
	}
	source, err := u.Source("examples/small.go")
	if err != nil || string(source) != "package main\n" {
		t.Errorf("a program reads %q, %v", source, err)
	}
	if got := u.Recap(); !strings.HasPrefix(got, "# Back") {
		t.Errorf("the recap is %q", got)
	}
}

func TestTheUnitAfterReadsPagesAgain(t *testing.T) {
	all := units.All()
	first, second := all[0], all[1]
	for i := range second.Steps {
		s := &second.Steps[i]
		if s.Rereads == "" {
			continue
		}
		if got, want := len(second.Pages(s)), len(first.Pages(first.Step(s.Rereads))); got != want || got == 0 {
			t.Errorf("step %s opens %d pages, %s has %d", s.ID, got, s.Rereads, want)
		}
		if page := second.Pages(s)[0]; second.PageText(s, page) == "" {
			t.Errorf("step %s does not show the page %s", s.ID, page.ID)
		}
	}
	if len(second.Card().Terms) != len(first.Card().Terms) {
		t.Error("the second unit has another card")
	}
	if len(second.Examples()) != 0 {
		t.Error("the examples of a unit that is read again are counted twice")
	}
}

func TestDefinitionIsTheParagraph(t *testing.T) {
	text := "# T\n\nBefore.\n\nA *Marker* is\na file.\n"
	if i := units.Definition(text, "marker"); i < 0 || !strings.HasPrefix(text[i:], "A *Marker*") {
		t.Errorf("the definition is at %d", i)
	}
	if i := units.Definition("*marker* first", "marker"); i != 0 {
		t.Errorf("a definition in the first paragraph is at %d", i)
	}
	if i := units.Definition(text, "epoch"); i >= 0 {
		t.Errorf("a term that is not defined is at %d", i)
	}
}

func TestOutputs(t *testing.T) {
	got := units.Outputs("paused: 1\nerror: a: b\nplain\n{ on_hand: 2")
	want := map[string]string{"paused": "1", "error": "a: b", "{ on_hand": "2"}
	if !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestMinutes holds the plan of the first unit: what each step is given, and that it is ninety in all.
func TestMinutes(t *testing.T) {
	for _, u := range units.All()[:2] {
		sum := 0
		for _, s := range u.Steps {
			sum += s.Minutes
		}
		if sum != u.Minutes || sum != 90 {
			t.Errorf("%s plans %d of %d minutes", u.ID, sum, u.Minutes)
		}
	}
	pair := 0
	for _, u := range units.All() {
		sum := 0
		for _, s := range u.Steps {
			sum += s.Minutes
		}
		if sum != u.Minutes {
			t.Errorf("%s plans %d of %d minutes", u.ID, sum, u.Minutes)
		}
		if strings.HasPrefix(u.ID, "recovery-") {
			pair += sum
		}
	}
	if pair < 120 || pair > 150 {
		t.Errorf("the units of the recoverable runtime plan %d minutes together", pair)
	}
	for step, want := range map[string]int{
		"predict": 5, "primers": 14, "concepts": 10, "construct": 20, "connect": 3, "challenge": 6, "transfer": 20,
		"counterexample": 3, "runbook": 3, "explain": 5, "submit": 1,
	} {
		if s := units.All()[0].Step(step); s == nil || s.Minutes != want {
			t.Errorf("step %s plans %+v, want %d minutes", step, s, want)
		}
	}
}
