package probe

import (
	"encoding/json"
	"fmt"
	"time"

	"fieldbook/grader"
	"fieldbook/grader/engine"
	"fieldbook/runtime/operation"
	"fieldbook/runtime/world"
)

// request is what the parent sends to a worker: the prepared program and what the world starts from. It holds nothing
// that the run is compared with.
type request struct {
	Program *engine.Prepared       `json:"program"`
	Mode    mode                   `json:"mode"`
	Seed    uint64                 `json:"seed"`
	Process int                    `json:"process"`
	Start   time.Time              `json:"start"`
	Learner []string               `json:"learner,omitempty"` // files whose calls a competitor waits for
	Case    map[string]world.Value `json:"case,omitempty"`
	Calls   [][]world.Value        `json:"calls,omitempty"`  // table: one argument list a call
	Fault   *Fault                 `json:"fault,omitempty"`  // probe: the operation that fails
	Starts  []start                `json:"starts,omitempty"` // series: one run of the probe each
}

// mode says how the program's entry is called.
type mode string

const (
	probeMode  mode = "probe"  // func(context.Context, *world.World) (world.Observation, error)
	seriesMode mode = "series" // the same, once in each of several worlds
	tableMode  mode = "table"  // any function, once for each argument list
	mainMode   mode = "main"   // func()
)

// reply is what a worker sends back in its one frame.
type reply struct {
	Observation *world.Observation `json:"observation,omitempty"` // probe: it returned
	Error       string             `json:"error,omitempty"`       // probe: it returned an error
	Rows        []Row              `json:"rows,omitempty"`        // table
	Crash       *grader.Crash      `json:"crash,omitempty"`       // a panic that reached the probe's end
	Unfinished  bool               `json:"unfinished,omitempty"`  // exercise.Unfinished was called, recovered or not
	Fault       *operation.Entry   `json:"fault,omitempty"`       // the operation that the fault refused
	Series      []seriesReply      `json:"series,omitempty"`
}

// Row is how one call of a table ended: exactly one of Value, Raises, Crash, or Unfinished.
type Row struct {
	Value      world.Value   `json:"value"`
	Raises     string        `json:"raises,omitempty"`
	Crash      *grader.Crash `json:"crash,omitempty"`
	Unfinished bool          `json:"unfinished,omitempty"`
	Changed    bool          `json:"changed,omitempty"` // an argument was not the same after the call
}

func encodeRequest(r request) ([]byte, error) {
	data, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("encode the request to a worker: %w", err)
	}
	return data, nil
}

// decodeReply reads a frame. A frame is written by our own code in the worker, but learner code shares that process: what
// does not decode is no observation.
func decodeReply(data []byte) (reply, error) {
	var r reply
	if err := json.Unmarshal(data, &r); err != nil {
		return reply{}, fmt.Errorf("decode the worker's reply: %w", err)
	}
	return r, nil
}
