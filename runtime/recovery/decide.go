package recovery

import (
	"net/url"
	"slices"
	"strings"

	"fieldbook/runtime/fieldnotes"
)

// Decide judges a proposal by a policy, which is the only authority: whatever the proposal says of itself counts for
// nothing. The reason is that of the first check that fails, in the order tool, tenant, egress.
//
// An address is allowed when it is an absolute https URL without user information whose host is one of the policy's,
// letter case aside, on the default port. The host is taken from the parsed address: its text may begin with an allowed one and lead
// elsewhere. What does not parse, and every other spelling of a host, a trailing dot too, is not allowed. Path and query do
// not matter. Decide opens no connection and resolves no name.
func Decide(policy fieldnotes.Policy, proposal fieldnotes.Proposal) fieldnotes.Decision {
	if !slices.Contains(policy.Tools, proposal.Tool) {
		return fieldnotes.Decision{Reason: fieldnotes.ToolNotAllowed}
	}
	if proposal.Tenant == "" || proposal.Tenant != policy.Tenant {
		return fieldnotes.Decision{Reason: fieldnotes.TenantNotAllowed}
	}
	address, err := url.Parse(proposal.URL)
	if err != nil || address.Scheme != "https" || address.User != nil || !slices.Contains([]string{"", "443"}, address.Port()) {
		return fieldnotes.Decision{Reason: fieldnotes.EgressNotAllowed}
	}
	host := address.Hostname()
	if host == "" || !slices.Contains(policy.Hosts, strings.ToLower(host)) {
		return fieldnotes.Decision{Reason: fieldnotes.EgressNotAllowed}
	}
	return fieldnotes.Decision{Allowed: true, Reason: fieldnotes.Allowed}
}
