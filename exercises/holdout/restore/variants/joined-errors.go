//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY restore variant joined-errors b8e2517f

package assistant

import (
	"bytes"
	"cmp"
	"context"
	"errors"

	"fieldbook/runtime/database"
	"fieldbook/runtime/files"
	"fieldbook/runtime/shop"
)

// Restore checks everything before it decides: what went wrong is collected with errors.Join, and the first refusal in
// the order of the checks is the answer.
func Restore(ctx context.Context, db *database.Database, source string) error {
	regular, regularErr := files.Regular(source)
	same, sameErr := files.Same(source, db.Path())
	if !regular || same || errors.Join(regularErr, sameErr) != nil {
		return shop.ErrSeparateBackup
	}
	backup, err := database.OpenBackup(ctx, source)
	if err != nil {
		if errors.Is(err, database.ErrUnfinished) {
			return shop.ErrUnfinishedBackup
		}
		return cmp.Or(ctx.Err(), shop.ErrCorruptBackup)
	}
	defer func() { _ = backup.Close() }()
	if err := backup.Integrity(ctx); err != nil {
		return cmp.Or(ctx.Err(), shop.ErrCorruptBackup)
	}
	theirs, theirErr := backup.Versions(ctx)
	ours, ourErr := db.Versions(ctx)
	theirFormat, theirFormatErr := backup.Format(ctx)
	ourFormat, ourFormatErr := db.Format(ctx)
	switch err := errors.Join(theirErr, ourErr, theirFormatErr, ourFormatErr); {
	case errors.Is(err, database.ErrNoSchema):
		return shop.ErrSchemaMismatch
	case err != nil:
		return cmp.Or(ctx.Err(), shop.ErrCorruptBackup)
	case theirFormat != ourFormat, !bytes.Equal(fingerprint(theirs), fingerprint(ours)):
		return shop.ErrSchemaMismatch
	}

	image, err := database.OpenImage(ctx, db)
	if err != nil {
		return err
	}
	epoch := db.NewEpoch()
	err = backup.CopyInto(ctx, image)
	if err == nil {
		err = renewed(ctx, image, epoch)
	}
	if err == nil {
		err = paused(ctx, db)
	}
	if err == nil {
		err = published(db.Marker(), epoch)
	}
	if err == nil {
		err = image.CopyInto(ctx, db)
	}
	return errors.Join(err, image.Close())
}

// fingerprint turns a list of versions into bytes that are equal for equal lists.
func fingerprint(versions []int) []byte {
	var out []byte
	for _, v := range versions {
		out = append(out, byte(v>>24), byte(v>>16), byte(v>>8), byte(v))
	}
	return out
}

// renewed runs all its statements and reports every one that failed; one failure rolls all of them back.
func renewed(ctx context.Context, image *database.Database, epoch string) error {
	return image.Immediate(ctx, func(tx *database.Tx) error {
		_, control := tx.Exec(ctx, `UPDATE assistant_control SET epoch = ?1, paused = 1 WHERE id = 1`, epoch)
		_, running := tx.Exec(ctx, `UPDATE assistant_work SET status = 'READY' WHERE status = 'RUNNING'`)
		_, claims := tx.Exec(ctx, `UPDATE assistant_work SET generation = generation + 1, owner = NULL, expires = NULL`)
		_, approvals := tx.Exec(ctx, `UPDATE assistant_orders SET revoked = 1, approved_until = 0`)
		return errors.Join(control, running, claims, approvals)
	})
}

func paused(ctx context.Context, db *database.Database) error {
	return db.Immediate(ctx, func(tx *database.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE assistant_control SET paused = TRUE WHERE id = 1`)
		return err
	})
}

// published writes the marker beside its place and moves it there once it is durable.
func published(marker, epoch string) error {
	path := marker + "." + epoch
	file, err := files.CreateExclusive(path, 0o600)
	if err != nil {
		return err
	}
	_, writeErr := file.Write([]byte(epoch))
	syncErr := file.Sync()
	closeErr := file.Close()
	if err := errors.Join(writeErr, syncErr, closeErr); err != nil {
		return errors.Join(err, files.Remove(path))
	}
	if err := files.Rename(path, marker); err != nil {
		return errors.Join(err, files.Remove(path))
	}
	return files.SyncFolder(files.Folder(marker))
}
