// Package check prepares source that nobody has vouched for: installing, type-checking and lowering it happen in a
// sandboxed worker, as running it does later.
//
// The engine bounds what it reads by size and depth, and gives up after a few seconds. But some small programs make a
// type-checker build types, or messages about types, of exponential size; they cost memory at once, a recursion that is too
// deep ends a Go process, and a goroutine that was given up goes on. In the process that grades, one such file would take
// everyone's work with it; in a worker it is a diagnostic.
//
// A check runs nothing of a learner's. Its worker is a standing one: it serves one check after another, each bounded like a run,
// until one of them ends it or it has used much, and keeps what the engine keeps between programs. It is warmed before the
// first request comes: it has read the export data and checked the copied packages when the learner saves. Measured on two
// cores (BenchmarkPrepare and BenchmarkSaveToVerdict, medians), preparing restore.go takes 10 ms in a process that has done
// it before, 11 ms in such a worker, way there and back included, 15 ms in a process that has not, and 35 ms in a worker that
// has to be started. So a learner's own file is checked in a worker too, not only a stranger's. Learner files that a worker
// has prepared within its limits are prepared in this process when they come again, beside another probe.
//
// Parent side: Checker. Worker side: Function. It imports grader, grader/engine and grader/sandbox.
package check

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"sync"
	"time"

	"fieldbook/grader"
	"fieldbook/grader/engine"
	"fieldbook/grader/sandbox"
)

// Role is that of the workers that check.
const Role = "check"

// maxPrepared bounds a prepared program as it travels: a learner's file of the largest size becomes about a megabyte.
const maxPrepared = 8 << 20

// Limits are those of one check. A file of the largest size takes a fifth of them.
func Limits() grader.Limits {
	return grader.Limits{Wall: 10 * time.Second, CPU: time.Second, Memory: 320 << 20, Output: 1 << 20, Disk: 1 << 20}
}

// maxKnown bounds how many sets of learner files are remembered.
const maxKnown = 10_000

// Checker prepares programs. It is safe for concurrent use.
type Checker struct {
	pool   *sandbox.Pool
	engine *engine.Engine

	mu    sync.Mutex
	known map[[sha256.Size]byte]bool // learner files that a worker has prepared
}

// New makes a checker over the sources of the copied runtime; the pool's workers must serve Role over the same.
func New(pool *sandbox.Pool, copied fs.FS) *Checker {
	return &Checker{pool: pool, engine: engine.New(copied), known: map[[sha256.Size]byte]bool{}}
}

// Warm starts workers for the first checks and returns at once.
func (c *Checker) Warm() { c.pool.Warm(job(nil)) }

// Prepare is Engine.Prepare in a worker. A source that takes more than a check may is a diagnostic; the error is ours.
func (c *Checker) Prepare(ctx context.Context, p engine.Program) (*engine.Prepared, []grader.Diagnostic, error) {
	learner, some := digest(p)
	if !some || c.knows(learner) {
		return c.engine.Prepare(ctx, p)
	}
	data, err := json.Marshal(p)
	if err != nil {
		return nil, nil, fmt.Errorf("encode a program to be checked: %w", err)
	}
	result, err := c.pool.Run(ctx, job(data))
	if err != nil {
		return nil, nil, fmt.Errorf("check in a worker: %w", err)
	}
	prepared, found, err := read(p, result)
	if prepared != nil {
		c.learn(learner)
	}
	return prepared, found, err
}

func job(request []byte) sandbox.Job {
	return sandbox.Job{Role: Role, Request: request, Profile: sandbox.Pure, Limits: Limits(), MaxReply: maxPrepared, Standing: true}
}

// read turns how a worker ended into what Engine.Prepare returns.
func read(p engine.Program, result sandbox.Result) (*engine.Prepared, []grader.Diagnostic, error) {
	switch result.Outcome {
	case grader.Observed:
		return decodeReply(result.Reply)
	case grader.Timeout, grader.CPULimit, grader.MemoryLimit, grader.OutputLimit:
		return nil, []grader.Diagnostic{engine.TooComplex(p, "takes more than it may ("+result.Cause+")")}, nil
	case grader.NoResult:
		if result.Cause == sandbox.StackOverflow {
			return nil, []grader.Diagnostic{engine.TooComplex(p, "never comes to an end")}, nil
		}
	}
	return nil, nil, fmt.Errorf("a worker that checks ended with %s: %s", result.Outcome, result.Cause)
}

// digest identifies the learner's files of a program with the rules that they are held to; some is false when there are
// none.
func digest(p engine.Program) (sum [sha256.Size]byte, some bool) {
	var files []engine.Source
	for _, s := range p.Sources {
		if s.Learner {
			files = append(files, s)
		}
	}
	data, _ := json.Marshal(struct { // strings, bytes and flags always encode
		Files []engine.Source
		Rules engine.Rules
	}{files, p.Rules})
	return sha256.Sum256(data), len(files) > 0
}

func (c *Checker) knows(sum [sha256.Size]byte) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known[sum]
}

func (c *Checker) learn(sum [sha256.Size]byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.known) >= maxKnown {
		clear(c.known)
	}
	c.known[sum] = true
}
