//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY restore variant named-cleanup 70d4b1ee

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

// Restore returns early everywhere and leaves the cleaning up to deferred functions that look at the named result.
func Restore(ctx context.Context, db *database.Database, source string) (err error) {
	defer func() {
		// What fails after the context has ended failed for that reason.
		if ended := ctx.Err(); err != nil && ended != nil {
			err = ended
		}
	}()
	switch regular, err := files.Regular(source); {
	case err != nil, !regular:
		return shop.ErrSeparateBackup
	}
	switch same, err := files.Same(db.Path(), source); {
	case err != nil, same:
		return shop.ErrSeparateBackup
	}

	backup, openErr := database.OpenBackup(ctx, source)
	switch {
	case openErr == nil:
	case errors.Is(openErr, database.ErrUnfinished):
		return shop.ErrUnfinishedBackup
	default:
		return shop.ErrCorruptBackup
	}
	defer func() {
		if closeErr := backup.Close(); err == nil && closeErr != nil {
			err = fmt.Errorf("close the backup: %w", closeErr)
		}
	}()
	if err := backup.Integrity(ctx); err != nil {
		return shop.ErrCorruptBackup
	}
	if err := agrees(ctx, db, backup); err != nil {
		return err
	}

	image, imageErr := database.OpenImage(ctx, db)
	if imageErr != nil {
		return imageErr
	}
	defer func() {
		if closeErr := image.Close(); err == nil && closeErr != nil {
			err = fmt.Errorf("remove the image: %w", closeErr)
		}
	}()
	if err = backup.CopyInto(ctx, image); err != nil {
		return err
	}
	epoch := db.NewEpoch()
	if err = image.Immediate(ctx, renew(ctx, epoch)); err != nil {
		return err
	}

	if err = db.Immediate(ctx, func(tx *database.Tx) (err error) {
		_, err = tx.Exec(ctx, `UPDATE assistant_control SET paused = 1`)
		return
	}); err != nil {
		return err
	}

	unfinished := db.Marker() + "." + epoch
	published := false
	file, createErr := files.CreateExclusive(unfinished, 0o600)
	if createErr != nil {
		return createErr
	}
	defer func() {
		if !published {
			file.Close()
			files.Remove(unfinished)
		}
	}()
	if _, err = file.Write([]byte(epoch)); err != nil {
		return err
	}
	if err = file.Sync(); err != nil {
		return err
	}
	if err = file.Close(); err != nil {
		return err
	}
	if err = files.Rename(unfinished, db.Marker()); err != nil {
		return err
	}
	published = true
	if err = files.SyncFolder(files.Folder(db.Marker())); err != nil {
		return err
	}
	return image.CopyInto(ctx, db)
}

// agrees compares what the two databases say of their own shape.
func agrees(ctx context.Context, db, backup *database.Database) error {
	ours, err := db.Versions(ctx)
	if err != nil {
		return err
	}
	theirs, err := backup.Versions(ctx)
	if err != nil && !errors.Is(err, database.ErrNoSchema) {
		return shop.ErrCorruptBackup
	}
	if err != nil || !slices.Equal(ours, theirs) {
		return shop.ErrSchemaMismatch
	}
	shape, err := db.Format(ctx)
	if err != nil {
		return err
	}
	if other, err := backup.Format(ctx); err != nil {
		return shop.ErrCorruptBackup
	} else if other != shape {
		return shop.ErrSchemaMismatch
	}
	return nil
}

// renew returns the transaction that turns restored rows into the first rows of the history named epoch.
func renew(ctx context.Context, epoch string) func(*database.Tx) error {
	return func(tx *database.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE assistant_work SET
			status = iif(status = 'RUNNING', 'READY', status),
			generation = generation + 1,
			owner = NULL,
			expires = NULL`)
		if err != nil {
			return err
		}
		if _, err = tx.Exec(ctx, `UPDATE assistant_orders SET approved_until = 0, revoked = 1`); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE assistant_control SET paused = 1, epoch = ?`, epoch)
		return err
	}
}
