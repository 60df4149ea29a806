//go:build exercise

package assistant

import (
	"context"

	"fieldbook/runtime/database"
)

// Restore is a reasonable first idea: pause the shop, then copy the backup
// over it.
func Restore(ctx context.Context, db *database.Database,
	source string) error {
	backup, err := database.OpenBackup(ctx, source)
	if err != nil {
		return err
	}
	defer backup.Close()

	err = db.Immediate(ctx, func(tx *database.Tx) error {
		_, err := tx.Exec(ctx,
			`UPDATE assistant_control SET paused = 1 WHERE id = 1`)
		return err
	})
	if err != nil {
		return err
	}
	return backup.CopyInto(ctx, db)
}
