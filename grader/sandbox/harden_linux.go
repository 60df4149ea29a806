package sandbox

import "golang.org/x/sys/unix"

// Harden is the first line of a parent's main: it keeps every descriptor that this process was started with, and that it
// has opened, from the processes that it starts. What a shell or an editor left open would otherwise reach the worker.
func Harden() {
	// Before Linux 5.11 there is no such flag; the worker's filter still keeps it from opening anything.
	_ = unix.CloseRange(3, ^uint(0), unix.CLOSE_RANGE_CLOEXEC)
}
