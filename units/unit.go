// Package units is what a student reads and does, in order: one folder a unit, with unit.yaml and the Markdown of its
// steps, embedded as data. Units come in pairs: A constructs a mechanism, B breaks and repairs it. The package runs in the
// parent only, reads and checks the folders, and imports nothing of ours but the strict reader of authors' files.
package units

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"fieldbook/exercises/strict"
	"fieldbook/grader"
)

// Edition names this course; a handoff of another edition is refused. EditionDate is the day on which its texts were
// last changed.
const (
	Edition     = "student"
	EditionDate = "2026-11-29"
)

// Role says which half of a pair a unit is.
type Role string

// The roles.
const (
	Constructs Role = "construct" // unit A: writes the mechanism
	Breaks     Role = "break"     // unit B: starts from a handoff, breaks and repairs it
)

// Unit is one folder, strictly decoded from its unit.yaml.
type Unit struct {
	ID       string   `yaml:"id"` // the folder's name
	Title    string   `yaml:"title"`
	Question string   `yaml:"question"` // the one question that the unit answers
	Role     Role     `yaml:"role"`
	Minutes  int      `yaml:"minutes"` // planned; an estimate
	Assumes  []string `yaml:"assumes"` // what a student must know already; everything else is taught
	// Objectives are what a student can do afterwards, Limits what a passing unit does not prove.
	Objectives []string    `yaml:"objectives"`
	Limits     []string    `yaml:"limits"`
	References []Reference `yaml:"references"`
	Exercise   string      `yaml:"exercise"`
	Handoff    string      `yaml:"handoff"` // name of the file that carries its result
	// Continues is the unit whose handoff this one starts from (Breaks).
	Continues string `yaml:"continues"`
	Fault     string `yaml:"fault"` // of the exercise, injected by this unit (Breaks); a step may inject another
	CardFile  string `yaml:"card"`  // file of the card; empty: the card of the unit that this one continues
	Pause     *Pause `yaml:"pause"`
	// Submits is what the submission will hold, shown from the beginning.
	Submits []Item `yaml:"submits"`
	Steps   []Step `yaml:"steps"`

	files  edition
	card   Card
	pages  map[string][]Page // of the steps that have some, by id
	before *Unit             // the unit that this one continues; nil when it was read alone
}

// Reference is a text outside the course.
type Reference struct {
	Title string `yaml:"title"`
	URL   string `yaml:"url"`
	For   string `yaml:"for"` // what to read there
}

// Pause is the stopping place of a unit.
type Pause struct {
	Minutes int    `yaml:"minutes"` // planned minutes after which the app offers it
	Step    string `yaml:"step"`    // whose text says that this is a good place to stop
	Recap   string `yaml:"recap"`   // Markdown file shown when the student comes back
}

// Item is one thing that is submitted.
type Item struct {
	ID   string `yaml:"id"`
	What string `yaml:"what"`
}

//go:embed *-a *-b
var folders embed.FS

const manifestName = "unit.yaml"

// All returns the embedded units in Base, each pair together, in the order of their names.
func All() []*Unit { return In(Base) }

// In returns the embedded units for a reader of a language: each in that language, or in Base where it has no other. They
// are decoded at each call. A folder that does not decode is a mistake of the build, which the package's tests refuse: In
// panics.
func In(language string) []*Unit {
	entries, _ := fs.ReadDir(folders, ".") // the root of an embed.FS is always there
	var all []*Unit
	for _, entry := range entries {
		folder, err := fs.Sub(folders, entry.Name())
		if err != nil {
			continue
		}
		if _, err := fs.Stat(folder, manifestName); err != nil {
			continue
		}
		read := Base
		if slices.Contains(languagesOf(folder), language) {
			read = language
		}
		u, err := ReadIn(folder, entry.Name(), read)
		if err != nil {
			panic(fmt.Sprintf("units: the embedded folder %s is not valid:\n%v", entry.Name(), err))
		}
		all = append(all, u)
	}
	for _, u := range all {
		if i := slices.IndexFunc(all, func(first *Unit) bool { return first.ID == u.Continues }); i >= 0 {
			u.before = all[i]
		}
	}
	return all
}

// Named returns the unit of that name among list, or an error that lists the names there are.
func Named(list []*Unit, name string) (*Unit, error) {
	var known []string
	for _, u := range list {
		if u.ID == name {
			return u, nil
		}
		known = append(known, u.ID)
	}
	return nil, &grader.Error{
		Code:    "unknown_unit",
		Message: fmt.Sprintf("there is no unit %q", name),
		Hint:    fmt.Sprintf("The units are: %s.", strings.Join(known, ", ")),
		Exit:    grader.ExitUsage,
	}
}

// ExerciseOf is the name of the exercise that a step works on.
func (u *Unit) ExerciseOf(s *Step) string { return cmp.Or(s.Exercise, u.Exercise) }

// FaultOf is the fault that a step injects or diagnoses.
func (u *Unit) FaultOf(s *Step) string { return cmp.Or(s.Fault, u.Fault) }

// HandoffOf is the name of the file that carries a passing run of an exercise that this unit works on; "" when it writes
// none for that exercise.
func (u *Unit) HandoffOf(exercise string) string {
	if exercise == u.Exercise {
		return u.Handoff
	}
	for _, s := range u.Steps {
		if s.Exercise == exercise && s.Handoff != "" {
			return s.Handoff
		}
	}
	return ""
}

// Step returns the step of that name, nil when there is none.
func (u *Unit) Step(id string) *Step {
	i := slices.IndexFunc(u.Steps, func(s Step) bool { return s.ID == id })
	if i < 0 {
		return nil
	}
	return &u.Steps[i]
}

// File reads a file of the unit's folder.
func (u *Unit) File(name string) ([]byte, error) { return fs.ReadFile(u.files, name) }

// Names are the slash paths of all files of the unit in its language, sorted.
func (u *Unit) Names() []string { return u.files.names() }

// ReadFolder decodes and checks one unit's folder in Base; name is the folder's name and begins every position in the
// errors. The error is a *strict.Error.
func ReadFolder(folder fs.FS, name string) (*Unit, error) { return ReadIn(folder, name, Base) }

// ReadIn is ReadFolder for the texts of one language.
func ReadIn(folder fs.FS, name, language string) (*Unit, error) {
	u := &Unit{ID: name, files: edition{folder, language}, pages: map[string][]Page{}}
	file := u.Place(manifestName)
	text, err := u.File(manifestName)
	if err != nil {
		return nil, &strict.Error{Diagnostics: []grader.Diagnostic{{Code: strict.Code, File: file, Message: "the file cannot be read: " + err.Error()}}}
	}
	u.ID = "" // the manifest says it again
	doc, err := strict.Decode(file, text, u)
	if err != nil {
		return nil, err
	}
	c := check{unit: u, folder: name, file: file, doc: doc}
	c.all()
	if len(c.found) > 0 {
		return nil, &strict.Error{Diagnostics: c.found}
	}
	return u, nil
}
