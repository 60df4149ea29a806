//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-policy variant set-of-addresses 50141eb6

package recovery

import (
	"net/url"
	"strings"

	"fieldbook/runtime/fieldnotes"
)

// Decide builds the set of authorities that the policy allows and looks the parsed one up.
func Decide(policy fieldnotes.Policy, proposal fieldnotes.Proposal) fieldnotes.Decision {
	deny := func(reason fieldnotes.Reason) fieldnotes.Decision {
		return fieldnotes.Decision{Allowed: false, Reason: reason}
	}
	tools := map[string]bool{}
	for _, tool := range policy.Tools {
		tools[tool] = true
	}
	if !tools[proposal.Tool] {
		return deny(fieldnotes.ToolNotAllowed)
	}
	if len(proposal.Tenant) == 0 || proposal.Tenant != policy.Tenant {
		return deny(fieldnotes.TenantNotAllowed)
	}
	authorities := map[string]bool{}
	for _, host := range policy.Hosts {
		if host != "" {
			authorities[host] = true
			authorities[host+":"] = true
			authorities[host+":443"] = true
		}
	}
	parsed, err := url.Parse(proposal.URL)
	if err != nil || parsed.Scheme != "https" || parsed.User != nil || !authorities[strings.ToLower(parsed.Host)] {
		return deny(fieldnotes.EgressNotAllowed)
	}
	return fieldnotes.Decision{Allowed: true, Reason: fieldnotes.Allowed}
}
