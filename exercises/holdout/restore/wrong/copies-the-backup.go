//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY restore wrong copies-the-backup ab3392f0

package assistant

import (
	"context"

	"fieldbook/runtime/database"
)

// Mistake: the backup is copied straight into the live shop, unchecked and unchanged.
func Restore(ctx context.Context, db *database.Database, source string) error {
	backup, err := database.OpenBackup(ctx, source)
	if err != nil {
		return err
	}
	defer backup.Close()
	return backup.CopyInto(ctx, db)
}
