package author

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"fieldbook/cmd/proctor/examine"
	"fieldbook/exercises"
	"fieldbook/exercises/holdout"
	"fieldbook/exercises/strict"
	"fieldbook/grader"
	"fieldbook/grader/task"
	teaching "fieldbook/runtime"
)

// Marker stands in the files of a new exercise wherever the author must write something. What follows it says what.
const Marker = "WRITE:"

// The least that proves anything.
const (
	leastVariants = 1 // one correct answer in another style: the probes ask for behaviour, not for the solution's text
	leastWrong    = 3
)

// read checks what can be known without running anything. The subject is nil when the exercise cannot be run.
func (c *Checker) read(name string) (*subject, []Item) {
	files := c.Folders.files(name)
	unwritten := Item{Subject: name, Name: "everything is written"}
	markers := map[string]bool{} // "file:line"
	for _, f := range files {
		unwritten.mark(f, markers)
		if f.name == name+"/"+manifestName {
			c.references(&unwritten, f, markers)
		}
	}
	folder := Item{Subject: name, Name: "files of the exercise"}
	exercise, err := exercises.Read(sub(c.Folders.Exercises, name), name)
	folder.take(err, markers)
	texts := Item{Subject: name, Name: "texts", Saw: "keep the voice"}
	for _, f := range files {
		lintTexts(&texts, f, markers)
	}
	items := []*Item{&unwritten, &folder, &texts}
	var s *subject
	if exercise != nil {
		held := Item{Subject: name, Name: "files of the holdouts"}
		set, err := holdout.Read(sub(c.Folders.Holdouts, name), exercise)
		held.take(err, markers)
		c.strays(&held, name)
		items = append(items, &held)
		if set != nil {
			enough := Item{Subject: name, Name: "enough of everything"}
			count(&enough, set)
			items = append(items, &enough)
			s = c.subject(set)
		}
	}
	list := make([]Item, len(items))
	for i, item := range items {
		item.close()
		list[i] = *item
		if !item.Passed {
			s = ready(s, *item)
		}
	}
	return s, list
}

// references complains about the runtime's files that an exercise replaces: one that is still to be written, or that this
// program does not have. The text of exercise.yaml is enough to find them, before it can be decoded.
func (c *Checker) references(i *Item, manifest file, markers map[string]bool) {
	for _, found := range regexp.MustCompile(`(?m)^\s*-? *file: *(runtime/\S+\.go)`).FindAllSubmatch(manifest.text, -1) {
		name := string(found[1])
		carried, err := teaching.Source(name)
		text := carried
		if c.Folders.Module != nil {
			if own, err := fs.ReadFile(c.Folders.Module, name); err == nil {
				text = own
			}
		}
		i.mark(file{name, text}, markers)
		switch {
		case err != nil:
			i.complain(name, 0, "this program has no such file of the runtime: write it, run go generate ./runtime, and check with go run ./cmd/proctor")
		case !bytes.Equal(text, carried):
			i.complain(name, 0, "this program has another text of this file: check with go run ./cmd/proctor")
		}
	}
}

// mark complains about what is still to be written in a file, and notes the lines.
func (i *Item) mark(f file, markers map[string]bool) {
	for n, line := range bytes.Split(f.text, []byte("\n")) {
		if _, what, found := bytes.Cut(line, []byte(Marker)); found {
			i.complain(f.name, n+1, "still to be written: %s", strings.TrimSpace(string(what)))
			markers[fmt.Sprintf("%s:%d", f.name, n+1)] = true
		}
	}
}

// ready is the subject when an item leaves it runnable: texts and counts stop nothing.
func ready(s *subject, item Item) *subject {
	if item.Name == "texts" || item.Name == "enough of everything" {
		return s
	}
	return nil
}

func (c *Checker) subject(set *holdout.Set) *subject {
	s := &subject{checker: c, set: set, exercise: set.Exercise, draws: examine.Draws(set, c.Seeds)}
	s.bench = examine.New(set, func() (*task.Task, error) { return c.Engines[0].Tasks(set.Exercise) }, c.Parallel)
	return s
}

// sub is a folder of files; one that is not there is an empty one.
func sub(files fs.FS, name string) fs.FS {
	folder, err := fs.Sub(files, name)
	if err != nil { // a name that is no path
		return nowhere{}
	}
	return folder
}

type nowhere struct{}

func (nowhere) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// take makes complaints of an error of the readers. A complaint about a line that is still to be written says nothing new.
func (i *Item) take(err error, markers map[string]bool) {
	var list *strict.Error
	switch {
	case err == nil:
	case errors.As(err, &list):
		for _, d := range list.Diagnostics {
			if !markers[fmt.Sprintf("%s:%d", d.File, d.Line)] {
				i.Complaints = append(i.Complaints, d)
			}
		}
		if len(i.Complaints) == 0 {
			i.Complaints = append(i.Complaints, grader.Diagnostic{Code: "authoring", File: list.Diagnostics[0].File, Message: "the files can be read when everything is written"})
		}
	default:
		i.Complaints = append(i.Complaints, grader.Diagnostic{Code: "authoring", File: i.Subject, Message: err.Error()})
	}
}

// strays complains about what lies in a holdout folder and belongs to nothing.
func (c *Checker) strays(i *Item, name string) {
	entries, _ := fs.ReadDir(c.Folders.Holdouts, name)
	for _, entry := range entries {
		known := []string{casesName, "equivalent.yaml"}
		if entry.IsDir() {
			known = []string{"solution", "variants", "wrong", "cases"}
		}
		if !slices.Contains(known, entry.Name()) {
			i.complain(path.Join(holdoutName, name, entry.Name()), 0, "nothing is called so in a folder of holdouts; a name mistyped?")
		}
	}
}

// count complains where there is too little to prove anything, and about what stands twice.
func count(i *Item, set *holdout.Set) {
	folder := path.Join(holdoutName, set.Exercise.Name)
	if n := len(set.Variants); n < leastVariants {
		i.complain(folder+"/variants", 0, "there are %d variants; write at least %d correct answers in another style than the solution's", n, leastVariants)
	}
	if n := len(set.Wrong); n < leastWrong {
		i.complain(folder+"/wrong", 0, "there are %d wrong solutions; write at least %d, each with one mistake that a student would make", n, leastWrong)
	}
	texts := map[string]string{}
	for _, c := range slices.Concat([]holdout.Candidate{set.Solution}, set.Variants, set.Wrong) {
		_, text, _ := bytes.Cut(c.Text, []byte("\npackage "))
		if other, twice := texts[string(text)]; twice {
			i.complain(folder, 0, "%s and %s are the same text", other, c.Name)
		}
		texts[string(text)] = c.Name
	}
	i.Saw = fmt.Sprintf("%d cases, %d variants, %d wrong solutions", len(set.Cases), len(set.Variants), len(set.Wrong))
}
