package exercises

import (
	"fieldbook/runtime/operation"
	"fieldbook/runtime/world"
)

// Crash declares how the crashes of an exercise are explored: a run is recorded, a state of the disk is built for every
// instant at which it can end, and each state is judged by invariants. See package grader/crash.
type Crash struct {
	// Probe is a file in the folder. It makes the recorded run and ends when the learner's function has returned.
	Probe string `yaml:"probe"`
	// From and To are marks of that probe. The durable operations between them are those after which the run may end; the
	// files as they are at From are the durable base.
	From string `yaml:"from"`
	To   string `yaml:"to"`
	// Returned is what the probe observes when the learner's function returned no error.
	Returned Returned `yaml:"returned"`
	// Again is a probe in the folder that opens a state as a new process does and calls the learner's function once more.
	Again string `yaml:"again"`

	Values     []Reading   `yaml:"values"`
	Invariants []Invariant `yaml:"invariants"`
	Captions   []Caption   `yaml:"captions"` // words for the operations; those that none fits are told by their call
}

// Returned is a field of an observation and its value.
type Returned struct {
	Field string      `yaml:"field"`
	Value world.Value `yaml:"-"`
}

// Reading is a value that the parent reads in a state: the contents of a file as text, or one value out of a database. It is
// null where the file or the row is missing.
type Reading struct {
	Name string `yaml:"name"` // in expressions, a lower-case word
	Of   string `yaml:"of"`   // what the reader is told that it belongs to, "control row"; empty: it is not shown
	File string `yaml:"file"` // a path in the world

	Artifact string `yaml:"artifact"` // a database in the world,
	Query    string `yaml:"query"`    // and one SELECT of one value
}

// Invariant is what must hold in every state. Exactly one of Intact, Same, Unchanged, Holds and Reference says how it is
// judged.
type Invariant struct {
	ID   string `yaml:"id"`
	Text string `yaml:"text"`
	// Consequence says who can now not do what, where it is broken.
	Consequence string `yaml:"consequence"`

	Intact string `yaml:"intact"` // this database opens, with its log applied, and passes SQLite's integrity_check
	Same   string `yaml:"same"`   // this file has the bytes that it has in the base

	// Unchanged names a database: while the expression When is true, every row is the base's, except in the columns that
	// Except lists as "table.column".
	Unchanged string   `yaml:"unchanged"`
	When      string   `yaml:"when"`
	Except    []string `yaml:"except"`

	// Holds is an SQL expression over the names of Values that must be true; see BeforePrefix and
	// AfterPrefix.
	Holds string `yaml:"holds"`

	// Again judges the world that the probe Again leaves from the state, by Holds or by Reference: that world must be the
	// one that the exercise's reference leaves.
	Again     bool `yaml:"again"`
	Reference bool `yaml:"reference"`
}

// Prefixes that make the name of a value the same value at another moment.
const (
	BeforePrefix = "before_" // in the base
	AfterPrefix  = "after_"  // at the end of the recorded run
)

// Caption is words for operations that belong together: those that one of Seen matches, or whose call one matches.
type Caption struct {
	Place string  `yaml:"place"` // "image"
	Text  string  `yaml:"text"`  // "copy of the backup"; empty: what the operation does
	Seen  []Match `yaml:"seen"`
}

// Matches reports whether the caption fits an operation, given by its own entry or by that of its call.
func (c Caption) Matches(entry operation.Entry) bool { return Rule{Seen: c.Seen}.matches(entry) }
