package grader

import (
	"time"

	"fieldbook/runtime/world"
)

// Field is one line of a comparison: what the expectation names beside what was seen, and where it was read.
type Field struct {
	Name     string      `json:"field"`
	Expected world.Value `json:"expected"`
	Observed world.Value `json:"observed"` // the zero Value when the observation has no such field
	Agrees   bool        `json:"agrees"`
	From     string      `json:"read_from"` // "what Restore returned", "shop.sqlite, assistant_control.paused"
}

// Limits bound one execution. A zero field means the sandbox's default.
type Limits struct {
	Wall   time.Duration `json:"wall_ns" yaml:"wall"`
	CPU    time.Duration `json:"cpu_ns" yaml:"cpu"`
	Memory int64         `json:"memory_bytes" yaml:"memory"`
	Output int64         `json:"output_bytes" yaml:"output"` // stdout and stderr together
	Disk   int64         `json:"disk_bytes" yaml:"disk"`     // scratch
}

// Environment is what a result was obtained with. It stands outside everything that is compared or digested as a result.
type Environment struct {
	Engine  string   `json:"engine"`         // "yaegi", "go", or "yaegi+go" where both ran it and agreed
	Note    string   `json:"note,omitempty"` // one sentence: why it was not the usual engine, or not compared
	Sandbox string   `json:"sandbox"`        // strong, standard, weak
	Layers  []string `json:"layers"`         // active layers, in order
	Elapsed Elapsed  `json:"elapsed"`
}

// Elapsed is where the time went, in nanoseconds.
type Elapsed struct {
	Check   time.Duration `json:"check_ns"`   // parse, install, type-check, lower
	Run     time.Duration `json:"run_ns"`     // request sent to worker gone
	Compare time.Duration `json:"compare_ns"` // artifacts read and compared
}

// Total is the sum of the parts.
func (e Elapsed) Total() time.Duration { return e.Check + e.Run + e.Compare }
