package lang

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// missing makes the test print what the catalogue lacks as entries to translate.
var missing = flag.Bool("missing", false, "print the texts that the catalogue lacks as entries to translate")

func mustRead(t *testing.T) map[string]string {
	t.Helper()
	messages, err := read(os.DirFS("."), string(Portuguese))
	if err != nil {
		t.Fatal(err)
	}
	return messages
}

// verbs are those of a format in the order of what fills them.
func verbs(format string) []string {
	var list []string
	next := 0
	for _, found := range verb().FindAllStringSubmatch(format, -1) {
		if found[2] == "%" {
			continue
		}
		if found[1] != "" {
			n, _ := strconv.Atoi(found[1])
			next = n - 1
		}
		for len(list) <= next {
			list = append(list, "")
		}
		list[next] = found[2]
		next++
	}
	return list
}

func TestTheCatalogueIsWhatTheProgramShows(t *testing.T) {
	messages := mustRead(t)
	used := map[string]bool{}
	for _, f := range extract(t, "..") {
		if f.prose {
			continue
		}
		used[f.key] = true
		if _, there := messages[f.key]; !there {
			t.Errorf("%s:%d: the catalogue lacks %q", f.place.Filename, f.place.Line, f.key)
			if *missing {
				fmt.Printf("# %s\nmsgid %q\nmsgstr \"\"\n\n", f.place.Filename, f.key)
			}
		}
	}
	for _, text := range exerciseTexts() {
		used[text] = true
		if _, there := messages[text]; !there {
			t.Errorf("the catalogue lacks this text of an exercise: %q", text)
		}
	}
	for _, id := range textsBelow(t) {
		used[id] = true
	}
	for id := range messages {
		if !used[id] {
			t.Errorf("the catalogue has %q, which nothing shows", id)
		}
	}
}

// textsBelow are the texts of packages that know no language. Each must still be there: all its words are in literals of such
// packages, which may put a sentence together from several.
func textsBelow(t *testing.T) []string {
	t.Helper()
	name := string(Portuguese) + "/below.po"
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	list, err := parsePO(name, string(text))
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join("..", "..", "..")
	literals := strings.Join(literals(t, filepath.Join(root, "grader"), filepath.Join(root, "handoff"), filepath.Join(root, "exercises"), filepath.Join(root, "units")), "\x00")
	var ids []string
	for _, m := range list {
		ids = append(ids, m.id)
		for _, word := range strings.Fields(verb().ReplaceAllString(m.id, "")) {
			if word = strings.Trim(word, ".,:;()"); !strings.Contains(literals, word) {
				t.Errorf("%s:%d: no package says %q of %q", name, m.line, word, m.id)
			}
		}
	}
	return ids
}

