//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-policy wrong allows-everything 0508111b

package recovery

import (
	"fieldbook/runtime/fieldnotes"
)

// Mistake: Every proposal is allowed.
func Decide(policy fieldnotes.Policy, proposal fieldnotes.Proposal) fieldnotes.Decision {
	return fieldnotes.Decision{Allowed: true, Reason: fieldnotes.Allowed}
}
