package handoff

import (
	"encoding/json"
	"time"
)

// Record is what a handoff says. Every field must be there; texts are printable ASCII of 1 to 200 bytes unless said
// otherwise; digests are as Digest gives them; numbers are not negative.
type Record struct {
	Exercise         string          `json:"exercise"`          // the exercise's id; stays when chapters are renumbered
	Unit             string          `json:"unit"`              // the unit in which it was written, "ch19-a"
	Edition          string          `json:"edition"`           // the course edition, "student"
	StartingEvidence string          `json:"starting_evidence"` // what the work started from: INDEPENDENT_UNIT_A, LEARNER_SELECTED, SUPPLIED_REFERENCE
	Runtime          string          `json:"runtime"`           // digest of the teaching runtime's tree
	Probes           string          `json:"probes"`            // digest of the probe set that gave the result
	Engine           Component       `json:"engine"`            // what executed the implementation
	Tools            []Component     `json:"tools"`             // what else the result depends on, fieldbook itself first
	Sandbox          Sandbox         `json:"sandbox"`
	Limits           Limits          `json:"limits"`
	Prediction       string          `json:"prediction"`     // digest of the prediction made before the run, or None
	Attempts         int64           `json:"attempts"`       // executions of this exercise by this learner, this one included
	Implementation   []File          `json:"implementation"` // ascending by path
	Result           json.RawMessage `json:"result"`         // an object in canonical JSON; re-execution gives the same bytes
	Verdict          string          `json:"verdict"`        // "PASS"
	Previous         string          `json:"previous"`       // digest of the handoff that this one continues, or None
	Environment      Environment     `json:"environment"`
}

// Component is a program and its version.
type Component struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Sandbox is what the implementation was executed in.
type Sandbox struct {
	Level  string   `json:"level"`  // strong, standard, weak
	Layers []string `json:"layers"` // active layers, in the order in which they were put on
}

// Limits bounded the execution. Zero means the sandbox's default.
type Limits struct {
	Wall   time.Duration `json:"wall_ns"`
	CPU    time.Duration `json:"cpu_ns"`
	Memory int64         `json:"memory_bytes"`
	Output int64         `json:"output_bytes"`
	Disk   int64         `json:"disk_bytes"`
}

// File is one file of the implementation. Path is a slash path inside the runtime's module, "runtime/assistant/restore.go";
// its elements hold ASCII letters, digits, '.', '-' and '_', begin with neither '.' nor '-' and do not end with '.'. Text is
// any UTF-8.
type File struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

// Environment is where and when the result was obtained. It is signed like the rest and never compared.
type Environment struct {
	Created time.Time     `json:"created"` // UTC, whole seconds
	Elapsed time.Duration `json:"elapsed_ns"`
	OS      string        `json:"os"`
	Arch    string        `json:"arch"`
	CPUs    int64         `json:"cpus"`
}
