package fieldnotes

import "context"

// Proposal is what the model wants done. It is untrusted content: nobody has checked any of it, and it decides nothing.
type Proposal struct {
	Tool    string         `json:"tool"`
	Tenant  string         `json:"tenant"`
	OrderID string         `json:"order_id"`
	URL     string         `json:"url"`
	Details map[string]any `json:"details,omitempty"` // whatever else the model wrote, credentials too
}

// Model stands for a language model: deterministic, and trusted as little as one.
type Model struct {
	Says Proposal
}

// Propose returns what the model says.
func (m Model) Propose(ctx context.Context) (Proposal, error) { return m.Says, ctx.Err() }

// Policy is what a run may do. It is configuration: the model neither sees nor changes it.
type Policy struct {
	Tools  []string // by exact name
	Tenant string   // the only one
	Hosts  []string // that may be reached over https, lower-case ASCII names without a port
}

// Reason says how a policy has decided.
type Reason string

// The reasons.
const (
	Allowed          Reason = "allowed"
	ToolNotAllowed   Reason = "tool_not_allowed"
	TenantNotAllowed Reason = "tenant_not_allowed"
	EgressNotAllowed Reason = "egress_not_allowed"
)

// Decision is a policy's answer to a proposal. Allowed is true with the reason Allowed and with no other.
type Decision struct {
	Allowed bool
	Reason  Reason
}

// Task is the work of one run: what is asked, under which policy, with how many attempts.
type Task struct {
	RunID   string // "run-os-742"
	Tenant  string // for whom the report is
	OrderID string // of which order
	Budget  int    // how many times a new run may call its executor; a checkpoint's own budget counts once there is one
	Policy  Policy
	Model   Model
}

// Wanted is the effect that the task is to have, whatever the model proposes.
func (t Task) Wanted() Effect { return Effect{Tenant: t.Tenant, OrderID: t.OrderID, Status: Written} }

// Result is how a run ended, as it is printed: the keys are sorted.
type Result struct {
	EffectReused bool   `json:"effect_reused"`
	Recovered    bool   `json:"recovered"`
	StopReason   string `json:"stop_reason"`
}

// Reasons for which a run stops. A denied run stops with PolicyDenied followed by the Reason.
const (
	Accepted        = "accepted"
	FinalInvalid    = "final_invalid"
	BudgetExhausted = "budget_exhausted"
	PolicyDenied    = "policy_denied:"
)
