//go:build exercise

package assistant

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"fieldbook/runtime/database"
	"fieldbook/runtime/files"
	"fieldbook/runtime/shop"
)

// Restore is the author's broken version, injected as SUPPLIED_FAULT: it pauses the live shop and forgets that the rows of
// the image replace that pause.
func Restore(ctx context.Context, db *database.Database, source string) error {
	if regular, err := files.Regular(source); err != nil || !regular {
		return shop.ErrSeparateBackup
	}
	if same, err := files.Same(source, db.Path()); err != nil || same {
		return shop.ErrSeparateBackup
	}
	backup, err := database.OpenBackup(ctx, source)
	if errors.Is(err, database.ErrUnfinished) {
		return shop.ErrUnfinishedBackup
	}
	if err != nil {
		return shop.ErrCorruptBackup
	}
	defer backup.Close()
	if err := backup.Integrity(ctx); err != nil {
		return shop.ErrCorruptBackup
	}
	theirs, err := backup.Versions(ctx)
	if errors.Is(err, database.ErrNoSchema) {
		return shop.ErrSchemaMismatch
	}
	if err != nil {
		return shop.ErrCorruptBackup
	}
	ours, err := db.Versions(ctx)
	if err != nil {
		return err
	}
	theirFormat, err := backup.Format(ctx)
	if err != nil {
		return shop.ErrCorruptBackup
	}
	ourFormat, err := db.Format(ctx)
	if err != nil {
		return err
	}
	if !slices.Equal(theirs, ours) || theirFormat != ourFormat {
		return shop.ErrSchemaMismatch
	}

	image, err := database.OpenImage(ctx, db)
	if err != nil {
		return fmt.Errorf("open the image: %w", err)
	}
	defer image.Close()
	if err := backup.CopyInto(ctx, image); err != nil {
		return fmt.Errorf("copy the backup into the image: %w", err)
	}
	epoch := db.NewEpoch()
	err = image.Immediate(ctx, func(tx *database.Tx) error {
		_, control := tx.Exec(ctx, `UPDATE assistant_control SET epoch = ? WHERE id = 1`, epoch)
		_, work := tx.Exec(ctx, `
			UPDATE assistant_work
			SET generation = generation + 1, owner = NULL, expires = NULL,
			    status = CASE WHEN status = 'RUNNING' THEN 'READY' ELSE status END`)
		_, orders := tx.Exec(ctx, `UPDATE assistant_orders SET revoked = 1, approved_until = 0`)
		return errors.Join(control, work, orders)
	})
	if err != nil {
		return fmt.Errorf("prepare the image: %w", err)
	}

	err = db.Immediate(ctx, func(tx *database.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE assistant_control SET paused = 1 WHERE id = 1`)
		return err
	})
	if err != nil {
		return fmt.Errorf("pause the shop: %w", err)
	}
	if err := files.Replace(db.Marker(), []byte(epoch)); err != nil {
		return fmt.Errorf("publish the marker: %w", err)
	}
	if err := image.CopyInto(ctx, db); err != nil {
		return fmt.Errorf("copy the image into the shop: %w", err)
	}
	return nil
}
