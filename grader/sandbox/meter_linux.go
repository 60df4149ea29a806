package sandbox

import (
	"bytes"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// sample is what a process uses at one moment: CPU since its start, and resident memory in bytes.
type sample struct {
	cpu    time.Duration
	memory int64
}

// meter samples one process. Its file of /proc belongs to that process alone, whatever becomes of the number.
type meter struct {
	clock int32
	statm *os.File
}

func (c *child) meter() meter {
	pid := c.process.Pid
	statm, _ := os.Open("/proc/" + strconv.Itoa(pid) + "/statm")
	// The CPU clock of another process: MAKE_PROCESS_CPUCLOCK(pid, CPUCLOCK_SCHED) of the kernel's posix-timers.h.
	return meter{clock: int32(^pid<<3 | 2), statm: statm}
}

func (m meter) read() (sample, bool) {
	if m.statm == nil {
		return sample{}, false
	}
	buffer := make([]byte, 128)
	n, _ := m.statm.ReadAt(buffer, 0)
	fields := bytes.Fields(buffer[:n])
	if len(fields) < 2 {
		return sample{}, false
	}
	pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
	if err != nil {
		return sample{}, false
	}
	var now unix.Timespec
	if unix.ClockGettime(m.clock, &now) != nil {
		return sample{}, false
	}
	return sample{cpu: time.Duration(now.Nano()), memory: pages * int64(os.Getpagesize())}, true
}

func (m meter) close() {
	if m.statm != nil {
		_ = m.statm.Close()
	}
}

// watchLayers are the parent's own parts of the sandbox.
func (c *child) watchLayers() []Layer {
	return []Layer{{Name: "watch", Active: true, Detail: "deadline, CPU, memory and disk every " + watchInterval.String() + ", killed with the parent"}}
}
