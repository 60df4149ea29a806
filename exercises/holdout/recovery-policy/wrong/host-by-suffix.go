//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-policy wrong host-by-suffix 9433127c

package recovery

import (
	"net/url"
	"slices"
	"strings"

	"fieldbook/runtime/fieldnotes"
)

// Mistake: A host that ends like an allowed one is allowed.
func Decide(policy fieldnotes.Policy, proposal fieldnotes.Proposal) fieldnotes.Decision {
	if !slices.Contains(policy.Tools, proposal.Tool) {
		return fieldnotes.Decision{Reason: fieldnotes.ToolNotAllowed}
	}
	if proposal.Tenant == "" || proposal.Tenant != policy.Tenant {
		return fieldnotes.Decision{Reason: fieldnotes.TenantNotAllowed}
	}
	address, err := url.Parse(proposal.URL)
	if err != nil || address.Scheme != "https" || address.User != nil || address.Port() != "" && address.Port() != "443" {
		return fieldnotes.Decision{Reason: fieldnotes.EgressNotAllowed}
	}
	host := strings.ToLower(address.Hostname())
	for _, allowed := range policy.Hosts {
		if strings.HasSuffix(host, allowed) {
			return fieldnotes.Decision{Allowed: true, Reason: fieldnotes.Allowed}
		}
	}
	return fieldnotes.Decision{Reason: fieldnotes.EgressNotAllowed}
}
