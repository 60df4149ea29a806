//go:build unix

package enter

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"

	"golang.org/x/sys/unix"
)

// The numbers under which a worker inherits its descriptors; 1 and 2 are its standard output and error.
const (
	RequestNumber = 3 + iota // read: configuration, then one request
	ResultNumber             // write: report, ready, then one result
	LogNumber                // write: the operation log, a pipe or a file
	CrashNumber              // write: the runtime's own words when the process dies
	StartNumber              // Linux: socket over which the scratch folder's descriptor travels; closed before the run
)

// highNumber is where the result descriptor goes: away from the small numbers that a program closes or writes to by
// mistake. It hides nothing from code that looks; a forged frame is found out by its code, not by its place. It stays below
// 64 because there a process's first table of descriptors ends: to enlarge it, the kernel waits for every processor (5 ms).
const highNumber = 60

type handle = int

// Descriptors are what a worker inherits from its parent.
type Descriptors struct {
	request, result, log, crash, start handle
}

// inherit checks that this process was started by a parent of this package.
func (d *Descriptors) inherit([]string) error {
	*d = Descriptors{request: RequestNumber, result: ResultNumber, log: LogNumber, crash: CrashNumber, start: StartNumber}
	for number := RequestNumber; number <= CrashNumber; number++ {
		var stat unix.Stat_t
		err := unix.Fstat(number, &stat)
		kind := stat.Mode & unix.S_IFMT
		if err != nil || kind != unix.S_IFIFO && (kind != unix.S_IFREG || number != LogNumber) {
			return fmt.Errorf("descriptor %d is not a pipe", number)
		}
	}
	return nil
}

// arrange moves the result descriptor high, sends the runtime's last words to a descriptor of their own, and marks
// everything close-on-exec.
func (d *Descriptors) arrange() error {
	high, err := unix.FcntlInt(uintptr(d.result), unix.F_DUPFD_CLOEXEC, highNumber)
	if err != nil {
		return fmt.Errorf("moving the result descriptor: %w", err)
	}
	_ = unix.Close(d.result)
	d.result = high
	crash := os.NewFile(uintptr(d.crash), "crash")
	if err := debug.SetCrashOutput(crash, debug.CrashOptions{}); err != nil {
		return fmt.Errorf("setting the crash output: %w", err)
	}
	_ = crash.Close() // the runtime has its own duplicate
	for _, fd := range []handle{d.request, d.result, d.log} {
		unix.CloseOnExec(fd)
		if err := unix.SetNonblock(fd, false); err != nil { // ReadFrame and writeFull know nothing of EAGAIN
			return fmt.Errorf("making descriptors blocking: %w", err)
		}
	}
	return nil
}

func (d *Descriptors) readRequest(buffer []byte) (int, error) {
	for {
		n, err := unix.Read(d.request, buffer)
		if !errors.Is(err, unix.EINTR) {
			return n, err
		}
	}
}

// CloseRequest gives up the request descriptor: one request, and nothing more to read.
func (d *Descriptors) CloseRequest() { _ = unix.Close(d.request) }

func write(to handle, data []byte) (int, error) {
	for {
		n, err := unix.Write(to, data)
		if !errors.Is(err, unix.EINTR) {
			return n, err
		}
	}
}
