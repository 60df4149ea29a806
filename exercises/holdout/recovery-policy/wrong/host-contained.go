//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-policy wrong host-contained 2ade0220

package recovery

import (
	"slices"
	"strings"

	"fieldbook/runtime/fieldnotes"
)

// Mistake: An address is allowed when it contains an allowed host anywhere.
func Decide(policy fieldnotes.Policy, proposal fieldnotes.Proposal) fieldnotes.Decision {
	if !slices.Contains(policy.Tools, proposal.Tool) {
		return fieldnotes.Decision{Reason: fieldnotes.ToolNotAllowed}
	}
	if proposal.Tenant == "" || proposal.Tenant != policy.Tenant {
		return fieldnotes.Decision{Reason: fieldnotes.TenantNotAllowed}
	}
	for _, host := range policy.Hosts {
		if strings.Contains(proposal.URL, host) {
			return fieldnotes.Decision{Allowed: true, Reason: fieldnotes.Allowed}
		}
	}
	return fieldnotes.Decision{Reason: fieldnotes.EgressNotAllowed}
}
