//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-policy solution solution 8ee38960

package recovery

import (
	"net/url"
	"slices"
	"strings"

	"fieldbook/runtime/fieldnotes"
)

// Decide answers three questions in their order. An address counts by its parsed parts alone.
func Decide(policy fieldnotes.Policy, proposal fieldnotes.Proposal) fieldnotes.Decision {
	switch {
	case !slices.Contains(policy.Tools, proposal.Tool):
		return fieldnotes.Decision{Reason: fieldnotes.ToolNotAllowed}
	case policy.Tenant == "" || policy.Tenant != proposal.Tenant:
		return fieldnotes.Decision{Reason: fieldnotes.TenantNotAllowed}
	}
	address, err := url.Parse(proposal.URL)
	switch {
	case err != nil,
		address.Scheme != "https",
		address.User != nil,
		address.Hostname() == "",
		address.Port() != "" && address.Port() != "443",
		!slices.Contains(policy.Hosts, strings.ToLower(address.Hostname())):
		return fieldnotes.Decision{Reason: fieldnotes.EgressNotAllowed}
	}
	return fieldnotes.Decision{Allowed: true, Reason: fieldnotes.Allowed}
}
