package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"fieldbook/grader"
	"fieldbook/grader/sandbox/enter"
)

// status is how a process ended, as far as the system tells.
type status struct {
	code   int    // exit status; -1 when a signal ended it
	signal string // the signal's name, "" for none
	cause  signalCause
}

// signalCause is what a signal says of its sender.
type signalCause int

const (
	ordinarySignal signalCause = iota
	filterSignal               // SIGSYS: the system-call filter
	cpuSignal                  // SIGXCPU: the kernel's CPU limit
	killSignal                 // SIGKILL: the kernel's CPU limit, its memory killer, or someone outside
)

// ending is everything that is known of a run's end. No single part is trusted: a frame counts only with exit status 0, a
// limit is named by the parent's clock or the kernel's signal, and the runtime's words only with the runtime's own exit
// status.
type ending struct {
	killed         reason
	status         status
	written, nonce []byte // what came on the result descriptor after the ready frame
	reply          int    // largest reply
	crash, stderr  []byte
	limits         grader.Limits
	usage          Usage
	confined       bool // the worker could not signal itself to death
}

// runtimeExit is the Go runtime's exit status for panics and fatal errors.
const runtimeExit = 2

// judge sets the outcome, its cause and hint, and the reply.
func (e ending) judge(r *Result) {
	kind, reply, frameErr := openResult(e.written, e.nonce, e.reply)
	line, _ := crashReport(e.stderr, e.crash)
	switch {
	case line != "" && (e.killed == overOutput || e.killed == overCrash):
		e.judgeCrash(r, line)
	case e.killed != notKilled:
		e.judgeKill(r)
	case e.status.signal != "":
		e.judgeSignal(r)
	case e.status.code == runtimeExit && line != "":
		e.judgeCrash(r, line)
	case errors.Is(frameErr, errNoFrame), errors.Is(frameErr, errCut):
		e.judgeExit(r)
	case frameErr != nil:
		r.Outcome = grader.Tampered
		r.Cause = "the result was not written by the grader: " + frameErr.Error()
		r.Hint = "The run's result travels on a channel of its own. Code that writes to it scores zero."
	case e.status.code != 0:
		r.Outcome = grader.NoResult
		r.Cause = fmt.Sprintf("the process ended with exit status %d after its result", e.status.code)
		r.Hint = "A result counts only when the process then ends in order. Do not call os.Exit."
	case kind == frameReply:
		r.Outcome, r.Reply = grader.Observed, reply
	case kind == frameTooLarge:
		r.Outcome = grader.OutputLimit
		r.Cause = fmt.Sprintf("limit: %s of observation; used %s bytes", bytesInWords(int64(e.reply)), shorten(grader.Visible(reply)))
		r.Hint = "Return less: an observation is a few fields, not a copy of the data."
	default:
		r.Outcome = grader.Infrastructure
		r.Cause = "the worker could not do its work: " + shorten(grader.Visible(reply))
		r.Hint = hintOurs
	}
}

const hintOurs = "This is not a fault of your code. Run it again; if it stays, send the log to your instructor."

// judgeKill is for runs that the parent ended.
func (e ending) judgeKill(r *Result) {
	switch e.killed {
	case overWall:
		r.Outcome, r.Cause = grader.Timeout, usedUp("wall time", e.limits.Wall, e.usage.Wall)
		r.Hint = "Something waits for what never comes, or loops. Look at the channel, lock or condition it waits on."
	case overCPU:
		r.Outcome, r.Cause = e.cpuLimit()
		r.Hint = hintLoop
	case overMemory:
		r.Outcome, r.Cause = e.memoryLimit()
		r.Hint = hintMemory
	case overOutput, overCrash:
		r.Outcome = grader.OutputLimit
		r.Cause = fmt.Sprintf("limit: %s of printed output; used more, and was stopped", bytesInWords(e.limits.Output))
		r.Hint = "Print less, or not in a loop."
	case overDisk:
		r.Outcome = grader.OutputLimit
		r.Cause = fmt.Sprintf("limit: %s of files; used more, and was stopped", bytesInWords(e.limits.Disk))
		r.Hint = "Write less, or remove what is no longer needed."
	}
}

const (
	hintLoop   = "A loop does not end, or does far more work than the task needs. Look at its condition."
	hintMemory = "Something grows without end. Look for a slice, map or recursion that is never bounded."
)

