//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-policy variant table-of-checks d1f77fbe

package recovery

import (
	"net/url"
	"slices"
	"strings"

	"fieldbook/runtime/fieldnotes"
)

// Decide walks a list of checks, each with the reason that it gives.
func Decide(policy fieldnotes.Policy, proposal fieldnotes.Proposal) fieldnotes.Decision {
	checks := []struct {
		passes func() bool
		reason fieldnotes.Reason
	}{
		{func() bool { return slices.Contains(policy.Tools, proposal.Tool) }, fieldnotes.ToolNotAllowed},
		{func() bool { return proposal.Tenant != "" && proposal.Tenant == policy.Tenant }, fieldnotes.TenantNotAllowed},
		{func() bool {
			u, err := url.Parse(proposal.URL)
			if err != nil {
				return false
			}
			onDefault := u.Port() == "" || u.Port() == "443"
			return u.Scheme == "https" && u.User == nil && u.Host != "" && onDefault &&
				u.Hostname() != "" && slices.Contains(policy.Hosts, strings.ToLower(u.Hostname()))
		}, fieldnotes.EgressNotAllowed},
	}
	for _, check := range checks {
		if !check.passes() {
			return fieldnotes.Decision{Reason: check.reason}
		}
	}
	return fieldnotes.Decision{Allowed: true, Reason: fieldnotes.Allowed}
}
