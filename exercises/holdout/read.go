package holdout

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"fieldbook/exercises"
	"fieldbook/exercises/internal/gofile"
	"fieldbook/exercises/strict"
	"fieldbook/grader"
)

// Read decodes and checks the holdouts of one exercise; folder is the exercise's, below holdout. It reads files and runs
// nothing. The error is a *strict.Error.
func Read(folder fs.FS, exercise *exercises.Exercise) (*Set, error) {
	r := &reader{folder: folder, name: "holdout/" + exercise.Name, set: &Set{Exercise: exercise, files: folder}}
	if n := len(exercise.Replaces); n != 1 {
		r.complain(r.name, 0, "%s replaces %d files; an answer is one file", exercise.Name, n)
		return nil, strict.Join(r.found)
	}
	r.cases()
	r.equivalents()
	if solution := r.candidates("solution"); len(solution) == 1 {
		r.set.Solution = solution[0]
	} else {
		r.complain(r.name+"/solution", 0, "there are %d solutions; there must be one", len(solution))
	}
	r.set.Variants = r.candidates("variants")
	r.set.Wrong = r.candidates("wrong")
	for _, c := range r.set.Wrong {
		if c.Mistake == "" {
			r.complain(r.name+"/wrong/"+c.Name+".go", 0, "the comment of the function must begin with %q and say what is wrong", mistake)
		}
	}
	for _, name := range r.set.Visible {
		if !slices.ContainsFunc(r.set.Wrong, func(c Candidate) bool { return c.Name == name }) {
			r.complain(r.name+"/"+casesName, 0, "visible names %q, which is no wrong solution", name)
		}
	}
	if err := strict.Join(r.found); err != nil {
		return nil, err
	}
	return r.set, nil
}

type reader struct {
	folder fs.FS
	name   string // "holdout/restore"
	set    *Set
	found  []grader.Diagnostic
}

func (r *reader) complain(file string, line int, format string, args ...any) {
	r.found = append(r.found, strict.Complaint(file, line, format, args...))
}

// mistake begins the comment of a wrong solution's function.
const mistake = "Mistake: "

// candidates reads the answers in one of the folders, sorted by name. One that must not be type-checked, because it imports
// what does not exist, is called NAME.go.txt.
func (r *reader) candidates(kind string) []Candidate {
	entries, err := fs.ReadDir(r.folder, kind)
	if err != nil && kind == "solution" {
		r.complain(r.name+"/"+kind, 0, "the folder cannot be read: %v", err)
	}
	var list []Candidate
	for _, entry := range entries {
		bare, foreign := strings.CutSuffix(entry.Name(), ".txt")
		name, isGo := strings.CutSuffix(bare, ".go")
		where := path.Join(r.name, kind, entry.Name())
		if !isGo || entry.IsDir() {
			r.complain(where, 0, "only NAME.go and NAME.go.txt belong here")
			continue
		}
		text, err := fs.ReadFile(r.folder, path.Join(kind, entry.Name()))
		if err != nil {
			r.complain(where, 0, "the file cannot be read: %v", err)
			continue
		}
		list = append(list, Candidate{Name: name, Mistake: r.answer(where, text), File: r.set.Exercise.Replaces[0].File, Text: text, Foreign: foreign})
	}
	return list
}

// answer checks a candidate and returns the mistake that its function's comment states.
func (r *reader) answer(where string, text []byte) string {
	file := r.parse(where, text)
	if file == nil {
		return ""
	}
	stated := ""
	replaced := r.set.Exercise.Replaces[0]
	r.found = append(r.found, file.InPackage(replaced.Package())...)
	for _, f := range replaced.Functions {
		r.found = append(r.found, file.Declares(f.Name, f.Signature)...)
		if text, ok := strings.CutPrefix(file.Comment(f.Name), mistake); ok {
			stated = strings.Join(strings.Fields(text), " ")
		}
	}
	return stated
}

