//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY restore variant statement-table c3a7e85b

package assistant

import (
	"context"
	"errors"
	"fmt"

	"fieldbook/runtime/database"
	"fieldbook/runtime/files"
	"fieldbook/runtime/shop"
)

// Restore collects its work in tables and runs them in loops: a list of checks, a list of statements, a list of steps of
// closures that capture loop variables, and clean-ups deferred inside a loop with arguments of their own.
func Restore(ctx context.Context, db *database.Database, source string) (err error) {
	defer func() {
		if err != nil && ctx.Err() != nil {
			err = ctx.Err()
		}
	}()
	type statement struct {
		query string
		args  []any
	}

	if ok, e := files.Regular(source); e != nil || !ok {
		return shop.ErrSeparateBackup
	}
	if same, e := files.Same(source, db.Path()); e != nil || same {
		return shop.ErrSeparateBackup
	}
	backup, err := database.OpenBackup(ctx, source)
	if err != nil {
		if errors.Is(err, database.ErrUnfinished) {
			return shop.ErrUnfinishedBackup
		}
		return shop.ErrCorruptBackup
	}
	image, err := database.OpenImage(ctx, db)
	if err != nil {
		backup.Close()
		return err
	}
	for _, open := range []*database.Database{backup, image} {
		defer open.Close()
	}

	if err := backup.Integrity(ctx); err != nil {
		return shop.ErrCorruptBackup
	}
	var versions [2][]int
	var formats [2]database.Format
	for i, side := range []*database.Database{db, backup} {
		if versions[i], err = side.Versions(ctx); err != nil {
			if errors.Is(err, database.ErrNoSchema) {
				return shop.ErrSchemaMismatch
			}
			return shop.ErrCorruptBackup
		}
		if formats[i], err = side.Format(ctx); err != nil {
			return shop.ErrCorruptBackup
		}
	}
	if fmt.Sprint(versions[0]) != fmt.Sprint(versions[1]) || formats[0] != formats[1] {
		return shop.ErrSchemaMismatch
	}

	epoch := db.NewEpoch()
	if err := backup.CopyInto(ctx, image); err != nil {
		return err
	}
	statements := []statement{
		{"UPDATE assistant_control SET epoch = ?, paused = ? WHERE id = 1", []any{epoch, 1}},
		{"UPDATE assistant_work SET status = ? WHERE status = ?", []any{"READY", "RUNNING"}},
		{"UPDATE assistant_work SET generation = generation + 1, owner = NULL, expires = NULL", nil},
		{"UPDATE assistant_orders SET revoked = ?, approved_until = ?", []any{1, 0}},
	}
	var steps []func(*database.Tx) error
	for _, s := range statements {
		steps = append(steps, func(tx *database.Tx) error {
			_, err := tx.Exec(ctx, s.query, s.args...)
			return err
		})
	}
	err = image.Immediate(ctx, func(tx *database.Tx) error {
		for i, step := range steps {
			if err := step(tx); err != nil {
				return fmt.Errorf("statement %d: %w", i+1, err)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = db.Immediate(ctx, func(tx *database.Tx) error {
		_, err := tx.Exec(ctx, "UPDATE assistant_control SET paused = ? WHERE id = ?", 1, 1)
		return err
	})
	if err != nil {
		return err
	}

	marker := db.Marker()
	temporary := marker + "." + epoch
	var file *files.File
	publish := []func() error{
		func() (err error) { file, err = files.CreateExclusive(temporary, 0o600); return err },
		func() error { _, err := file.Write([]byte(epoch)); return err },
		func() error { return file.Sync() },
		func() error { return file.Close() },
		func() error { return files.Rename(temporary, marker) },
		func() error { return files.SyncFolder(files.Folder(marker)) },
	}
	for i, step := range publish {
		if err := step(); err != nil {
			if i > 0 && i < 3 {
				file.Close()
			}
			if i > 0 && i < 5 {
				files.Remove(temporary)
			}
			return fmt.Errorf("publish the marker, step %d: %w", i+1, err)
		}
	}
	return image.CopyInto(ctx, db)
}
