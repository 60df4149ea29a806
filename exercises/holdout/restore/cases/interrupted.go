//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY restore case interrupted 2c88d95f

// Package probe starts from what a crash between marker and rows leaves, and restores again.
package probe

import (
	"context"

	"fieldbook/runtime/assistant"
	"fieldbook/runtime/files"
	"fieldbook/runtime/shop"
	"fieldbook/runtime/world"
)

// Probe makes a paused shop whose marker names a history that never arrived.
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
	backup := w.Path("shop-backups", "whole.sqlite")
	if err := assistant.Backup(ctx, db, backup); err != nil {
		return seen, err
	}
	if _, err := db.Exec(ctx, `UPDATE assistant_control SET paused = 1 WHERE id = 1`); err != nil {
		return seen, err
	}
	lost, _ := w.Case("lost_epoch").AsString()
	if err := files.Replace(db.Marker(), []byte(lost)); err != nil {
		return seen, err
	}
	if err := db.Close(); err != nil {
		return seen, err
	}
	if db, err = w.Open(ctx); err != nil {
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
	var epoch string
	var paused bool
	if err := db.QueryRow(ctx, `SELECT epoch, paused FROM assistant_control WHERE id = 1`).Scan(&epoch, &paused); err != nil {
		return seen, err
	}
	marker, err := files.Read(db.Marker())
	if err != nil {
		return seen, err
	}
	seen.Bool("restored_paused", paused)
	seen.Bool("marker_is_the_epoch", string(marker) == epoch)
	seen.Bool("epoch_is_new", epoch != lost)
	seen.String("resume", shop.Refusal(assistant.Resume(ctx, db, epoch)))
	return seen, nil
}
