//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-policy variant equal-fold 95c954e7

package recovery

import (
	"net/url"
	"strings"

	"fieldbook/runtime/fieldnotes"
)

// Decide compares hosts without regard to letter case, without a lower-case copy.
func Decide(policy fieldnotes.Policy, proposal fieldnotes.Proposal) fieldnotes.Decision {
	var decision fieldnotes.Decision
	known := false
	for i := range policy.Tools {
		known = known || policy.Tools[i] == proposal.Tool
	}
	if !known {
		decision.Reason = fieldnotes.ToolNotAllowed
		return decision
	}
	if policy.Tenant != proposal.Tenant || proposal.Tenant == "" {
		decision.Reason = fieldnotes.TenantNotAllowed
		return decision
	}
	decision.Reason = fieldnotes.EgressNotAllowed
	address, err := url.Parse(proposal.URL)
	if err != nil {
		return decision
	}
	switch address.Port() {
	case "", "443":
	default:
		return decision
	}
	ascii := strings.IndexFunc(address.Host, func(r rune) bool { return r > 127 }) < 0
	if address.Scheme != "https" || address.User != nil || address.Hostname() == "" || !ascii {
		return decision
	}
	for _, host := range policy.Hosts {
		if strings.EqualFold(host, address.Hostname()) {
			return fieldnotes.Decision{Allowed: true, Reason: fieldnotes.Allowed}
		}
	}
	return decision
}
