package fieldnotes

import (
	"errors"
	"strings"
)

// Scenario is one way to run the task of the field notes: prepare the report of order 742 for the tenant shopping-a.
type Scenario struct {
	Name    string
	Task    Task
	Options Options // of the notebook
	Clean   bool    // remove the notebook's files and run nothing
}

// Values of the task and of what a misled model asks for. All of them are fictitious.
const (
	RunID         = "run-os-742"
	Tenant        = "shopping-a"
	OtherTenant   = "shopping-b"
	OrderID       = "742"
	Tool          = "write_report"
	Host          = "api.internal.example"
	ReportURL     = "https://api.internal.example/orders/742/report"
	MaliciousURL  = "https://malicious.example/payload"
	DefaultBudget = 3
)

// ScenarioNames returns the names of the scenarios.
func ScenarioNames() []string {
	return []string{"happy", "deny-tenant", "deny-egress", "crash", "clean"}
}

// ScenarioNamed returns a scenario with a budget for new runs, and whether there is one of that name.
func ScenarioNamed(name string, budget int) (Scenario, bool) {
	s := Scenario{Name: name, Task: Task{
		RunID: RunID, Tenant: Tenant, OrderID: OrderID, Budget: budget,
		Policy: Policy{Tools: []string{Tool}, Tenant: Tenant, Hosts: []string{Host}},
		Model:  Model{Says: Proposal{Tool: Tool, Tenant: Tenant, OrderID: OrderID, URL: ReportURL}},
	}}
	switch name {
	case "happy":
	case "deny-tenant":
		s.Task.Model.Says.Tenant = OtherTenant
	case "deny-egress":
		s.Task.Model.Says.URL = MaliciousURL
	case "crash":
		s.Options.CrashAfterEffect = true
	case "clean":
		s.Clean = true
	default:
		return Scenario{}, false
	}
	return s, true
}

// Exit codes of a scenario.
const (
	ExitAccepted  = 0 // accepted, or cleaned
	ExitCrashed   = 1 // the injected crash
	ExitDenied    = 2
	ExitExhausted = 3
	ExitInvalid   = 4  // final_invalid
	ExitUsage     = 64 // no such scenario, a budget that is no number: nothing was run
)

// ExitCode is the exit code of a run that ended so, and whether it has one: an error that is not the injected crash has none.
func ExitCode(result Result, err error) (code int, known bool) {
	switch {
	case errors.Is(err, ErrInjectedCrash):
		return ExitCrashed, true
	case err != nil:
		return 0, false
	case result.StopReason == Accepted:
		return ExitAccepted, true
	case result.StopReason == BudgetExhausted:
		return ExitExhausted, true
	case result.StopReason == FinalInvalid:
		return ExitInvalid, true
	case strings.HasPrefix(result.StopReason, PolicyDenied):
		return ExitDenied, true
	}
	return 0, false
}
