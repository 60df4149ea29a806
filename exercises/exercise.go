// Package exercises is the registry of what a student writes: one folder an exercise, with exercise.yaml, starter, visible
// probe, hints, faults and transfer table, embedded as data. Go files in these folders carry //go:build exercise: editors
// and gofmt see them, the build does not. The package runs in the parent only, reads and checks the folders, and imports
// nothing of ours but the words of package grader and the runtime's values. It never holds holdouts: those are in
// exercises/holdout, which only the instructor's command imports.
package exercises

import (
	"io/fs"
	"path"

	"fieldbook/grader"
	"fieldbook/runtime/world"
)

// Kind says how an exercise drives the learner's functions.
type Kind string

const (
	// Source replaces a function of the copied runtime; a probe drives the runtime.
	Source Kind = "source"
	// Direct calls the function with a table of cases.
	Direct Kind = "direct"
)

// Exercise is one folder, strictly decoded from its exercise.yaml.
type Exercise struct {
	Name    string        `yaml:"name"` // the folder's name
	Title   string        `yaml:"title"`
	Summary string        `yaml:"summary"` // one paragraph: what the function must do
	Kind    Kind          `yaml:"kind"`
	Profile string        `yaml:"profile"` // the sandbox's: pure or scratch
	Limits  grader.Limits `yaml:"limits"`

	Replaces []Replaced `yaml:"replaces"` // files of the copied runtime that the learner writes

	Probe       string        `yaml:"probe"`       // file in the folder; package probe, func Probe
	Expectation []Expectation `yaml:"expectation"` // what the visible probe must observe (Source)
	Contract    []Rule        `yaml:"contract"`    // lines shown beside the editor; seen or not in the operation log
	Table       []TableCase   `yaml:"table"`       // visible cases (Direct)
	Events      []string      `yaml:"events"`      // kinds of rows of `events` that count when worlds are compared
	Hints       []Hint        `yaml:"hints"`
	Faults      []Fault       `yaml:"faults"`
	Impostors   []Impostor    `yaml:"impostors"` // wrong functions that the learner's own cases must tell apart (Direct)
	Crash       *Crash        `yaml:"crash"`     // how its crashes are explored; nil: they are not (Source)
	Transfer    string        `yaml:"transfer"`  // name of the exercise that transfers this one; may be empty
	Scenarios   *Scenarios    `yaml:"scenarios"` // how it is run as a program of its own; nil: it is not (Source)

	files fs.FS // the folder
}

// Replaced is one file of the copied runtime that a learner's file takes the place of.
type Replaced struct {
	File      string     `yaml:"file"`    // "runtime/assistant/restore.go"
	Starter   string     `yaml:"starter"` // file in the exercise's folder
	Functions []Function `yaml:"functions"`
}

// Function is a function that a file must declare, with its exact type; parameter names are free.
type Function struct {
	Name      string `yaml:"name"`
	Signature string `yaml:"signature"` // "func(ctx context.Context, db *database.Database, source string) error"
}

// Package is the name of the package that the file belongs to.
func (r Replaced) Package() string { return path.Base(path.Dir(r.File)) }

// Expectation is one field of an observation, what it must be, and where the parent reads it itself.
type Expectation struct {
	Field    string      `yaml:"field"`
	Expected world.Value `yaml:"-"`
	Meaning  string      `yaml:"meaning"` // one sentence for the reader
	// From names the source for the reader: "what Restore returned", "shop.sqlite, assistant_control.paused".
	From string `yaml:"from"`
	// Artifact and Query read the field from a database that the run left, after the worker has gone; the result, one
	// value cast to the kind of Expected, wins over the observation. A .json or .jsonl file is a database with one table,
	// document(number, value): a row for the file or for each line, none where the file is missing. Empty: the observation
	// alone knows.
	Artifact string `yaml:"artifact"`
	Query    string `yaml:"query"`
}

// Rule is one line of an exercise's contract and how the operation log shows it: the first entry that one of Seen
// matches. A rule whose Before names another rule must be seen earlier than that one, else it was seen too late. Follow
// reads a log by these rules.
type Rule struct {
	ID     string  `yaml:"id"`
	Text   string  `yaml:"text"`
	Seen   []Match `yaml:"seen"`
	Before string  `yaml:"before"`
}

// Match selects log entries; an empty part matches everything. Kind and Name are matched exactly; Path, Subject and
// Detail contain their text, in upper or lower case.
type Match struct {
	Kind    string `yaml:"kind"`
	Name    string `yaml:"name"`
	Path    string `yaml:"path"`
	Subject string `yaml:"subject"`
	Detail  string `yaml:"detail"`
}

// TableCase is one call of a direct exercise's function.
type TableCase struct {
	Name     string        `yaml:"name"`
	Args     []world.Value `yaml:"-"`
	Expected world.Value   `yaml:"-"`
	Raises   string        `yaml:"raises"` // name of an expected error, instead of Expected
}

// Impostor is a plausible wrong function: a set of cases that accepts it says less than it seems to.
type Impostor struct {
	Name    string `yaml:"name"`
	Summary string `yaml:"summary"` // what it does, shown when a case has told it apart
	File    string `yaml:"file"`    // in the folder
}

// Hint is one of the hints, opened one at a time: design, boundary, structure.
type Hint struct {
	Kind string `yaml:"kind"`
	Text string `yaml:"text"`
}

// FaultKind says how a fault is made.
type FaultKind string

const (
	Matched FaultKind = "matched" // the smallest edit of the learner's own function that gives the broken behaviour
	Seam    FaultKind = "seam"    // a supplied call misbehaves once
	Swap    FaultKind = "swap"    // the author's broken function, labelled SUPPLIED_FAULT
)

// Fault is a deliberate defect that Unit B injects.
type Fault struct {
	Name        string    `yaml:"name"`
	Kind        FaultKind `yaml:"kind"`
	Summary     string    `yaml:"summary"`
	Consequence []string  `yaml:"consequence"` // what it causes, one line a step, shown before the diff
	// Probe is a file in the folder: it leaves the world whose difference decides (Matched). The injected world may
	// differ from the learner's own in the cells listed in Differs alone.
	Probe   string `yaml:"probe"`
	Differs []Cell `yaml:"differs"`
	// Broken is what the visible probe must observe under the fault.
	Broken   []BrokenField `yaml:"broken"`
	Supplied string        `yaml:"supplied"` // the author's broken function, for Swap and as the last resort of Matched
}

// Cell names a cell of a world: the database file, table, column, and the value it has under the fault.
type Cell struct {
	Database string      `yaml:"database"`
	Table    string      `yaml:"table"`
	Column   string      `yaml:"column"`
	Value    world.Value `yaml:"-"`
}

// BrokenField is a field of the observation under a fault.
type BrokenField struct {
	Field string      `yaml:"field"`
	Value world.Value `yaml:"-"`
}

// Function is the function of a direct exercise.
func (e *Exercise) Function() Function {
	if len(e.Replaces) == 0 || len(e.Replaces[0].Functions) == 0 {
		return Function{}
	}
	return e.Replaces[0].Functions[0]
}

// File reads a file of the exercise's folder.
func (e *Exercise) File(name string) ([]byte, error) { return fs.ReadFile(e.files, name) }
