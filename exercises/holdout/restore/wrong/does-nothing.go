//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY restore wrong does-nothing e57b8cff

package assistant

import (
	"context"

	"fieldbook/runtime/database"
)

// Mistake: nil is returned and nothing is done.
func Restore(ctx context.Context, db *database.Database, source string) error {
	return nil
}
