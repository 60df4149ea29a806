package units

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Base is the language in which every unit exists: its texts lie in the unit's own folder. Another language has a folder
// of that name inside, with every text of the unit and a unit.yaml of its own. Programs and tables are shared.
const Base = "en"

// edition is a unit's folder as a reader of one language sees it.
type edition struct {
	whole    fs.FS
	language string
}

func (e edition) Open(name string) (fs.File, error) {
	if e.language != Base && isText(name) {
		name = path.Join(e.language, name)
	}
	return e.whole.Open(name)
}

// isText reports whether a file is written in a language: what is not lies in the unit's own folder once.
func isText(name string) bool {
	extension := path.Ext(name)
	return extension == ".md" || extension == ".yaml"
}

// names are the files of the edition, sorted: the texts of its own language and what all languages share.
func (e edition) names() []string {
	var names []string
	others := languagesOf(e.whole)
	// The folder was read when the unit was decoded: walking an embedded one does not fail.
	_ = fs.WalkDir(e.whole, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		language := Base
		if first, rest, ok := strings.Cut(name, "/"); ok && slices.Contains(others, first) {
			language, name = first, rest
		}
		if language == e.language || language == Base && !isText(name) {
			names = append(names, name)
		}
		return nil
	})
	slices.Sort(names)
	return names
}

// languagesOf are the languages beside Base in which a unit's folder has texts, sorted.
func languagesOf(folder fs.FS) []string {
	manifests, _ := fs.Glob(folder, "*/"+manifestName) // the pattern is well formed
	var list []string
	for _, m := range manifests {
		list = append(list, path.Dir(m))
	}
	return list
}

// Translations returns the embedded units in every language but Base.
func Translations() []*Unit {
	var list []*Unit
	asked := map[string]bool{Base: true}
	for _, u := range All() {
		for _, language := range u.Languages() {
			if asked[language] {
				continue
			}
			asked[language] = true
			for _, in := range In(language) {
				if in.Language() == language {
					list = append(list, in)
				}
			}
		}
	}
	return list
}

// Language is the language of the unit's texts.
func (u *Unit) Language() string { return u.files.language }

// Languages are all languages in which the unit exists, Base first.
func (u *Unit) Languages() []string { return append([]string{Base}, languagesOf(u.files.whole)...) }

// Place is the slash path of one of the unit's files from the folder of all units.
func (u *Unit) Place(name string) string {
	if u.Language() != Base && isText(name) {
		return path.Join(u.ID, u.Language(), name)
	}
	return path.Join(u.ID, name)
}

// Missing says what a unit in another language lacks of the original, and what it has beyond it, one part a line. Readers
// of both work through the same steps: only the words differ.
func Missing(original, translated *Unit) []string {
	want, have := skeleton(original), skeleton(translated)
	var list []string
	for _, part := range want {
		if !slices.Contains(have, part) {
			list = append(list, "lacks "+part)
		}
	}
	for _, part := range have {
		if !slices.Contains(want, part) {
			list = append(list, "has, and the original does not: "+part)
		}
	}
	if len(list) == 0 && !slices.Equal(want, have) {
		list = append(list, "has the same parts in another order")
	}
	return list
}

// skeleton is everything in a unit but its words.
func skeleton(u *Unit) []string {
	var parts []string
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	add("the unit as %s, %s, %d minutes, of %s, handoff %s, after %q, fault %q, card %q", u.ID, u.Role, u.Minutes, u.Exercise, u.Handoff, u.Continues, u.Fault, u.CardFile)
	if u.Pause != nil {
		add("the stopping place at %s after %d minutes, recap %s", u.Pause.Step, u.Pause.Minutes, u.Pause.Recap)
	}
	add("%d of the things assumed, %d objectives, %d limits", len(u.Assumes), len(u.Objectives), len(u.Limits))
	for _, r := range u.References {
		add("the reference %s", r.URL)
	}
	for _, item := range u.Submits {
		add("the submitted item %s", item.ID)
	}
	for i := range u.Steps {
		u.outline(&u.Steps[i], add)
	}
	card := u.card
	for i, t := range card.Terms {
		add("term %d of the card, defined in %s/%s, with %d checks, on the card: %t", i+1, t.Step, t.Page, len(t.Checked), t.Card)
	}
	for _, c := range card.Calls {
		add("the call %s of the card", c.Call)
	}
	add("%d slips and %d epochs on the card", len(card.Slips), len(card.Epochs))
	return parts
}

// outline adds the parts of one step.
func (u *Unit) outline(s *Step, add func(string, ...any)) {
	of := func(format string, args ...any) { add("step %s: "+format, append([]any{s.ID}, args...)...) }
	of("%s, %d minutes, within %q, optional %t, text %s", s.Kind, s.Minutes, s.Within, s.Optional, s.Text)
	of("pages %q, rereads %q, closed %t, notes %q, exercise %q, handoff %q, fault %q", s.Pages, s.Rereads, s.Closed, s.Notes, s.Exercise, s.Handoff, s.Fault)
	for _, slot := range s.Schedule {
		of("a slot of %d minutes", slot.Minutes)
	}
	for _, p := range u.pages[s.ID] {
		choices, right := 0, 0
		if p.Question != nil {
			choices, right = len(p.Question.Choices), p.Question.Right
		}
		of("page %s in %s, a question of %d choices of which %d is right, may be skipped: %t, and a check", p.ID, p.Text, choices, right, p.Skip)
		for _, e := range p.Examples {
			of("page %s, example %s, which asks for %v, again %t", p.ID, e.Name, e.Ask, e.Again != "")
		}
	}
	for _, e := range s.Examples {
		of("example %s, which asks for %v, again %t", e.Name, e.Ask, e.Again != "")
	}
	for _, p := range s.Prompts {
		of("question %s", p.ID)
	}
	of("a revision %t, a crash question %t, own probe %t, impostors %q, keeps %d cases", s.Revision != "", s.CrashQuestion != "", s.OwnProbe, s.Impostors, len(s.Keeps))
	if d := s.Demonstration; d != nil {
		of("the demonstration %s, %v", d.Source, observedFields(d.Observed))
	}
	if s.Find != nil {
		of("the line to find, with %q", s.Find.Call)
	}
	for _, g := range s.Gaps {
		of("gap %s", g.ID)
	}
	for _, c := range s.Challenges {
		of("challenge %s of %s, %v", c.ID, c.Probe, observedFields(c.Expect))
	}
	if t := s.Transfer; t != nil {
		of("the transfer %s in %q, from memory %t", t.Exercise, t.Folder, t.Memory)
	}
	for _, e := range s.Exhibits {
		of("the table %s", e.File)
	}
}

func observedFields(fields []Field) []string {
	var list []string
	for _, f := range fields {
		list = append(list, fmt.Sprintf("%s = %s by %q of %q", f.Field, f.Value, f.Query, f.Artifact))
	}
	return list
}