func (e ending) cpuLimit() (grader.Outcome, string) {
	return grader.CPULimit, usedUp("CPU time", e.limits.CPU, e.usage.CPU)
}

func (e ending) memoryLimit() (grader.Outcome, string) {
	used := "asked for more"
	if e.usage.Memory > e.limits.Memory {
		used = "used " + bytesInWords(e.usage.Memory)
	}
	return grader.MemoryLimit, fmt.Sprintf("limit: %s of memory; %s", bytesInWords(e.limits.Memory), used)
}

func usedUp(what string, limit, used time.Duration) string {
	return fmt.Sprintf("limit: %.1f s of %s; used %.1f s", limit.Seconds(), what, used.Seconds())
}

// judgeSignal is for runs that a signal ended, and not the parent's.
func (e ending) judgeSignal(r *Result) {
	switch {
	case e.status.cause == filterSignal:
		r.Outcome = grader.SandboxViolation
		r.Cause = "the program tried to start a process, or made another system call that the sandbox forbids"
		r.Hint = "A solution needs no processes, mounts, tracing or kernel interfaces."
	case e.status.cause == cpuSignal, e.status.cause == killSignal && e.usage.CPU >= e.limits.CPU:
		r.Outcome, r.Cause = e.cpuLimit()
		r.Hint = hintLoop
	case e.status.cause == killSignal && e.usage.Memory > e.limits.Memory/2:
		r.Outcome, r.Cause = e.memoryLimit()
		r.Hint = hintMemory
	case e.status.cause == killSignal && e.confined:
		r.Outcome = grader.Infrastructure
		r.Cause = "something outside the sandbox killed the process"
		r.Hint = hintOurs
	default:
		r.Outcome = grader.NoResult
		r.Cause = "the process was ended by the signal " + e.status.signal
		r.Hint = "Do not send signals; return from the function."
	}
}

// judgeExit is for runs that ended by themselves without a whole frame.
func (e ending) judgeExit(r *Result) {
	r.Outcome = grader.NoResult
	switch e.status.code {
	case enter.ExitNoFrame:
		r.Cause = "the process could not hand over its result: the descriptor was closed"
		r.Hint = "Close only what you have opened."
	default:
		r.Cause = fmt.Sprintf("the process ended with exit status %d before the function returned", e.status.code)
		r.Hint = "Do not call os.Exit or log.Fatal: return from the function, with an error if there is one."
	}
}

// death is a fatal error of the Go runtime and what it means for a student. Its words are matched at the beginning of
// the first line of the crash report.
type death struct {
	begins  string
	outcome grader.Outcome
	cause   string
	hint    string
}

// StackOverflow is the cause of a NoResult whose function called itself too deeply.
const StackOverflow = "the stack overflowed: a function calls itself without end"

// deaths are in the wording of the Go runtime (src/runtime, throw and fatal).
func deaths() []death {
	return []death{
		{"fatal error: all goroutines are asleep - deadlock!", grader.NoResult, "the process deadlocked: all goroutines are asleep",
			"Every goroutine waits for another. Look at the channels and locks in the order in which they are taken."},
		{"fatal error: no goroutines (main called runtime.Goexit) - deadlock!", grader.NoResult, "the goroutine ended before the function returned (runtime.Goexit)",
			"Return from the function instead."},
		{"fatal error: stack overflow", grader.NoResult, StackOverflow,
			"Look at the condition that should end the recursion."},
		{"fatal error: concurrent map", grader.NoResult, "two goroutines used one map at the same time, and at least one wrote",
			"Protect the map with a sync.Mutex, or let one goroutine own it."},
		{"fatal error: sync: ", grader.NoResult, "", "A lock was released that was not held. Pair each Unlock with its Lock, best by defer."},
		{"fatal error: thread exhaustion", grader.NoResult, "the program used up its threads",
			"Too many goroutines wait in system calls at once. Start fewer."},
		{"fatal error: newosproc", grader.NoResult, "the program used up its threads",
			"Too many goroutines wait in system calls at once. Start fewer."},
		{"fatal error: out of memory", grader.MemoryLimit, "", hintMemory},
		{"fatal error: runtime: out of memory", grader.MemoryLimit, "", hintMemory},
		{"fatal error: runtime: cannot allocate memory", grader.MemoryLimit, "", hintMemory},
		{"fatal error: runtime: cannot map pages in arena address space", grader.MemoryLimit, "", hintMemory},
		{"fatal error: runtime: cannot reserve arena virtual address space", grader.MemoryLimit, "", hintMemory},
		{"fatal error: failed to allocate", grader.MemoryLimit, "", hintMemory},
		{"fatal error: bad allocation", grader.MemoryLimit, "", hintMemory},
		{"fatal error: ", grader.NoResult, "", "The Go runtime stopped the process."},
		{"SIG", grader.NoResult, "", "Do not send signals; return from the function."},
		{"panic: ", grader.Panic, "", "Nothing recovered this panic. Look at the line it names."},
		{"unexpected fault address", grader.NoResult, "the program touched memory that is not there", "A mapped file is shorter than its mapping, or the scratch folder is full."},
	}
}

