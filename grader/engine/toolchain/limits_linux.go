package toolchain

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// limit sets the kernel's limits of a process that was started, and of all that it will start.
func limit(process *os.Process, b bounds) error {
	for _, l := range []struct {
		name     string
		resource int
		value    uint64
	}{
		{"CPU", unix.RLIMIT_CPU, uint64(b.cpu.Seconds())},
		{"address space", unix.RLIMIT_AS, uint64(b.memory)},
		{"file size", unix.RLIMIT_FSIZE, uint64(b.file)},
		{"core", unix.RLIMIT_CORE, 0},
	} {
		if l.value == 0 && l.resource != unix.RLIMIT_CORE {
			continue
		}
		err := unix.Prlimit(process.Pid, l.resource, &unix.Rlimit{Cur: l.value, Max: l.value}, nil)
		if err != nil && !errors.Is(err, unix.ESRCH) { // it has ended: Wait says how
			return fmt.Errorf("%s: %w", l.name, err)
		}
	}
	return nil
}
