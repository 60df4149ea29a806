package enter

import (
	"math"
	"time"
)

// descriptorLimit bounds new descriptors; those above it that are open already stay usable.
const descriptorLimit = 128

// cpuSeconds is the kernel's CPU limit for a run of at most d: the next full second, and one more for starting. The
// parent's own watch is finer; this one holds even when the parent is stopped.
func cpuSeconds(d time.Duration) uint64 { return uint64(math.Ceil(d.Seconds())) + 1 }
