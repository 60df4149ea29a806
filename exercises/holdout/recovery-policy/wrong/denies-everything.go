//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-policy wrong denies-everything a8c21aff

package recovery

import (
	"fieldbook/runtime/fieldnotes"
)

// Mistake: Every proposal is denied, as if its tool were unknown.
func Decide(policy fieldnotes.Policy, proposal fieldnotes.Proposal) fieldnotes.Decision {
	return fieldnotes.Decision{Reason: fieldnotes.ToolNotAllowed}
}
