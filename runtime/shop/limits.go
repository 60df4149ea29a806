package shop

import "time"

// Limits of a request, in bytes.
const (
	MaxOriginBytes  = 250
	MaxSessionBytes = 200
	MaxPromptBytes  = 16384
)

// Limits of the queue. Work above them is stored as REJECTED, so that its origin stays answered.
const (
	MaxWorkPerDay  = 50 // created in one UTC day, whatever became of it
	MaxPendingWork = 20 // READY or RUNNING at one time
)

// Limits of a lease, in whole seconds. DefaultLease is what a worker asks for without a reason to ask for another.
const (
	DefaultLease = 90 * time.Second
	MinLease     = time.Second
	MaxLease     = 3600 * time.Second
)
