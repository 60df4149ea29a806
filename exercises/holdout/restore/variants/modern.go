//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY restore variant modern e4907ad3

package assistant

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"fieldbook/runtime/database"
	"fieldbook/runtime/files"
	"fieldbook/runtime/shop"
)

// Restore in the Go of recent years: ranges over integers, min, slices and maps, one switch for the refusals, and the
// statements of the image built from a map in a fixed order.
func Restore(ctx context.Context, db *database.Database, source string) error {
	if regular, err := files.Regular(source); !regular || err != nil {
		return cmp.Or(ctx.Err(), shop.ErrSeparateBackup)
	}
	if same, err := files.Same(source, db.Path()); same || err != nil {
		return cmp.Or(ctx.Err(), shop.ErrSeparateBackup)
	}
	backup, err := database.OpenBackup(ctx, source)
	if err != nil {
		return sourceRefusal(ctx, err)
	}
	defer backup.Close()
	if err := backup.Integrity(ctx); err != nil {
		return sourceRefusal(ctx, err)
	}

	versions := make([][]int, 2)
	formats := make([]database.Format, 2)
	sides := []*database.Database{backup, db}
	for i := range sides {
		if versions[i], err = sides[i].Versions(ctx); err != nil {
			return sourceRefusal(ctx, err)
		}
		if formats[i], err = sides[i].Format(ctx); err != nil {
			return sourceRefusal(ctx, err)
		}
	}
	common := min(len(versions[0]), len(versions[1]))
	for i := range common {
		if versions[0][i] != versions[1][i] {
			return shop.ErrSchemaMismatch
		}
	}
	if common != max(len(versions[0]), len(versions[1])) || formats[0] != formats[1] {
		return shop.ErrSchemaMismatch
	}

	image, err := database.OpenImage(ctx, db)
	if err != nil {
		return fmt.Errorf("image: %w", err)
	}
	defer image.Close()
	if err := backup.CopyInto(ctx, image); err != nil {
		return fmt.Errorf("backup to image: %w", err)
	}

	epoch := db.NewEpoch()
	changes := map[string][]string{
		"assistant_control": {"epoch = '" + epoch + "'", "paused = 1"},
		"assistant_orders":  {"revoked = 1", "approved_until = 0"},
		"assistant_work": {
			"generation = generation + 1", "owner = NULL", "expires = NULL",
			"status = CASE status WHEN 'RUNNING' THEN 'READY' ELSE status END",
		},
	}
	err = image.Immediate(ctx, func(tx *database.Tx) error {
		for _, table := range slices.Sorted(maps.Keys(changes)) {
			query := "UPDATE " + table + " SET " + strings.Join(changes[table], ", ")
			if _, err := tx.Exec(ctx, query); err != nil {
				return fmt.Errorf("%s: %w", table, err)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("renew the image: %w", err)
	}

	err = db.Immediate(ctx, func(tx *database.Tx) error {
		changed, err := tx.Exec(ctx, `UPDATE assistant_control SET paused = 1 WHERE id = 1`)
		if err == nil && changed != 1 {
			err = fmt.Errorf("%d control rows", changed)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("pause the shop: %w", err)
	}
	if err := files.Replace(db.Marker(), []byte(epoch)); err != nil {
		return fmt.Errorf("marker: %w", err)
	}
	if err := image.CopyInto(ctx, db); err != nil {
		return fmt.Errorf("image to shop: %w", err)
	}
	return nil
}

func sourceRefusal(ctx context.Context, err error) error {
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