// literals are the texts in the Go files below folders, tests left out.
func literals(t *testing.T, folders ...string) []string {
	t.Helper()
	var list []string
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
					if text, err := strconv.Unquote(literal.Value); err == nil {
						list = append(list, text)
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return list
}

func TestEveryTranslationHasTheSamePlaceholders(t *testing.T) {
	for id, text := range mustRead(t) {
		if want, got := verbs(id), verbs(text); !slices.Equal(want, got) {
			t.Errorf("%q has the verbs %v, and its translation %v", id, want, got)
		}
		if strings.HasPrefix(id, " ") != strings.HasPrefix(text, " ") || strings.HasSuffix(id, " ") != strings.HasSuffix(text, " ") {
			t.Errorf("%q: the space at an end differs", id)
		}
		if strings.Count(id, "`") != strings.Count(text, "`") {
			t.Errorf("%q: the marks around names differ", id)
		}
		for _, fixed := range fixedWords.FindAllString(id, -1) {
			if !strings.Contains(text, fixed) {
				t.Errorf("%q: the translation lacks %s, which is the same in every language", id, fixed)
			}
		}
	}
}

// fixedWords are words that are the same in every language: labels, flags, names of files. DIFFERS is not among them.
var fixedWords = regexp.MustCompile(`\b(?:[A-Z]+_[A-Z_]+|PASS|SUPPLIED|YOURS|VISIBLE|INVALID|LIMIT|VOID|UNSUPPORTED|JSON)\b|--[a-z-]+\b|course\.yaml|submit_to|fieldbook [a-z]+\b`)

// silentProse are literals that read like prose and are none: code, forms, and what only this program's log gets.
func silentProse() []string {
	return []string{
		"`%s` (process %d, since %s)", "own exits", " YOUR_BASELINE PASS", "%d-%d of %d", "#     expected: %s\n", "Saved evidence: ", "module fieldbook\n\ngo 1.26\n\nignore (\n\t./attempts\n\t./evidence\n\t./submissions\n)\n", "//go:build exercise\n", "panic: %v", " by key ", "  fieldbook tour", "  fieldbook init",
		"  fieldbook run EXERCISE", "  fieldbook run restore", "fieldbook list", "make folder", "sync folder",
		// what evidence and artifacts hold is recorded in English, as the field notes have it
		"it holds more than a checkpoint needs", "the effect under %q: %v", "exit code", "stop reason", "policy decision", "not applicable",
		"duplicate avoided", "fieldbook scenario ", " --budget %d", "step         %d", "budget_left  %d", "recovered    %t",
		"%s, verified %s, recovered %s, reused %s", "holds in every state", "breaks after operation %d", "accepted by every case",
		"%s It is told apart by %q: expected %s, observed %s", "new evidence of ",
		"Available Commands:", "Global Flags:", `Use "{{.CommandPath}} [command] --help" for more information about a command.`, // cobra's, replaced
	}
}

func TestNoTextBypassesTheCatalogue(t *testing.T) {
	for _, f := range extract(t, "..") {
		if f.prose && !slices.Contains(silentProse(), f.key) {
			t.Errorf("%s:%d: %q is shown to nobody by the catalogue", f.place.Filename, f.place.Line, f.key)
		}
	}
}

func TestSay(t *testing.T) {
	english, portuguese := Texts{}, TextsIn(Portuguese)
	if got := english.Say("Run %d.", 3); got != "Run 3." || english.Language() != English {
		t.Errorf("English says %q", got)
	}
	if got := portuguese.Say("Run %d.", 3); got != "Execução 3." || portuguese.Language() != Portuguese {
		t.Errorf("Portuguese says %q", got)
	}
	if got := portuguese.Say("not in any catalogue, %d%%", 3); got != "not in any catalogue, 3%" {
		t.Errorf("a missing text becomes %q", got)
	}
}

func TestMessage(t *testing.T) {
	texts := TextsIn(Portuguese)
	for english, want := range map[string]string{
		"kept for good": "guardada para sempre",
		"limit: 10.0 s of wall time; used 10.2 s": "limite: 10.0 s de tempo de relógio; usados 10.2 s",
		"1 of 2 there":                                               "1 de 2 prontos",
		"x.json: there is no such file":                              "x.json: esse arquivo não existe",
		"there is no exercise \"flight\"":                            "não há exercício \"flight\"",
		"archive entry \"../x\" leaves its folder":                   "archive entry \"../x\" leaves its folder",
		"/a b/c holds go.mod already, so no workspace is made there": "/a b/c já contém go.mod, então nenhuma área de trabalho é criada ali",
		"the disk is full: /x/%s was not saved":                      "o disco está cheio: /x/%s não foi salvo",
		"2 of 3 opened, recorded":                                    "2 de 3 abertas, registradas",
		"x of 3 opened, recorded":                                    "x of 3 opened, recorded", // a number is a number
		"nothing that a catalogue knows":                             "nothing that a catalogue knows",
		"":                                                           "",
		"w was written by a newer Fieldbook (layout 3, this program knows 2)":   "w foi gravada por um Fieldbook mais novo (formato 3, este programa conhece 2)",
		"w was written by an older Fieldbook (layout 1, this program writes 2)": "w foi gravada por um Fieldbook mais antigo (formato 1, este programa grava 2)",
		"`fieldbook` (process 7, since 10:00) is using the workspace /w":        "`fieldbook` (process 7, since 10:00) está usando a área de trabalho /w",
	} {
		if got := texts.Message(english); got != want {
			t.Errorf("%q becomes\n%q, want\n%q", english, got, want)
		}
		if got := (Texts{}).Message(english); got != english {
			t.Errorf("in English %q becomes %q", english, got)
		}
	}
}

func TestParsePO(t *testing.T) {
	list, err := parsePO("x.po", "# a comment\nmsgid \"one\"\nmsgstr \"um\"\n\nmsgid \"\"\n\"two \"\n\"lines\\n\"\nmsgstr \"duas\"\n")
	if err != nil || len(list) != 2 || list[1].id != "two lines\n" || list[1].text != "duas" || list[1].line != 5 {
		t.Errorf("%+v, %v", list, err)
	}
	for name, c := range map[string]struct{ text, says string }{
		"NoTranslation": {"msgid \"one\"\n\nmsgid \"two\"\n", "x.po:3: the entry before has no msgstr"},
		"LastOne":       {"msgid \"one\"\n", "x.po: the last entry"},
		"NoKey":         {"msgstr \"um\"\n", "x.po:1: a msgstr without a msgid"},
		"NoString":      {"msgid one\n", "x.po:1: this is no string"},
		"Other":         {"msgid \"a\"\nmsgstr \"b\"\n\nmsgctxt \"c\"\n", "x.po:4: this is no entry"},
		"Stray":         {"\"a\"\n", "x.po:1: this is no entry"},
	} {
		if _, err := parsePO("x.po", c.text); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want %q", name, err, c.says)
		}
	}
}

func BenchmarkMessage(b *testing.B) {
	texts := TextsIn(Portuguese)
	for b.Loop() {
		texts.Message("The disk of Lucy's shop has a sentence that no catalogue knows.")
	}
}

func BenchmarkTextsIn(b *testing.B) {
	for b.Loop() {
		TextsIn(Portuguese).Message("the disk is full: x was not saved")
	}
}
