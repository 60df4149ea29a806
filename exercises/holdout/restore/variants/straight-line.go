//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY restore variant straight-line 91be02d4

package assistant

import (
	"context"
	"errors"

	"fieldbook/runtime/database"
	"fieldbook/runtime/files"
	"fieldbook/runtime/shop"
)

// Restore in one straight line, every close and removal written out, no defer and no closure but the two that a
// transaction needs.
func Restore(ctx context.Context, db *database.Database, source string) error {
	regular, err := files.Regular(source)
	if err != nil || !regular {
		return shop.ErrSeparateBackup
	}
	live, err := files.Identity(db.Path())
	if err != nil {
		return err
	}
	other, err := files.Identity(source)
	if err != nil || live == other {
		return shop.ErrSeparateBackup
	}

	backup, err := database.OpenBackup(ctx, source)
	if errors.Is(err, database.ErrUnfinished) {
		return shop.ErrUnfinishedBackup
	}
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return shop.ErrCorruptBackup
	}
	err = backup.Integrity(ctx)
	if err != nil && ctx.Err() != nil {
		backup.Close()
		return ctx.Err()
	}
	if err != nil {
		backup.Close()
		return shop.ErrCorruptBackup
	}
	have, err := backup.Versions(ctx)
	if errors.Is(err, database.ErrNoSchema) {
		backup.Close()
		return shop.ErrSchemaMismatch
	}
	if err != nil && ctx.Err() != nil {
		backup.Close()
		return ctx.Err()
	}
	if err != nil {
		backup.Close()
		return shop.ErrCorruptBackup
	}
	want, err := db.Versions(ctx)
	if err != nil {
		backup.Close()
		return err
	}
	if len(have) != len(want) {
		backup.Close()
		return shop.ErrSchemaMismatch
	}
	for i := 0; i < len(want); i++ {
		if have[i] != want[i] {
			backup.Close()
			return shop.ErrSchemaMismatch
		}
	}
	format, err := backup.Format(ctx)
	if err != nil && ctx.Err() != nil {
		backup.Close()
		return ctx.Err()
	}
	if err != nil {
		backup.Close()
		return shop.ErrCorruptBackup
	}
	liveFormat, err := db.Format(ctx)
	if err != nil {
		backup.Close()
		return err
	}
	if format != liveFormat {
		backup.Close()
		return shop.ErrSchemaMismatch
	}

	image, err := database.OpenImage(ctx, db)
	if err != nil {
		backup.Close()
		return err
	}
	err = backup.CopyInto(ctx, image)
	backup.Close()
	if err != nil {
		image.Close()
		return err
	}
	epoch := db.NewEpoch()
	_, err = image.Exec(ctx, `UPDATE assistant_control SET epoch = ?, paused = 1 WHERE id = 1`, epoch)
	if err != nil {
		image.Close()
		return err
	}
	_, err = image.Exec(ctx, `UPDATE assistant_work SET generation = generation + 1, owner = NULL, expires = NULL`)
	if err != nil {
		image.Close()
		return err
	}
	_, err = image.Exec(ctx, `UPDATE assistant_work SET status = 'READY' WHERE status = 'RUNNING'`)
	if err != nil {
		image.Close()
		return err
	}
	_, err = image.Exec(ctx, `UPDATE assistant_orders SET revoked = 1, approved_until = 0`)
	if err != nil {
		image.Close()
		return err
	}

	err = db.Immediate(ctx, func(tx *database.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE assistant_control SET paused = 1 WHERE id = 1`)
		return err
	})
	if err != nil {
		image.Close()
		return err
	}

	marker := db.Marker()
	fresh := marker + "." + epoch
	file, err := files.CreateExclusive(fresh, 0o600)
	if err != nil {
		image.Close()
		return err
	}
	_, err = file.Write([]byte(epoch))
	if err != nil {
		file.Close()
		files.Remove(fresh)
		image.Close()
		return err
	}
	err = file.Sync()
	if err != nil {
		file.Close()
		files.Remove(fresh)
		image.Close()
		return err
	}
	err = file.Close()
	if err != nil {
		files.Remove(fresh)
		image.Close()
		return err
	}
	err = files.Rename(fresh, marker)
	if err != nil {
		files.Remove(fresh)
		image.Close()
		return err
	}
	err = files.SyncFolder(files.Folder(marker))
	if err != nil {
		image.Close()
		return err
	}

	err = image.CopyInto(ctx, db)
	if err != nil {
		image.Close()
		return err
	}
	return image.Close()
}
