package enter

import (
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

var errLeftOut = errors.New("left out on request")

// putOn puts on the kernel's layers. Only one thing is fatal: a mount tree that was promised and cannot be made, because
// the process would then stand half in it; the parent starts another without.
func (w *Worker) putOn() error {
	// Prctl and seccomp must be called by one thread.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	size, err := addressSpace()
	if err != nil {
		return err
	}
	if w.Config.Namespaces {
		if err := w.isolate(); err != nil {
			return fmt.Errorf("namespaces: %w", err)
		}
		w.note("namespaces", nil, "own users, process ids and mounts")
		w.note("disk", nil, fmt.Sprintf("scratch is a tmpfs of %d MiB and %d files", w.Config.Disk>>20, maxInodes))
	} else {
		if err := w.useFolder(); err != nil {
			return err
		}
		w.note("namespaces", errors.New("the worker shares the machine's users, process ids and mounts"), "")
		w.note("disk", errors.New("only the size of one file is limited by the kernel; the parent watches the sum"), "")
	}
	_ = unix.Close(w.Descriptors.start)
	if !w.Config.Scratch {
		w.Report.Folder = ""
	}
	w.layer("capabilities", func() (string, error) { return "none left", dropCapabilities() })
	w.layer("limits", func() (string, error) { return w.limit(size) })
	truncates := w.Config.Namespaces // whether truncate(2) can reach scratch only
	w.layer("landlock", func() (string, error) {
		version, err := landlock(w.Report.Folder)
		truncates = truncates || err == nil && version >= 3
		return fmt.Sprintf("version %d", version), err
	})
	w.layer("seccomp", func() (string, error) { return confine(w.Config.Scratch, truncates) })
	return nil
}

// layer puts one layer on and records it.
func (w *Worker) layer(name string, put func() (string, error)) {
	if w.leftOut(name) {
		w.note(name, errLeftOut, "")
		return
	}
	detail, err := put()
	w.note(name, err, detail)
}

// addressSpace is the size of the process's address space in bytes. A Go process reserves more than a gigabyte before it
// does anything, and how much varies: a limit must be counted from here. It is read by plain calls: a file of package os
// would leave the runtime's poller and its descriptors behind.
func addressSpace() (uint64, error) {
	fd, err := unix.Open("/proc/self/statm", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return 0, fmt.Errorf("/proc/self/statm: %w", err)
	}
	defer unix.Close(fd)
	data := make([]byte, 128)
	n, err := unix.Read(fd, data)
	if err != nil {
		return 0, fmt.Errorf("/proc/self/statm: %w", err)
	}
	pages, _, _ := strings.Cut(string(data[:n]), " ")
	count, err := strconv.ParseUint(pages, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("/proc/self/statm: %w", err)
	}
	return count * uint64(unix.Getpagesize()), nil
}
