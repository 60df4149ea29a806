//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY restore wrong refuses-everything 9a7820c9

package assistant

import (
	"context"

	"fieldbook/runtime/database"
	"fieldbook/runtime/shop"
)

// Mistake: every source is refused, sound ones too.
func Restore(ctx context.Context, db *database.Database, source string) error {
	return shop.ErrSeparateBackup
}
