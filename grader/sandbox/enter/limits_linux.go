package enter

import (
	"fmt"
	"os/signal"

	"golang.org/x/sys/unix"
)

// threadLimit is for the kernel; the runtime's own maxThreads comes first.
const threadLimit = maxThreads + 32

// limit sets the kernel's resource limits, soft and hard alike. size is the address space of the process as it entered.
func (w *Worker) limit(size uint64) (string, error) {
	// Without this the runtime ends the process at a file that grows too large; a program should get an error, as from a
	// full disk. Ignoring a signal starts no goroutine, unlike waiting for one.
	signal.Ignore(unix.SIGXFSZ)
	seconds := cpuSeconds(w.Config.CPU)
	limits := []struct {
		name     string
		resource int
		value    uint64
	}{
		{"address space", unix.RLIMIT_AS, size + uint64(w.Config.Memory)},
		{"CPU", unix.RLIMIT_CPU, seconds},
		{"file size", unix.RLIMIT_FSIZE, uint64(w.Config.Disk)},
		{"descriptors", unix.RLIMIT_NOFILE, descriptorLimit},
		{"core", unix.RLIMIT_CORE, 0},
		{"locked memory", unix.RLIMIT_MEMLOCK, 0},
		{"message queues", unix.RLIMIT_MSGQUEUE, 0},
		{"pending signals", unix.RLIMIT_SIGPENDING, 1024},
		{"nice", unix.RLIMIT_NICE, 0},
		{"real-time priority", unix.RLIMIT_RTPRIO, 0},
	}
	for _, l := range limits {
		if err := unix.Setrlimit(l.resource, &unix.Rlimit{Cur: l.value, Max: l.value}); err != nil {
			return "", fmt.Errorf("%s: %w", l.name, err)
		}
	}
	if w.Config.Namespaces {
		// Outside a user namespace this would count every process of the same user on the machine.
		if err := unix.Setrlimit(unix.RLIMIT_NPROC, &unix.Rlimit{Cur: threadLimit, Max: threadLimit}); err != nil {
			return "", fmt.Errorf("threads: %w", err)
		}
	}
	return fmt.Sprintf("%d MiB beyond the start, %d s CPU, %d MiB a file, %d descriptors, no core file",
		w.Config.Memory>>20, seconds, w.Config.Disk>>20, descriptorLimit), nil
}
