package grader

import (
	"fieldbook/runtime/operation"
	"fieldbook/runtime/world"
)

// Report is everything one execution shows: what a command prints, the app draws and --json writes.
type Report struct {
	Exercise    string             `json:"exercise"`
	Label       string             `json:"label"` // VISIBLE, MY_TRANSFER, YOUR_BASELINE, INJECTED_FAILURE, YOUR_REPAIR, a holdout's name
	Outcome     Outcome            `json:"outcome"`
	Verdict     Verdict            `json:"verdict"`
	Cause       string             `json:"cause,omitempty"` // one sentence; empty only for Observed
	Hint        string             `json:"hint,omitempty"`  // what to do about the cause
	Fields      []Field            `json:"fields,omitempty"`
	Diagnostics []Diagnostic       `json:"diagnostics,omitempty"`
	Crash       *Crash             `json:"crash,omitempty"`
	Observation *world.Observation `json:"observation,omitempty"`
	Operations  []operation.Entry  `json:"operations,omitempty"`
	Stages      []Stage            `json:"stages,omitempty"`
	Output      Output             `json:"output"`
	Environment Environment        `json:"environment"`
}

// Crash is a panic of the learner's code, in Go's wording, at the learner's own line when it is known.
type Crash struct {
	Kind    string `json:"kind"` // "nil dereference", "index out of range", "panic", …
	Message string `json:"message"`
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
}

// Output is what the learner's code printed, made safe to show: control and escape characters visible, head and tail kept.
type Output struct {
	Text    string `json:"text,omitempty"`
	Total   int64  `json:"total_bytes"`
	Omitted int64  `json:"omitted_bytes,omitempty"` // cut out of the middle of Text
	Whole   string `json:"-"`                       // when something was cut out: all that was kept of it, as safe to show
	File    string `json:"file,omitempty"`          // where Whole was written, when it was
}

// Stage is the world at one moment of a run: a mark of the probe, the return of the learner's function, or the end.
type Stage struct {
	Label    string   `json:"label"`
	Snapshot Snapshot `json:"snapshot"`
}

// Snapshot is a world read by the parent: every table and row of every database, and every other file.
type Snapshot struct {
	Databases []DatabaseSnapshot `json:"databases"` // by path
	Files     []FileSnapshot     `json:"files"`     // by path; databases and their -wal, -shm, -journal left out
}

// DatabaseSnapshot is one SQLite file with its log applied.
type DatabaseSnapshot struct {
	Path   string  `json:"path"`
	Tables []Table `json:"tables"` // by name
}

// Table is a table's rows in primary-key (rowid) order, cells with their SQLite types (Null, Int, Float, String; a blob is a String "x'…'").
type Table struct {
	Name    string          `json:"name"`
	Columns []string        `json:"columns"`
	Rows    [][]world.Value `json:"rows"`
}

// FileSnapshot is a regular file. Text is its contents when they are printable and at most 4 KiB.
type FileSnapshot struct {
	Path   string `json:"path"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
	Text   string `json:"text,omitempty"`
}
