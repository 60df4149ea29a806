//go:build exercise

package recovery

import (
	"net/url"
	"slices"
	"strings"

	"fieldbook/runtime/fieldnotes"
)

// Decide is the author's broken version, injected as SUPPLIED_FAULT: it looks at the tool and at the address, and believes
// whatever tenant the model names.
func Decide(policy fieldnotes.Policy, proposal fieldnotes.Proposal) fieldnotes.Decision {
	if !slices.Contains(policy.Tools, proposal.Tool) {
		return fieldnotes.Decision{Reason: fieldnotes.ToolNotAllowed}
	}
	address, err := url.Parse(proposal.URL)
	if err != nil || address.Scheme != "https" || address.User != nil || address.Port() != "" && address.Port() != "443" {
		return fieldnotes.Decision{Reason: fieldnotes.EgressNotAllowed}
	}
	if !slices.Contains(policy.Hosts, strings.ToLower(address.Hostname())) {
		return fieldnotes.Decision{Reason: fieldnotes.EgressNotAllowed}
	}
	return fieldnotes.Decision{Allowed: true, Reason: fieldnotes.Allowed}
}
