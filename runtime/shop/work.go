package shop

// Status is the state of a piece of work.
type Status string

// The states of work. READY and RUNNING are pending; BLOCKED waits for a person; the others are final.
const (
	Ready    Status = "READY"
	Running  Status = "RUNNING"
	Blocked  Status = "BLOCKED"
	Done     Status = "DONE"
	Canceled Status = "CANCELED"
	Rejected Status = "REJECTED"
)

// Role says on whose behalf work is done.
type Role string

// The roles. The operator is Lucy; a schedule is a job that became due; a customer writes from outside.
const (
	Operator Role = "operator"
	Schedule Role = "schedule"
	Customer Role = "customer"
)

// Request is what someone asks the assistant to do. Origin names the request itself: asking twice with one origin is
// asking once.
type Request struct {
	Origin  string // 1 to MaxOriginBytes bytes, "morning:brief"
	Session string // 1 to MaxSessionBytes bytes; one piece of work of a session runs at a time
	Prompt  string // 1 to MaxPromptBytes bytes, not only white space
	Role    Role
}

// Work is a row of assistant_work. Times are UTC seconds. Owner is "" and Expires 0 where the row says null.
type Work struct {
	ID             string
	Origin         string
	Session        string
	Prompt         string
	Role           Role
	Status         Status
	Generation     int64 // counts claims, and restores: a number held by an old claim never comes back
	Owner          string
	Expires        int64
	Created        int64
	Result         string
	AvailableAfter int64 // not claimed before this second
}

// Claim is the permission to do one piece of work: which work, which claim of it, by whom, in which history of the shop.
// It is worth nothing once any of these has changed; assistant.AssertCurrent says whether one has.
type Claim struct {
	ID         string // of the work
	Session    string
	Prompt     string
	Generation int64
	Owner      string
	Epoch      string // the history in which the claim was made, 32 hexadecimal digits
	Role       Role
}

// Health is a summary of the shop that a person reads before deciding anything.
type Health struct {
	Paused            bool
	Work              map[Status]int64 // rows by status; a status without rows is left out
	OldestWorkSeconds int64            // age of the oldest READY, RUNNING or BLOCKED work; 0 when there is none
	UncertainOrders   int64            // orders that the supplier may or may not have received: SENDING or UNKNOWN
}
