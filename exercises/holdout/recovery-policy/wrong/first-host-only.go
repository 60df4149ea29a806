//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-policy wrong first-host-only 10945350

package recovery

import (
	"net/url"
	"slices"
	"strings"

	"fieldbook/runtime/fieldnotes"
)

// Mistake: Of the hosts of the policy the first alone counts.
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
	if host == "" || len(policy.Hosts) == 0 || policy.Hosts[0] != host {
		return fieldnotes.Decision{Reason: fieldnotes.EgressNotAllowed}
	}
	return fieldnotes.Decision{Allowed: true, Reason: fieldnotes.Allowed}
}
