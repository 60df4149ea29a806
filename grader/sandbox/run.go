package sandbox

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"sync"
	"time"

	"fieldbook/grader"
	"fieldbook/grader/sandbox/enter"
)

const (
	// watchInterval is how often memory, CPU and disk are looked at. Between two looks a worker can allocate what its
	// address space allows, which the kernel bounds.
	watchInterval = 5 * time.Millisecond
	// drainTimeout bounds reading what a dead worker has left in its pipes.
	drainTimeout = 250 * time.Millisecond
)

// reason is why the parent ended a worker.
type reason int

const (
	notKilled reason = iota
	overWall
	overCPU
	overMemory
	overOutput
	overCrash // its crash report is long enough; the traces of a hundred thousand goroutines take seconds
	overDisk
	cancelled
)

// run sends a request, frame once encoded, to a ready worker, watches it until its end and says how it ended. It uses the
// worker up, unless that is a standing one, whose job ends with its frame: see restAfter.
func (w *worker) run(ctx context.Context, r request, frame []byte, limits grader.Limits) (Result, error) {
	c := w.child
	w.rested = false
	meter := c.meter()
	defer meter.close()
	if w.ready {
		w.before, _ = meter.read() // the clocks start here; a native worker's at its start
	}
	before := w.before
	began := time.Now()

	var readers sync.WaitGroup
	answered := make(chan struct{})                        // by a standing worker, which lives on
	written := &spool{keep: int64(maxResult(r.reply)) + 5} // one byte more than a frame is one too many
	readers.Go(func() {
		if w.ready || w.readReady() == nil {
			go func() { _, _ = c.request.Write(frame) }() // ends with the worker at the latest
			switch {
			case !w.standing:
				written.fill(c.result)
			case written.fillFrame(c.result, maxResult(r.reply)):
				close(answered)
			}
		}
	})
	output := newBudget(limits.Output)
	stdout, stderr := &spool{keep: limits.Output, budget: output}, &spool{keep: limits.Output, budget: output}
	crash := &spool{keep: maxCrash, budget: newBudget(maxCrash)}
	for from, into := range map[io.Reader]*spool{c.stdout: stdout, c.stderr: stderr, c.crash: crash} {
		readers.Go(func() { into.fill(from) })
	}
	log := &tail{grown: r.log}
	ended := make(chan struct{})
	readers.Go(func() { log.follow(c.ends, ended) })

	why, usage := w.watch(ctx, meter, before, limits, signals{answered, output.exceeded, crash.budget.exceeded})
	close(ended)
	usage.Wall = time.Since(began)
	lives := w.standing && why == notKilled && w.alive()
	drain := drainTimeout
	if lives {
		drain = 0
	}
	for _, from := range c.readEnds() {
		_ = from.SetReadDeadline(time.Now().Add(drain))
	}
	readers.Wait()
	if lives {
		if now, ok := meter.read(); ok {
			usage.CPU, usage.Memory = now.cpu-before.cpu, max(usage.Memory, now.memory)
		}
		w.restAfter(usage)
	} else {
		c.close()
	}
	if why == cancelled {
		w.discard()
		return Result{}, ctx.Err()
	}
	if !lives && w.state != nil {
		usage.CPU = max(usage.CPU, w.state.UserTime()+w.state.SystemTime()-before.cpu)
	}
	usage.Output = stdout.total + stderr.total

	result := Result{
		StdoutRaw: stdout.data, StderrRaw: stderr.data, Crash: crash.data,
		LogTruncated: log.size >= enter.LogLimit(limits.Disk),
		Level:        w.level, Layers: w.layers, Usage: usage,
	}
	end := ending{
		killed: why, status: w.status(lives), written: written.data, nonce: r.nonce, reply: r.reply,
		crash: crash.data, stderr: stderr.data, limits: limits, usage: usage, confined: w.confined(),
	}
	end.judge(&result)
	result.Stdout = Printable(stdout.data, stdout.total)
	result.Stderr = printableStderr(stderr, crash.data)
	if w.scratch != nil {
		result.Artifacts = &Artifacts{scratch: w.scratch}
	}
	return result, nil
}

