package probe

import (
	"encoding/json"
	"fmt"

	"fieldbook/grader/engine"
	"fieldbook/grader/probe/worker"
	"fieldbook/grader/sandbox"
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

// job is the run of a program as the sandbox knows it. The program's first text goes ahead of the request.
func (r Run) job(program *engine.Prepared, asked worker.Request) (sandbox.Job, error) {
	job := sandbox.Job{Ahead: program.First, Profile: r.Profile, Limits: r.Limits, Inputs: r.Inputs}
	m := message{Request: asked}
	if program.Binary == "" { // else the worker is the program
		second := *program
		second.First = ""
		m.Program = &second
	}
	var err error
	if job.Request, err = json.Marshal(m); err != nil {
		return job, fmt.Errorf("encode the request to a worker: %w", err)
	}
	return job, nil
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
