package sandbox

import (
	"syscall"
	"time"
	"unsafe"
)

type sample struct {
	cpu    time.Duration
	memory int64
}

// meter asks the kernel for the resident size of a process: proc_info(PROC_INFO_CALL_PIDINFO, pid, PROC_PIDTASKINFO) of
// sys/proc_info.h. Its CPU times are in ticks whose length this call does not tell; CPU is bounded by the worker's own
// resource limit.
type meter struct{ pid int }

func (c *child) meter() meter { return meter{pid: c.process.Pid} }

func (m meter) read() (sample, bool) {
	const (
		callPIDInfo = 2
		taskInfo    = 4
	)
	var info struct {
		virtual, resident uint64
		rest              [80]byte
	}
	n, _, errno := syscall.Syscall6(syscall.SYS_PROC_INFO, callPIDInfo, uintptr(m.pid), taskInfo, 0,
		uintptr(unsafe.Pointer(&info)), unsafe.Sizeof(info))
	if errno != 0 || n == 0 {
		return sample{}, false
	}
	return sample{memory: int64(info.resident)}, true
}

func (m meter) close() {}

func (c *child) watchLayers() []Layer {
	layer := Layer{Name: "watch", Active: true, Detail: "deadline and memory every " + watchInterval.String()}
	if _, ok := c.meter().read(); !ok {
		layer = Layer{Name: "watch", Detail: "the kernel does not tell a worker's memory; the deadline alone is watched"}
	}
	return []Layer{layer}
}
