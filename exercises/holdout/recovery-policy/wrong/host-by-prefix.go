//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-policy wrong host-by-prefix b232132c

package recovery

import (
	"slices"
	"strings"

	"fieldbook/runtime/fieldnotes"
)

// Mistake: The text of the address is compared with a prefix, and nothing ends the host.
func Decide(policy fieldnotes.Policy, proposal fieldnotes.Proposal) fieldnotes.Decision {
	if !slices.Contains(policy.Tools, proposal.Tool) {
		return fieldnotes.Decision{Reason: fieldnotes.ToolNotAllowed}
	}
	if proposal.Tenant == "" || proposal.Tenant != policy.Tenant {
		return fieldnotes.Decision{Reason: fieldnotes.TenantNotAllowed}
	}
	for _, host := range policy.Hosts {
		if strings.HasPrefix(strings.ToLower(proposal.URL), "https://"+host) {
			return fieldnotes.Decision{Allowed: true, Reason: fieldnotes.Allowed}
		}
	}
	return fieldnotes.Decision{Reason: fieldnotes.EgressNotAllowed}
}
