package sandbox

import (
	"io/fs"
	"time"

	"fieldbook/grader"
	"fieldbook/grader/sandbox/enter"
)

// Profile is what the function may do beyond computing and writing to its log.
type Profile string

const (
	Pure    Profile = "pure"    // no path can be named
	Scratch Profile = "scratch" // files in a folder of its own
)

// Levels of isolation, best first. See Level.
const (
	Strong   = "strong"   // every layer of the system, with a file tree of its own
	Standard = "standard" // no file tree of its own: names, sizes and times of files show, but none outside scratch opens; sockets and processes are denied
	Weak     = "weak"     // limits alone: run only what you trust
)

// Job is one run.
type Job struct {
	Role     string        // which of the worker's functions runs; "" is that of Serve
	Request  []byte        // what the function gets
	Profile  Profile       // "" is Pure
	Limits   grader.Limits // zero fields are those of DefaultLimits
	Inputs   fs.FS         // regular files and folders, copied into scratch before the function runs; nil for none
	MaxReply int           // largest reply in bytes; 0 is DefaultReply

	// Ahead goes to the function besides the request. It is for what many jobs have in common: once two jobs in a row had the
	// same, a worker for a third gets it before it is ready, and has prepared what it needs of it when the job comes. A job
	// gets such a worker only if its own Ahead is the same, byte for byte.
	Ahead string

	// Standing says that the function runs nothing of a learner's: it reads it, and no more. Its worker, bounded in each job
	// like any other, then serves the next one, and is warm. It keeps no log. Profile Pure alone.
	Standing bool

	// Log receives the operation log as it grows, up to MaxLog, piece by piece from one goroutine, before Run returns; nil:
	// nobody asks. It must not keep a piece.
	Log func(piece []byte)
}

// DefaultLimits are the limits of a job that names none.
func DefaultLimits() grader.Limits {
	return grader.Limits{
		Wall:   5 * time.Second,
		CPU:    2 * time.Second,
		Memory: 320 << 20,
		Output: 1 << 20,
		Disk:   16 << 20,
	}
}

const (
	// DefaultReply is the largest reply in bytes, unless a job says otherwise; a larger one is OutputLimit.
	DefaultReply = 64 << 10
	// MaxLog is where the operation log is cut, in bytes.
	MaxLog = enter.MaxLog
	// MaxRequest bounds a request with its inputs.
	MaxRequest = 64 << 20
	// MaxShown is how much of an output is kept for showing, in bytes before escaping.
	MaxShown = 64 << 10
	// maxCrash is how much is kept of what the runtime writes when it dies. The first lines say why; the rest, which can be
	// a megabyte of frames, is dropped.
	maxCrash = 64 << 10
)

// Result is how a run ended.
type Result struct {
	// Outcome is Observed for exactly one authentic frame and exit status 0. Otherwise it is NoResult, Panic, Timeout,
	// CPULimit, MemoryLimit, OutputLimit, SandboxViolation, Tampered, or Infrastructure (our machine or our code).
	Outcome grader.Outcome
	Reply   []byte // when Observed
	Cause   string // in words for a student; empty when Observed
	Hint    string

	Stdout, Stderr       grader.Output // made safe to show; the runtime's crash report is not part of Stderr
	StdoutRaw, StderrRaw []byte        // as written, at most Limits.Output together plus one read
	Crash                []byte        // what the Go runtime wrote as the process died, at most 64 KiB; raw

	LogTruncated bool // the operation log is longer than what Job.Log received of it

	Artifacts *Artifacts // scratch as the worker left it; nil in profile Pure. The caller closes it

	Level  string
	Layers []Layer
	Usage  Usage
}

// Layer is one part of the sandbox, on or not.
type Layer struct {
	Name   string `json:"name"`
	Active bool   `json:"active"`
	Detail string `json:"detail"` // what is on, or why it is not
}

// Usage is what a run took. Memory is the largest of samples taken every few milliseconds, 0 when it ended before the
// first or where the system cannot be asked.
type Usage struct {
	Wall   time.Duration `json:"wall_ns"`
	CPU    time.Duration `json:"cpu_ns"`
	Memory int64         `json:"memory_bytes"`
	Output int64         `json:"output_bytes"`
}

// ActiveLayers are the names of the layers that are on, in order.
func (r Result) ActiveLayers() []string {
	var names []string
	for _, layer := range r.Layers {
		if layer.Active {
			names = append(names, layer.Name)
		}
	}
	return names
}