// signals are closed when a standing worker has answered, and at the first byte too many of output and of a crash report.
type signals struct{ answered, flooded, crashed <-chan struct{} }

// watch waits for the worker's end and brings it about when a limit is passed.
func (w *worker) watch(ctx context.Context, meter meter, before sample, limits grader.Limits, s signals) (reason, Usage) {
	wall := time.NewTimer(limits.Wall)
	defer wall.Stop()
	look := time.NewTicker(watchInterval)
	defer look.Stop()
	why, usage := notKilled, Usage{}
	kill := func(r reason) {
		if why == notKilled {
			why = r
			w.child.kill()
		}
	}
	interrupted := ctx.Done()
	for {
		select {
		case <-s.answered:
			return why, usage
		case <-w.exited:
			if !w.confined() {
				w.child.killGroup()
			}
			return why, usage
		case <-interrupted:
			kill(cancelled)
			interrupted = nil
		case <-wall.C:
			kill(overWall)
		case <-s.flooded:
			kill(overOutput)
			s.flooded = nil
		case <-s.crashed:
			kill(overCrash)
			s.crashed = nil
		case <-look.C:
			now, ok := meter.read()
			if !ok {
				continue
			}
			usage.CPU = max(usage.CPU, now.cpu-before.cpu)
			usage.Memory = max(usage.Memory, now.memory)
			switch {
			case now.memory > limits.Memory*5/4:
				kill(overMemory)
			case usage.CPU >= limits.CPU:
				kill(overCPU)
			case w.scratch.over(limits.Disk):
				kill(overDisk)
			}
		}
	}
}

// confined reports whether the worker could neither start processes nor signal itself to death.
func (w *worker) confined() bool {
	for _, layer := range w.layers {
		if layer.Name == "seccomp" {
			return layer.Active
		}
	}
	return false
}

// budget is what stdout and stderr may write together.
type budget struct {
	mu       sync.Mutex
	left     int64
	exceeded chan struct{} // closed at the first byte too many
}

func newBudget(limit int64) *budget { return &budget{left: limit, exceeded: make(chan struct{})} }

func (b *budget) spend(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	within := b.left >= 0
	b.left -= int64(n)
	if within && b.left < 0 {
		close(b.exceeded)
	}
}

// spool keeps the first bytes of a stream and counts the rest.
type spool struct {
	keep   int64
	budget *budget // nil for none
	data   []byte
	total  int64
}

// fillFrame reads one frame, and reports whether it is whole and has a payload of at most that many bytes.
func (s *spool) fillFrame(from io.Reader, most int) bool {
	var head [4]byte
	n, err := io.ReadFull(from, head[:])
	s.data = append(s.data, head[:n]...)
	size := uint64(binary.BigEndian.Uint32(head[:]))
	if err != nil || size > uint64(most) {
		return false
	}
	payload := make([]byte, size)
	n, err = io.ReadFull(from, payload)
	s.data = append(s.data, payload[:n]...)
	return err == nil
}

// fill reads to the end. A read error is an end too: the stream's writer is gone or its time is over.
func (s *spool) fill(from io.Reader) {
	const least, most = 4 << 10, 64 << 10 // a pipe holds 64 KiB
	var full [][]byte
	chunk := make([]byte, 0, least)
	for kept := int64(0); ; {
		if len(chunk) == cap(chunk) {
			full = append(full, chunk)
			chunk = make([]byte, 0, min(4*cap(chunk), most))
		}
		n, err := from.Read(chunk[len(chunk):cap(chunk)])
		s.total += int64(n)
		if s.budget != nil {
			s.budget.spend(n)
		}
		wanted := min(int64(n), s.keep-kept)
		kept += wanted
		chunk = chunk[:len(chunk)+int(wanted)]
		if err != nil {
			break
		}
	}
	s.data = chunk
	if len(full) > 0 {
		s.data = bytes.Join(append(full, chunk), nil)
	}
}
