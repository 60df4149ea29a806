package crash

import (
	"slices"
	"time"

	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/probe"
	"fieldbook/runtime/operation"
)

// Matrix is what an exploration shows: for every instant at which the recorded run may end, and every invariant, whether it
// holds.
type Matrix struct {
	Exercise string         `json:"exercise"`
	Verdict  grader.Verdict `json:"verdict"`

	// Outcome is the recorded run's. Unless it is observed, and the function returned no error, nothing was explored, and
	// Cause says why.
	Outcome grader.Outcome `json:"outcome"`
	Cause   string         `json:"cause,omitempty"`
	Hint    string         `json:"hint,omitempty"`
	Crash   *grader.Crash  `json:"crash,omitempty"`

	Invariants  []Column           `json:"invariants"`
	Operations  []Operation        `json:"operations"` // the first has number 1
	Points      []Point            `json:"points"`     // one more than there are operations
	Rows        []Row              `json:"rows"`       // points that belong together and have the same cells
	States      []State            `json:"states"`     // distinct ones
	Explored    int                `json:"explored"`   // states before equal ones were merged
	Faults      []Injected         `json:"faults"`
	Elapsed     time.Duration      `json:"elapsed_ns"`
	Environment grader.Environment `json:"environment"`
}

// Column is an invariant.
type Column struct {
	ID          string   `json:"id"`
	Text        string   `json:"text"`
	Consequence string   `json:"consequence,omitempty"`
	Files       []string `json:"files,omitempty"` // that it is judged by: what a power loss takes from them can break it
}

// Operation is a durable operation of the recorded run.
type Operation struct {
	Number int            `json:"number"`
	Kind   operation.Kind `json:"kind"`
	Path   string         `json:"path"`
	To     string         `json:"to,omitempty"`
	Bytes  int            `json:"bytes,omitempty"`
	Call   string         `json:"call,omitempty"`   // the call that asked for it, "database.CopyInto"
	Detail string         `json:"detail,omitempty"` // of the call
	File   string         `json:"file,omitempty"`   // where the call is written
	Line   int            `json:"line,omitempty"`
	Yours  bool           `json:"yours,omitempty"` // File is one that the learner writes

	entry, call operation.Entry
}

// Point is the instant after some of the operations.
type Point struct {
	After     int        `json:"after"`
	Instances []Instance `json:"instances"`
	Cells     []Cell     `json:"cells"`              // one an invariant, in their order
	Unsynced  []Unsynced `json:"unsynced,omitempty"` // files whose contents a power loss takes
}

// Cell says under which models an invariant does not hold at a point.
type Cell struct {
	Broken []Model `json:"broken,omitempty"`
	Unread []Model `json:"unread,omitempty"` // cannot be told, since the state cannot be read
}

// Holds reports whether the invariant holds under every model.
func (c Cell) Holds() bool { return len(c.Broken) == 0 && len(c.Unread) == 0 }

// Unsynced is a file with changes that were not synced by then.
type Unsynced struct {
	Path  string `json:"path"`  // its name at that point
	First int    `json:"first"` // number of the first operation that was not synced
}

// State is a distinct state with its findings, one an invariant, in their order.
type State struct {
	Facts    []Fact    `json:"facts"`
	Findings []Finding `json:"findings"`
}

// Row is a run of points, in words.
type Row struct {
	First   int      `json:"first"`
	Last    int      `json:"last"`
	Place   string   `json:"place,omitempty"`
	What    string   `json:"what"`
	Summary []string `json:"summary,omitempty"` // of several operations: "42 writes", "not synced"
	File    string   `json:"file,omitempty"`
	Line    int      `json:"line,omitempty"`  // of the call that asked for the operations; 0: unknown
	Yours   bool     `json:"yours,omitempty"` // File is one that the learner writes
	Cells   []Cell   `json:"cells"`
}

// Injected is what one refused operation led to. The rule: an error comes back, or the complete end state is there; and in
// either case the invariants hold.
type Injected struct {
	Operation int             `json:"operation"`
	Kind      probe.FaultKind `json:"kind"`
	Reached   bool            `json:"reached"`            // false: the run never came to this operation
	Returned  string          `json:"returned,omitempty"` // the error that came back; empty for none
	Broken    []Breach        `json:"broken,omitempty"`
}

// Holds reports whether the rule was kept.
func (i Injected) Holds() bool { return len(i.Broken) == 0 }

// Breach is what a refused operation broke.
type Breach struct {
	Invariant string `json:"invariant"`       // "" for the rule that an error comes back or the end is complete
	Model     Model  `json:"model,omitempty"` // what had to happen besides: "" nothing, Lost a power loss afterwards
	Reason    string `json:"reason"`
}

// Holds reports whether every cell of the matrix holds, and every refused operation kept the rule.
func (m *Matrix) Holds() bool {
	for _, p := range m.Points {
		if slices.ContainsFunc(p.Cells, func(c Cell) bool { return !c.Holds() }) {
			return false
		}
	}
	return !slices.ContainsFunc(m.Faults, func(i Injected) bool { return !i.Holds() })
}

// Broken returns the first point at which an invariant is broken under some model, and the states that break it there.
func (m *Matrix) Broken(invariant string) (after int, states []Instance, broken bool) {
	column := slices.IndexFunc(m.Invariants, func(c Column) bool { return c.ID == invariant })
	if column < 0 {
		return 0, nil, false
	}
	for _, p := range m.Points {
		if len(p.Cells[column].Broken) == 0 {
			continue
		}
		for _, i := range p.Instances {
			if m.States[i.State].Findings[column].Verdict == Broken {
				states = append(states, i)
			}
		}
		return p.After, states, true
	}
	return 0, nil, false
}

// cells derives the cells of a point from the findings in its states.
func (m *Matrix) cells(instances []Instance) []Cell {
	cells := make([]Cell, len(m.Invariants))
	for _, i := range instances {
		for column, finding := range m.States[i.State].Findings {
			c := &cells[column]
			if finding.Verdict == Broken && !slices.Contains(c.Broken, i.Model) {
				c.Broken = append(c.Broken, i.Model)
			}
			if finding.Verdict == Unread && !slices.Contains(c.Unread, i.Model) {
				c.Unread = append(c.Unread, i.Model)
			}
		}
	}
	return cells
}

func columns(crash *exercises.Crash) []Column {
	var list []Column
	for _, v := range crash.Invariants {
		list = append(list, Column{ID: v.ID, Text: v.Text, Consequence: v.Consequence, Files: filesBehind(crash, v)})
	}
	return list
}

// filesBehind lists the files that an invariant is judged by, each once: a database's log is one of them.
func filesBehind(crash *exercises.Crash, v exercises.Invariant) []string {
	var files []string
	add := func(names ...string) {
		for _, name := range names {
			if name != "" && !slices.Contains(files, name) {
				files = append(files, name)
			}
		}
	}
	add(v.Same)
	databases := []string{v.Intact, v.Unchanged}
	for _, word := range exercises.Words(v.Holds + " " + v.When) {
		for _, r := range crash.Values {
			if r.Name == word {
				add(r.File)
				databases = append(databases, r.Artifact)
			}
		}
	}
	for _, name := range databases {
		if name != "" {
			add(name, name+"-wal")
		}
	}
	return files
}
