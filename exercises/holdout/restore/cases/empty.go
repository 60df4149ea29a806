//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY restore case empty f0372bd6

// Package probe restores a shop without a single row of its own into one that has some.
package probe

import (
	"context"

	"fieldbook/runtime/assistant"
	"fieldbook/runtime/shop"
	"fieldbook/runtime/world"
)

// Probe backs an empty shop up, open or paused, seeds it, and restores the emptiness.
func Probe(ctx context.Context, w *world.World) (world.Observation, error) {
	var seen world.Observation
	db, err := w.Open(ctx)
	if err != nil {
		return seen, err
	}
	pausedFirst, _ := w.Case("paused_in_backup").AsBool()
	if _, err := db.Exec(ctx, `UPDATE assistant_control SET paused = ? WHERE id = 1`, pausedFirst); err != nil {
		return seen, err
	}
	name, _ := w.Case("backup").AsString()
	backup := w.Path("shop-backups", name, "empty.sqlite")
	if err := assistant.Backup(ctx, db, backup); err != nil {
		return seen, err
	}
	if _, err := db.Exec(ctx, `UPDATE assistant_control SET paused = 0 WHERE id = 1`); err != nil {
		return seen, err
	}
	if err := assistant.SeedLucy(ctx, db); err != nil {
		return seen, err
	}
	if _, err := assistant.Enqueue(ctx, db, shop.Request{Origin: name, Session: name, Prompt: "What is short?", Role: shop.Schedule}); err != nil {
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
	health, err := assistant.ReadHealth(ctx, db)
	if err != nil {
		return seen, err
	}
	seen.Bool("restored_paused", health.Paused)
	seen.Bool("any_work", len(health.Work) > 0)
	return seen, nil
}
