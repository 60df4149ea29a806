//go:build !linux

package enter

import (
	"errors"
	"runtime"
)

var errLinuxOnly = errors.New("not available on " + runtime.GOOS)

// putOn puts on what this system offers: the limits. Everything that keeps a process from files and sockets is missing,
// and said to be.
func (w *Worker) putOn() error {
	if err := w.useFolder(); err != nil {
		return err
	}
	detail, err := w.limit()
	w.note("limits", err, detail)
	for _, name := range []string{"namespaces", "capabilities", "landlock", "seccomp"} {
		w.note(name, errLinuxOnly, "")
	}
	return nil
}
