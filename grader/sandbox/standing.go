package sandbox

import (
	"runtime"
	"time"
)

const (
	// canStand says whether a worker can serve a second job: the parent must be able to stop reading its pipes before they end.
	canStand = runtime.GOOS != "windows"
	// standingCPU is what a standing worker may use in all its life, by the kernel's limit. It is retired at half of that: a
	// job's own limit comes first.
	standingCPU = time.Minute
	// standingMemory is the resident memory above which a standing worker is retired, in bytes.
	standingMemory = 192 << 20
)

// restAfter makes a standing worker ready for its next job, unless it has used too much for that.
func (w *worker) restAfter(usage Usage) {
	w.rested = w.before.cpu+usage.CPU < standingCPU/2 && usage.Memory < standingMemory
	for _, from := range w.child.readEnds() {
		_ = from.SetReadDeadline(time.Time{})
	}
}

// status is how a worker ended. A standing one that lives has ended its job in order.
func (w *worker) status(lives bool) status {
	if lives {
		return status{}
	}
	return statusOf(w.state)
}
