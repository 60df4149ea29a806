//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-policy wrong no-written-port 1be91a4e

package recovery

import (
	"net/url"
	"slices"
	"strings"

	"fieldbook/runtime/fieldnotes"
)

// Mistake: The default port is refused when it is written out.
func Decide(policy fieldnotes.Policy, proposal fieldnotes.Proposal) fieldnotes.Decision {
	if !slices.Contains(policy.Tools, proposal.Tool) {
		return fieldnotes.Decision{Reason: fieldnotes.ToolNotAllowed}
	}
	if proposal.Tenant == "" || proposal.Tenant != policy.Tenant {
		return fieldnotes.Decision{Reason: fieldnotes.TenantNotAllowed}
	}
	address, err := url.Parse(proposal.URL)
	if err != nil || address.Scheme != "https" || address.User != nil || address.Port() != "" {
		return fieldnotes.Decision{Reason: fieldnotes.EgressNotAllowed}
	}
	host := strings.ToLower(address.Hostname())
	if host == "" || !slices.Contains(policy.Hosts, host) {
		return fieldnotes.Decision{Reason: fieldnotes.EgressNotAllowed}
	}
	return fieldnotes.Decision{Allowed: true, Reason: fieldnotes.Allowed}
}
