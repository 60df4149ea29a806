//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY restore case handles 9d4e7a31

// Package probe has another worker's handle open while the shop is restored.
package probe

import (
	"context"

	"fieldbook/runtime/assistant"
	"fieldbook/runtime/files"
	"fieldbook/runtime/shop"
	"fieldbook/runtime/world"
)

// Probe opens a second handle, restores on the first and asks what the second sees.
func Probe(ctx context.Context, w *world.World) (world.Observation, error) {
	var seen world.Observation
	db, err := w.Open(ctx)
	if err != nil {
		return seen, err
	}
	if err := assistant.SeedLucy(ctx, db); err != nil {
		return seen, err
	}
	origin, _ := w.Case("origin").AsString()
	if _, err := assistant.Enqueue(ctx, db, shop.Request{Origin: origin, Session: origin, Prompt: "What is short?", Role: shop.Schedule}); err != nil {
		return seen, err
	}
	backup := w.Path("shop-backups", "open.sqlite")
	if err := assistant.Backup(ctx, db, backup); err != nil {
		return seen, err
	}
	later, _ := w.Case("later").AsString()
	if _, err := assistant.Enqueue(ctx, db, shop.Request{Origin: later, Session: later, Prompt: "After the backup.", Role: shop.Schedule}); err != nil {
		return seen, err
	}

	other, err := w.Open(ctx)
	if err != nil {
		return seen, err
	}
	var before string
	if err := other.QueryRow(ctx, `SELECT epoch FROM assistant_control WHERE id = 1`).Scan(&before); err != nil {
		return seen, err
	}
	identity, err := files.Identity(db.Path())
	if err != nil {
		return seen, err
	}
	w.Mark("before")

	restored := assistant.Restore(ctx, db, backup)

	w.Mark("restored")
	if restored == nil {
		seen.Null("restore_error")
	} else {
		seen.String("restore_error", shop.Refusal(restored))
	}
	now, err := files.Identity(db.Path())
	if err != nil {
		return seen, err
	}
	seen.Bool("same_file", now == identity)

	var epoch string
	var rows int64
	err = other.QueryRow(ctx, `SELECT epoch, (SELECT count(*) FROM assistant_work) FROM assistant_control WHERE id = 1`).Scan(&epoch, &rows)
	if err != nil {
		return seen, err
	}
	marker, err := files.Read(other.Marker())
	if err != nil {
		return seen, err
	}
	seen.Bool("handle_sees_new_epoch", epoch != before && epoch == string(marker))
	seen.Bool("handle_sees_restored_rows", rows == 1)
	claim, err := assistant.Claim(ctx, other, "worker-2", shop.DefaultLease)
	if err != nil {
		return seen, err
	}
	seen.Bool("handle_gets_work", claim != nil)
	seen.String("resume_with_old_epoch", shop.Refusal(assistant.Resume(ctx, other, before)))
	return seen, nil
}