// judgeCrash is for runs that the Go runtime ended with the given first line.
func (e ending) judgeCrash(r *Result, line string) {
	for _, d := range deaths() {
		if !strings.HasPrefix(line, d.begins) {
			continue
		}
		r.Outcome, r.Cause, r.Hint = d.outcome, d.cause, d.hint
		switch {
		case d.outcome == grader.MemoryLimit:
			_, r.Cause = e.memoryLimit()
		case d.cause == "":
			r.Cause = "the process ended: " + shorten(line)
		}
		return
	}
	r.Outcome, r.Cause = grader.NoResult, "the process ended: "+shorten(line)
	r.Hint = "The Go runtime stopped the process."
}

// crashReport finds the Go runtime's report of how the process died: the line that says what happened, made visible, and
// where in stderr the report begins. line is "" when the runtime did not end the process.
//
// The runtime writes to stderr and, once it is dying, to a descriptor of its own as well: there a panic's report is
// complete, but a fatal error's begins after the line that names it. That line is the last of its kind in stderr before
// the place where both streams agree. What the learner's code printed before it, however it reads, is not taken for it.
func crashReport(stderr, crash []byte) (line string, at int) {
	if len(bytes.TrimSpace(crash)) == 0 {
		// Without its own descriptor (closed by the program, perhaps) the runtime is believed only if it spoke first.
		if bytes.HasPrefix(stderr, []byte("panic: ")) || bytes.HasPrefix(stderr, []byte("fatal error: ")) {
			return firstLine(stderr), 0
		}
		return "", len(stderr)
	}
	const enough = 256 // bytes of the report, to find it by
	at = bytes.LastIndex(stderr, crash[:min(len(crash), enough)])
	if at < 0 {
		at = len(stderr)
	}
	line = firstLine(crash)
	if longer := firstLine(stderr[at:]); strings.HasPrefix(longer, line) {
		line = longer // the process was ended between its two writes
	}
	if strings.HasPrefix(line, "panic:") {
		return line, at
	}
	fatal := []byte("fatal error: ")
	named := bytes.LastIndex(stderr[:at], append([]byte("\n"), fatal...)) + 1
	if !bytes.HasPrefix(stderr[named:at], fatal) {
		return line, at
	}
	line, at = firstLine(stderr[named:at]), named
	for at > 0 { // details that the runtime prints before the error's name
		before := bytes.LastIndexByte(stderr[:at-1], '\n') + 1
		if !bytes.HasPrefix(stderr[before:], []byte("runtime: ")) {
			break
		}
		at = before
	}
	return line, at
}

// firstLine is the first line that is not empty, made visible.
func firstLine(text []byte) string {
	line, _, _ := bytes.Cut(bytes.TrimLeft(text, "\n"), []byte("\n"))
	return strings.TrimSpace(grader.Visible(line))
}

// shorten keeps a line within a sentence's length.
func shorten(line string) string {
	const most = 200
	if runes := []rune(line); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return line
}

// printableStderr is stderr without the runtime's crash report, which says nothing to a student.
func printableStderr(stderr *spool, crash []byte) grader.Output {
	raw, total := stderr.data, stderr.total
	if line, at := crashReport(raw, crash); line != "" {
		raw, total = raw[:at], int64(at)
	}
	return Printable(raw, total)
}
