//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY restore variant helpers 2f60d9c8

package assistant

import (
	"context"
	"errors"

	"fieldbook/runtime/database"
	"fieldbook/runtime/files"
	"fieldbook/runtime/shop"
)

// Restore reads like the list of its steps; every step is a helper of this file.
func Restore(ctx context.Context, db *database.Database, source string) error {
	backup, err := usable(ctx, db, source)
	if err != nil {
		return err
	}
	defer backup.Close()
	image, err := database.OpenImage(ctx, db)
	if err != nil {
		return err
	}
	defer image.Close()
	epoch := db.NewEpoch()
	if err := fillImage(ctx, backup, image, epoch); err != nil {
		return err
	}
	if err := execute(ctx, db, pauseLive); err != nil {
		return err
	}
	if err := files.Replace(db.Marker(), []byte(epoch)); err != nil {
		return err
	}
	return image.CopyInto(ctx, db)
}

const (
	pauseLive   = `UPDATE assistant_control SET paused = 1 WHERE id = 1`
	renewImage  = `UPDATE assistant_control SET paused = 1, epoch = ? WHERE id = 1`
	endClaims   = `UPDATE assistant_work SET generation = generation + 1, owner = NULL, expires = NULL`
	stopRunning = `UPDATE assistant_work SET status = 'READY' WHERE status = 'RUNNING'`
	revokeAll   = `UPDATE assistant_orders SET revoked = 1, approved_until = 0`
)

// usable opens the source, or says why it is no backup of this shop.
func usable(ctx context.Context, db *database.Database, source string) (*database.Database, error) {
	if !separate(db.Path(), source) {
		return nil, shop.ErrSeparateBackup
	}
	backup, err := database.OpenBackup(ctx, source)
	if errors.Is(err, database.ErrUnfinished) {
		return nil, shop.ErrUnfinishedBackup
	}
	if err != nil {
		return nil, unlessEnded(ctx, shop.ErrCorruptBackup)
	}
	if backup.Integrity(ctx) != nil {
		backup.Close()
		return nil, unlessEnded(ctx, shop.ErrCorruptBackup)
	}
	if !sameSchema(ctx, db, backup) || !sameFormat(ctx, db, backup) {
		backup.Close()
		return nil, unlessEnded(ctx, shop.ErrSchemaMismatch)
	}
	return backup, nil
}

// unlessEnded is a refusal, unless the context has ended: then nothing was found out about the source.
func unlessEnded(ctx context.Context, refusal error) error {
	if ended := ctx.Err(); ended != nil {
		return ended
	}
	return refusal
}

func separate(live, source string) bool {
	regular, err := files.Regular(source)
	if err != nil || !regular {
		return false
	}
	same, err := files.Same(live, source)
	return err == nil && !same
}

func sameSchema(ctx context.Context, a, b *database.Database) bool {
	left, err := a.Versions(ctx)
	if err != nil {
		return false
	}
	right, err := b.Versions(ctx)
	if err != nil || len(left) != len(right) {
		return false
	}
	for i, version := range left {
		if right[i] != version {
			return false
		}
	}
	return true
}

func sameFormat(ctx context.Context, a, b *database.Database) bool {
	left, err := a.Format(ctx)
	if err != nil {
		return false
	}
	right, err := b.Format(ctx)
	return err == nil && left == right
}

func fillImage(ctx context.Context, backup, image *database.Database, epoch string) error {
	if err := backup.CopyInto(ctx, image); err != nil {
		return err
	}
	if err := execute(ctx, image, renewImage, epoch); err != nil {
		return err
	}
	for _, query := range []string{endClaims, stopRunning, revokeAll} {
		if err := execute(ctx, image, query); err != nil {
			return err
		}
	}
	return nil
}

func execute(ctx context.Context, db *database.Database, query string, args ...any) error {
	return db.Immediate(ctx, func(tx *database.Tx) error {
		_, err := tx.Exec(ctx, query, args...)
		return err
	})
}
