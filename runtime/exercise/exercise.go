// Package exercise marks what a learner has still to write.
//
// It is supplied: compiled, and offered to interpreted code. A starter calls Unfinished where the learner's code belongs.
// It imports nothing of ours.
package exercise

import "sync/atomic"

// UnfinishedError is what Unfinished panics with.
type UnfinishedError struct{}

func (UnfinishedError) Error() string {
	return "the function is not written yet: it still calls exercise.Unfinished"
}

// reached is state of the process on purpose. A worker runs one probe and ends, so the process is the run; and the mark
// must outlive everything the learner's code can do to the panic: recover from it, lose it in a goroutine, or raise a
// value that looks like it. Nothing can clear it.
var reached atomic.Bool

// Unfinished ends the calling function with a panic of UnfinishedError, and marks the run as unfinished whatever happens
// to that panic.
func Unfinished() {
	reached.Store(true)
	panic(UnfinishedError{})
}

// Reached reports whether Unfinished was called in this process. A worker asks when the probe has ended, in whichever way.
func Reached() bool { return reached.Load() }
