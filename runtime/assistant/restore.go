package assistant

import (
	"context"
	"errors"
	"fmt"

	"fieldbook/runtime/database"
	"fieldbook/runtime/files"
	"fieldbook/runtime/shop"
)

// Restore replaces the rows of the open shop db by those of the backup at source, and leaves the shop paused in a fresh
// epoch. Restored bytes say nothing of what the supplier did after the backup, so nobody may work from them before a
// person has looked: the pause, the revoked approvals and the ended claims arrive with the rows, in the one commit that
// makes them visible.
//
// A source that cannot be used is one of the refusals of package shop, and the shop is then exactly as it was. After any
// other error the shop may be paused, and Restore can be called again with the same source.
func Restore(ctx context.Context, db *database.Database, source string) error {
	// 1. The source is an existing file, and not the shop's own under another name.
	regular, err := files.Regular(source)
	if err != nil || !regular {
		return shop.ErrSeparateBackup
	}
	same, err := files.Same(source, db.Path())
	if err != nil || same {
		return shop.ErrSeparateBackup
	}

	// From here on an error of the source means that its bytes are not a sound, finished shop.
	refuse := func(err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, database.ErrUnfinished):
			return shop.ErrUnfinishedBackup
		case errors.Is(err, database.ErrNoSchema):
			return shop.ErrSchemaMismatch
		default:
			return shop.ErrCorruptBackup
		}
	}

	// 2. It is a finished backup, and sound.
	backup, err := database.OpenBackup(ctx, source)
	if err != nil {
		return refuse(err)
	}
	defer backup.Close()
	if err := backup.Integrity(ctx); err != nil {
		return refuse(err)
	}

	// 3. Its pages and rows mean what the shop's mean.
	versions, err := backup.Versions(ctx)
	if err != nil {
		return refuse(err)
	}
	format, err := backup.Format(ctx)
	if err != nil {
		return refuse(err)
	}
	wantVersions, err := db.Versions(ctx)
	if err != nil {
		return fmt.Errorf("read the schema versions of the shop: %w", err)
	}
	wantFormat, err := db.Format(ctx)
	if err != nil {
		return fmt.Errorf("read the format of the shop: %w", err)
	}
	if fmt.Sprint(versions) != fmt.Sprint(wantVersions) || format != wantFormat {
		return shop.ErrSchemaMismatch
	}

	// 4. All changes are made in an image that no worker has open.
	image, err := database.OpenImage(ctx, db)
	if err != nil {
		return fmt.Errorf("create an image: %w", err)
	}
	defer image.Close() // an image that cannot be removed is swept at the next opening
	if err := backup.CopyInto(ctx, image); err != nil {
		return fmt.Errorf("copy the backup into the image: %w", err)
	}
	epoch := db.NewEpoch()

	// 5. The image belongs to a new history: paused, no claim holds, no approval stands.
	err = image.Immediate(ctx, func(tx *database.Tx) error {
		if _, err := tx.Exec(ctx, `
			UPDATE assistant_control SET epoch = ?, paused = 1 WHERE id = 1`, epoch); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `
			UPDATE assistant_work
			SET generation = generation + 1, owner = NULL, expires = NULL,
			    status = CASE status WHEN 'RUNNING' THEN 'READY' ELSE status END`); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `UPDATE assistant_orders SET revoked = 1, approved_until = 0`)
		return err
	})
	if err != nil {
		return fmt.Errorf("prepare the image: %w", err)
	}

	// 6. Nobody works in the shop while it changes.
	err = db.Immediate(ctx, func(tx *database.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE assistant_control SET paused = 1 WHERE id = 1`)
		return err
	})
	if err != nil {
		return fmt.Errorf("pause the shop: %w", err)
	}

	// 7. The marker names the new history, durably, before its rows arrive: a claim of the old one is refused from here on.
	publish := func(marker string) error {
		unfinished := marker + "." + epoch
		file, err := files.CreateExclusive(unfinished, 0o600)
		if err != nil {
			return err
		}
		_, err = file.Write([]byte(epoch))
		if err == nil {
			err = file.Sync()
		}
		err = errors.Join(err, file.Close())
		if err == nil {
			err = files.Rename(unfinished, marker)
		}
		if err != nil {
			return errors.Join(err, files.Remove(unfinished))
		}
		return files.SyncFolder(files.Folder(marker))
	}
	if err := publish(db.Marker()); err != nil {
		return fmt.Errorf("publish the epoch: %w", err)
	}

	// 8. The rows arrive in the file that every worker has open.
	if err := image.CopyInto(ctx, db); err != nil {
		return fmt.Errorf("copy the image into the shop: %w", err)
	}

	// 9. Resuming is a person's decision.
	return nil
}
