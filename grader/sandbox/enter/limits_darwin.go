package enter

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// limit sets the resource limits that macOS enforces. Address space is not among them (the value is accepted and
// ignored): memory is bounded by the Go runtime's soft limit and the parent's watch.
func (w *Worker) limit() (string, error) {
	seconds := cpuSeconds(w.Config.CPU)
	limits := []struct {
		resource int
		value    uint64
	}{
		{unix.RLIMIT_CPU, seconds},
		{unix.RLIMIT_FSIZE, uint64(w.Config.Disk)},
		{unix.RLIMIT_NOFILE, descriptorLimit},
		{unix.RLIMIT_CORE, 0},
	}
	for _, l := range limits {
		if err := unix.Setrlimit(l.resource, &unix.Rlimit{Cur: l.value, Max: l.value}); err != nil {
			return "", fmt.Errorf("setting resource limit %d: %w", l.resource, err)
		}
	}
	return fmt.Sprintf("%d s CPU, %d MiB a file, %d descriptors", seconds, w.Config.Disk>>20, descriptorLimit), nil
}
