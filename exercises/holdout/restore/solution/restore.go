//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY restore solution 5d0c7f1a

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

// Restore replaces the rows of the open shop db by those of the backup at source, and leaves the shop paused in a fresh
// epoch.
func Restore(ctx context.Context, db *database.Database, source string) error {
	backup, err := openChecked(ctx, db, source)
	if err != nil {
		return err
	}
	defer backup.Close()

	image, err := database.OpenImage(ctx, db)
	if err != nil {
		return fmt.Errorf("make an image beside the shop: %w", err)
	}
	defer image.Close()
	if err := backup.CopyInto(ctx, image); err != nil {
		return fmt.Errorf("copy the backup into the image: %w", err)
	}

	epoch := db.NewEpoch()
	if err := beginHistory(ctx, image, epoch); err != nil {
		return fmt.Errorf("begin a new history in the image: %w", err)
	}
	err = db.Immediate(ctx, func(tx *database.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE assistant_control SET paused = 1`)
		return err
	})
	if err != nil {
		return fmt.Errorf("pause the live shop: %w", err)
	}
	if err := publishEpoch(db.Marker(), epoch); err != nil {
		return fmt.Errorf("publish the marker: %w", err)
	}
	if err := image.CopyInto(ctx, db); err != nil {
		return fmt.Errorf("copy the image into the live shop: %w", err)
	}
	return nil
}

// openChecked opens the source after every check that can refuse it. The caller closes it.
func openChecked(ctx context.Context, db *database.Database, source string) (*database.Database, error) {
	if ok, err := files.Regular(source); err != nil || !ok {
		return nil, shop.ErrSeparateBackup
	}
	if same, err := files.Same(db.Path(), source); err != nil || same {
		return nil, shop.ErrSeparateBackup
	}
	backup, err := database.OpenBackup(ctx, source)
	if err != nil {
		return nil, classify(ctx, err)
	}
	if err := restorable(ctx, db, backup); err != nil {
		backup.Close()
		return nil, err
	}
	return backup, nil
}

// comparable refuses a backup that is not sound, or whose schema or format is not the shop's.
func restorable(ctx context.Context, db, backup *database.Database) error {
	if err := backup.Integrity(ctx); err != nil {
		return classify(ctx, err)
	}
	have, err := backup.Versions(ctx)
	if err != nil {
		return classify(ctx, err)
	}
	want, err := db.Versions(ctx)
	if err != nil {
		return err
	}
	theirs, err := backup.Format(ctx)
	if err != nil {
		return classify(ctx, err)
	}
	ours, err := db.Format(ctx)
	if err != nil {
		return err
	}
	if !slices.Equal(have, want) || theirs != ours {
		return shop.ErrSchemaMismatch
	}
	return nil
}

// classify turns an error of the source into a refusal. Everything that is not known to be something else is damage.
func classify(ctx context.Context, err error) error {
	if ended := ctx.Err(); ended != nil {
		return ended
	}
	if errors.Is(err, database.ErrUnfinished) {
		return shop.ErrUnfinishedBackup
	}
	if errors.Is(err, database.ErrNoSchema) {
		return shop.ErrSchemaMismatch
	}
	return shop.ErrCorruptBackup
}

func beginHistory(ctx context.Context, image *database.Database, epoch string) error {
	return image.Immediate(ctx, func(tx *database.Tx) error {
		if _, err := tx.Exec(ctx, `UPDATE assistant_control SET epoch = ?, paused = 1 WHERE id = 1`, epoch); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `UPDATE assistant_work SET generation = generation + 1, owner = NULL, expires = NULL,
			status = CASE WHEN status = 'RUNNING' THEN 'READY' ELSE status END`); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `UPDATE assistant_orders SET revoked = 1, approved_until = 0`)
		return err
	})
}

// publishEpoch makes the epoch durable under a second name before that name becomes the marker's.
func publishEpoch(marker, epoch string) error {
	next := marker + "." + epoch
	file, err := files.CreateExclusive(next, 0o600)
	if err != nil {
		return err
	}
	if _, err := file.Write([]byte(epoch)); err != nil {
		return discard(file, next, err)
	}
	if err := file.Sync(); err != nil {
		return discard(file, next, err)
	}
	if err := file.Close(); err != nil {
		return discard(nil, next, err)
	}
	if err := files.Rename(next, marker); err != nil {
		return discard(nil, next, err)
	}
	return files.SyncFolder(files.Folder(marker))
}

func discard(file *files.File, path string, cause error) error {
	if file != nil {
		cause = errors.Join(cause, file.Close())
	}
	return errors.Join(cause, files.Remove(path))
}
