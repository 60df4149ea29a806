package worker

import (
	"time"

	"fieldbook/grader"
	"fieldbook/runtime/operation"
	"fieldbook/runtime/world"
)

// Request is what the parent sends to a worker beside the program: what the world starts from. It holds nothing that the
// run is compared with.
type Request struct {
	Mode    Mode                   `json:"mode"`
	Seed    uint64                 `json:"seed"`
	Process int                    `json:"process"`
	Start   time.Time              `json:"start"`
	Learner []string               `json:"learner,omitempty"` // files whose calls a competitor waits for
	Case    map[string]world.Value `json:"case,omitempty"`
	Calls   [][]world.Value        `json:"calls,omitempty"`  // table: one argument list a call
	Fault   *Fault                 `json:"fault,omitempty"`  // probe: the operation that fails
	Starts  []Start                `json:"starts,omitempty"` // series: one run of the probe each
}

// Mode says how the program's entry is called.
type Mode string

// The modes, and the type that the entry must have.
const (
	Probe  Mode = "probe"  // func(context.Context, *world.World) (world.Observation, error)
	Series Mode = "series" // the same, once in each of several worlds
	Table  Mode = "table"  // any function, once for each argument list
	Main   Mode = "main"   // func()
)

// Start is where one run of a series begins. The files of its world lie in the folder of its number.
type Start struct {
	Process int    `json:"process"`
	Fault   *Fault `json:"fault,omitempty"`
}

// Reply is what a worker sends back in its one frame.
type Reply struct {
	Observation *world.Observation `json:"observation,omitempty"` // probe: it returned
	Error       string             `json:"error,omitempty"`       // probe: it returned an error
	Rows        []Row              `json:"rows,omitempty"`        // table
	Crash       *grader.Crash      `json:"crash,omitempty"`       // a panic that reached the probe's end
	Unfinished  bool               `json:"unfinished,omitempty"`  // exercise.Unfinished was called, recovered or not
	Fault       *operation.Entry   `json:"fault,omitempty"`       // the operation that the fault refused
	Series      []Reply            `json:"series,omitempty"`      // series: one a run; Unfinished says that nothing is known
}

// Row is how one call of a table ended: exactly one of Value, Raises, Crash, or Unfinished.
type Row struct {
	Value      world.Value   `json:"value"`
	Raises     string        `json:"raises,omitempty"`
	Crash      *grader.Crash `json:"crash,omitempty"`
	Unfinished bool          `json:"unfinished,omitempty"`
	Changed    bool          `json:"changed,omitempty"` // an argument was not the same after the call
}
