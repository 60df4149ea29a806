//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-policy wrong host-with-slash-by-prefix 3e44e731

package recovery

import (
	"slices"
	"strings"

	"fieldbook/runtime/fieldnotes"
)

// Mistake: The text of the address is compared with a prefix that ends in a slash: user information, capitals and a written port go astray.
func Decide(policy fieldnotes.Policy, proposal fieldnotes.Proposal) fieldnotes.Decision {
	if !slices.Contains(policy.Tools, proposal.Tool) {
		return fieldnotes.Decision{Reason: fieldnotes.ToolNotAllowed}
	}
	if proposal.Tenant == "" || proposal.Tenant != policy.Tenant {
		return fieldnotes.Decision{Reason: fieldnotes.TenantNotAllowed}
	}
	for _, host := range policy.Hosts {
		if strings.HasPrefix(proposal.URL, "https://"+host+"/") {
			return fieldnotes.Decision{Allowed: true, Reason: fieldnotes.Allowed}
		}
	}
	return fieldnotes.Decision{Reason: fieldnotes.EgressNotAllowed}
}
