package probe

import (
	"encoding/json"
	"fmt"

	"fieldbook/grader/engine"
	"fieldbook/grader/probe/worker"
)

// What travels to a worker and back as it is.
type (
	Fault     = worker.Fault
	FaultKind = worker.FaultKind
	Row       = worker.Row
)

// The kinds of fault.
const (
	NoSpace    = worker.NoSpace
	TornWrite  = worker.TornWrite
	FailedSync = worker.FailedSync
)

// message is a request with the program that it is for.
type message = worker.Message[engine.Prepared]

func encodeRequest(program *engine.Prepared, r worker.Request) ([]byte, error) {
	m := message{Request: r, Program: program}
	if program.Binary != "" {
		m.Program = nil // the worker is the program
	}
	data, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("encode the request to a worker: %w", err)
	}
	return data, nil
}

// decodeReply reads a frame. A frame is written by our own code in the worker, but learner code shares that process: what
// does not decode is no observation.
func decodeReply(data []byte) (worker.Reply, error) {
	var r worker.Reply
	if err := json.Unmarshal(data, &r); err != nil {
		return worker.Reply{}, fmt.Errorf("decode the worker's reply: %w", err)
	}
	return r, nil
}
