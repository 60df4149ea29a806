//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-run wrong does-nothing 4745c77c

package recovery

import (
	"context"

	"fieldbook/runtime/fieldnotes"
)

// Mistake: Nothing is done, and the run is accepted.
func Run(ctx context.Context, notes *fieldnotes.Notebook, task fieldnotes.Task) (fieldnotes.Result, error) {
	return fieldnotes.Result{StopReason: fieldnotes.Accepted}, nil
}
