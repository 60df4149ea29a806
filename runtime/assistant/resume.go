package assistant

import (
	"context"
	"errors"
	"fmt"

	"fieldbook/runtime/database"
	"fieldbook/runtime/files"
	"fieldbook/runtime/shop"
)

// Resume opens a paused shop. It is the operator's call, after a decision that names the epoch decided about: a decision
// made before another restore opens nothing, nor does any while the marker and the control row name two histories.
func Resume(ctx context.Context, db *database.Database, epoch string) error {
	return db.Immediate(ctx, func(tx *database.Tx) error {
		marker, err := files.Read(db.Marker())
		if errors.Is(err, files.ErrNotExist) {
			return shop.ErrStaleEpoch
		}
		if err != nil {
			return fmt.Errorf("read the marker: %w", err)
		}
		if string(marker) != epoch {
			return shop.ErrStaleEpoch
		}
		changed, err := tx.Exec(ctx, `UPDATE assistant_control SET paused = 0 WHERE id = 1 AND epoch = ?`, epoch)
		if err != nil {
			return err
		}
		if changed == 0 {
			return shop.ErrStaleEpoch
		}
		_, err = tx.Exec(ctx, `INSERT INTO events (at, kind, subject) VALUES (?, 'shop_resumed', ?)`, db.Now(), epoch)
		return err
	})
}
