//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-policy wrong no-tool-check df451fe1

package recovery

import (
	"net/url"
	"slices"
	"strings"

	"fieldbook/runtime/fieldnotes"
)

// Mistake: The tool is not looked at.
func Decide(policy fieldnotes.Policy, proposal fieldnotes.Proposal) fieldnotes.Decision {
	if proposal.Tenant == "" || proposal.Tenant != policy.Tenant {
		return fieldnotes.Decision{Reason: fieldnotes.TenantNotAllowed}
	}
	address, err := url.Parse(proposal.URL)
	if err != nil || address.Scheme != "https" || address.User != nil || address.Port() != "" && address.Port() != "443" {
		return fieldnotes.Decision{Reason: fieldnotes.EgressNotAllowed}
	}
	host := strings.ToLower(address.Hostname())
	if host == "" || !slices.Contains(policy.Hosts, host) {
		return fieldnotes.Decision{Reason: fieldnotes.EgressNotAllowed}
	}
	return fieldnotes.Decision{Allowed: true, Reason: fieldnotes.Allowed}
}