// parse reads a Go file and insists on its canary.
func (r *reader) parse(where string, text []byte) *gofile.File {
	file, found := gofile.Parse(where, text)
	r.found = append(r.found, found...)
	if lines := strings.SplitN(string(text), "\n", 4); len(lines) < 4 || !strings.HasPrefix(lines[2], "// "+Canary+" ") {
		r.complain(where, 3, "the third line must be the canary, // %s and what the file is", Canary)
	}
	return file
}

func (r *reader) cases() {
	where := r.name + "/" + casesName
	text, err := fs.ReadFile(r.folder, casesName)
	if err != nil {
		r.complain(where, 0, "the file cannot be read: %v", err)
		return
	}
	var list struct {
		Visible []string `yaml:"visible"`
		Cases   []Case   `yaml:"cases"`
	}
	doc, err := strict.Decode(where, text, &list)
	if refused := (*strict.Error)(nil); errors.As(err, &refused) {
		r.found = append(r.found, refused.Diagnostics...)
		return
	}
	if len(list.Cases) == 0 {
		r.complain(where, doc.Line("cases"), "there are no cases")
	}
	used := map[string]bool{}
	for i := range list.Cases {
		c := &list.Cases[i]
		if c.Weight == 0 {
			c.Weight = 1
		}
		for _, complaint := range r.check(c) {
			r.complain(where, doc.Line("cases", i), "%s: %s", c.Name, complaint)
		}
		if used[c.Name] {
			r.complain(where, doc.Line("cases", i), "the case %q stands twice", c.Name)
		}
		used[c.Name], used[c.ProbeFile] = true, true
	}
	r.set.Cases, r.set.Visible = list.Cases, list.Visible
	entries, _ := fs.ReadDir(r.folder, "cases") // missing: a direct exercise
	for _, entry := range entries {
		if !used[entry.Name()] {
			r.complain(path.Join(r.name, "cases", entry.Name()), 0, "%s does not name this file", casesName)
		}
	}
}

// check says what is wrong with one case, and reads its probe.
func (r *reader) check(c *Case) (complaints []string) {
	complain := func(format string, args ...any) { complaints = append(complaints, fmt.Sprintf(format, args...)) }
	if c.Name == "" || c.Holds == "" {
		complain("a case needs a name and, under holds, what it holds")
	}
	if c.Weight < 0 {
		complain("the weight is negative")
	}
	if c.Compare != FieldsOnly && c.Compare != World {
		complain("compare is %q; leave it out or write %s", c.Compare, World)
	}
	if r.set.Exercise.Kind == exercises.Direct {
		if len(c.Calls) == 0 || c.ProbeFile != "" || len(c.Expectation) > 0 || len(c.Log) > 0 || c.Compare != FieldsOnly {
			complain("a case of a direct exercise has calls, and neither probe nor expectation nor log nor compare")
		}
		for _, call := range c.Drawn(0) {
			if err := exercises.Callable(r.set.Exercise.Function().Signature, call); err != nil {
				complain("%s: %v", call.Name, err)
			}
		}
		return complaints
	}
	if len(c.Calls) > 0 || len(c.Expectation) == 0 {
		complain("a case of a source exercise has a probe and an expectation, and no calls")
	}
	text, err := fs.ReadFile(r.folder, path.Join("cases", c.ProbeFile))
	if err != nil {
		complain("the probe cannot be read: %v", err)
		return complaints
	}
	c.Probe = text
	where := path.Join(r.name, "cases", c.ProbeFile)
	if file := r.parse(where, text); file != nil {
		r.found = append(r.found, file.InPackage("probe")...)
		r.found = append(r.found, file.Declares("Probe", gofile.Probe)...)
	}
	ids := map[string]bool{}
	for _, rule := range c.Log {
		ids[rule.ID] = true
	}
	if slices.ContainsFunc(c.Log, func(r exercises.Rule) bool { return r.Before != "" && !ids[r.Before] }) {
		complain("a rule of log names under before a rule that is not there")
	}
	return complaints
}
