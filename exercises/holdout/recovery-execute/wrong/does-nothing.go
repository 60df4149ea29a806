//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-execute wrong does-nothing 0782400f

package recovery

import (
	"context"

	"fieldbook/runtime/fieldnotes"
)

// Mistake: Nothing is done, and nothing fails.
func Execute(ctx context.Context, notes *fieldnotes.Notebook, key string, effect fieldnotes.Effect) (bool, error) {
	return false, nil
}
