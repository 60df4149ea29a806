//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY restore wrong keeps-running 5c609b3b

package assistant

import (
	"context"
	"errors"
	"slices"

	"fieldbook/runtime/database"
	"fieldbook/runtime/files"
	"fieldbook/runtime/shop"
)

// Mistake: work that was RUNNING stays RUNNING, with nobody who runs it.
func Restore(ctx context.Context, db *database.Database, source string) error {
	regular, err := files.Regular(source)
	if err != nil || !regular {
		return shop.ErrSeparateBackup
	}
	same, err := files.Same(source, db.Path())
	if err != nil || same {
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
	have, err := backup.Versions(ctx)
	if errors.Is(err, database.ErrNoSchema) {
		return shop.ErrSchemaMismatch
	}
	if err != nil {
		return shop.ErrCorruptBackup
	}
	want, err := db.Versions(ctx)
	if err != nil {
		return err
	}
	haveFormat, err := backup.Format(ctx)
	if err != nil {
		return shop.ErrCorruptBackup
	}
	wantFormat, err := db.Format(ctx)
	if err != nil {
		return err
	}
	if !slices.Equal(have, want) || haveFormat != wantFormat {
		return shop.ErrSchemaMismatch
	}

	image, err := database.OpenImage(ctx, db)
	if err != nil {
		return err
	}
	defer image.Close()
	if err := backup.CopyInto(ctx, image); err != nil {
		return err
	}
	epoch := db.NewEpoch()
	err = image.Immediate(ctx, func(tx *database.Tx) error {
		if _, err := tx.Exec(ctx, `UPDATE assistant_control SET epoch = ?, paused = 1 WHERE id = 1`, epoch); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `
			UPDATE assistant_work
			SET generation = generation + 1, owner = NULL, expires = NULL`); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `UPDATE assistant_orders SET revoked = 1, approved_until = 0`)
		return err
	})
	if err != nil {
		return err
	}

	err = db.Immediate(ctx, func(tx *database.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE assistant_control SET paused = 1 WHERE id = 1`)
		return err
	})
	if err != nil {
		return err
	}

	next := db.Marker() + "." + epoch
	file, err := files.CreateExclusive(next, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write([]byte(epoch))
	if err == nil {
		err = file.Sync()
	}
	err = errors.Join(err, file.Close())
	if err == nil {
		err = files.Rename(next, db.Marker())
	}
	if err != nil {
		return errors.Join(err, files.Remove(next))
	}
	if err := files.SyncFolder(files.Folder(db.Marker())); err != nil {
		return err
	}

	return image.CopyInto(ctx, db)
}
