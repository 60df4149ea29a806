//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-policy variant helpers 8cf82816

package recovery

import (
	"net/url"
	"strings"

	"fieldbook/runtime/fieldnotes"
)

// Decide asks one small function for each question.
func Decide(policy fieldnotes.Policy, proposal fieldnotes.Proposal) fieldnotes.Decision {
	reason := fieldnotes.Allowed
	if !leads(policy.Hosts, proposal.URL) {
		reason = fieldnotes.EgressNotAllowed
	}
	if proposal.Tenant == "" || proposal.Tenant != policy.Tenant {
		reason = fieldnotes.TenantNotAllowed
	}
	if !listed(policy.Tools, proposal.Tool) {
		reason = fieldnotes.ToolNotAllowed
	}
	return fieldnotes.Decision{Allowed: reason == fieldnotes.Allowed, Reason: reason}
}

func listed(list []string, name string) bool {
	for _, entry := range list {
		if entry == name {
			return true
		}
	}
	return false
}

// leads reports whether an address leads to one of the hosts and nowhere else.
func leads(hosts []string, text string) bool {
	address, err := url.Parse(text)
	if err != nil || address.Scheme != "https" || address.User != nil {
		return false
	}
	if port := address.Port(); port != "" && port != "443" {
		return false
	}
	host := address.Hostname()
	return host != "" && listed(hosts, strings.ToLower(host))
}
