package shop

// OrderStatus is the state of an order to the supplier.
type OrderStatus string

// The states of an order. SENDING and UNKNOWN are uncertain: the supplier may have received it.
const (
	Proposed      OrderStatus = "PROPOSED"
	Approved      OrderStatus = "APPROVED"
	Sending       OrderStatus = "SENDING"
	Unknown       OrderStatus = "UNKNOWN"
	Confirmed     OrderStatus = "CONFIRMED"
	RejectedOrder OrderStatus = "REJECTED"
	CanceledOrder OrderStatus = "CANCELED"
)

// Order is a row of assistant_orders: a purchase that the assistant proposed for a piece of work. Times are UTC seconds.
type Order struct {
	ID            string
	WorkID        string
	Proposal      string // what would be bought, as JSON text
	Digest        string // of the proposal: an approval holds for these bytes only
	AmountCents   int64  // above 0
	Status        OrderStatus
	ApprovedBy    string
	ApprovedUntil int64
	Revoked       bool
	Receipt       string // the supplier's, once there is one
	Created       int64
	Target        string // which supplier
}

// Job is a row of assistant_jobs: work that comes back every EverySeconds seconds.
type Job struct {
	ID           string
	Name         string
	EverySeconds int64
	NextDue      int64 // UTC seconds
	Created      int64 // UTC seconds
	Enabled      bool
}

// Spending is the row of assistant_spending. Reserved and spent are never negative and never exceed the limit together.
type Spending struct {
	LimitCents    int64
	ReservedCents int64
	SpentCents    int64
}

// Item is a row of the inventory.
type Item struct {
	SKU           string
	OnHand        int64
	Reorder       int64 // order again when fewer are on hand
	UnitCostCents int64
	PriceCents    int64
}

// Control is the control row of the shop: which history its database belongs to, and whether work may be claimed.
type Control struct {
	Epoch  string // 32 hexadecimal digits
	Paused bool
}
