//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-policy wrong no-tenant-check eb07f581

package recovery

import (
	"net/url"
	"slices"
	"strings"

	"fieldbook/runtime/fieldnotes"
)

// Mistake: The tenant is not looked at.
func Decide(policy fieldnotes.Policy, proposal fieldnotes.Proposal) fieldnotes.Decision {
	if !slices.Contains(policy.Tools, proposal.Tool) {
		return fieldnotes.Decision{Reason: fieldnotes.ToolNotAllowed}
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
