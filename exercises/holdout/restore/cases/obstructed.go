//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY restore case obstructed 8e4f2b6d

// Package probe puts a folder in the marker's place, so that no marker can be published.
package probe

import (
	"context"
	"strings"

	"fieldbook/runtime/assistant"
	"fieldbook/runtime/files"
	"fieldbook/runtime/shop"
	"fieldbook/runtime/world"
)

// Probe restores while nothing can take the marker's name, then clears the place and restores again.
func Probe(ctx context.Context, w *world.World) (world.Observation, error) {
	var seen world.Observation
	db, err := w.Open(ctx)
	if err != nil {
		return seen, err
	}
	origin, _ := w.Case("origin").AsString()
	if _, err := assistant.Enqueue(ctx, db, shop.Request{Origin: origin, Session: origin, Prompt: "What is short?", Role: shop.Schedule}); err != nil {
		return seen, err
	}
	backup := w.Path("shop-backups", "obstructed.sqlite")
	if err := assistant.Backup(ctx, db, backup); err != nil {
		return seen, err
	}
	if err := files.Remove(db.Marker()); err != nil {
		return seen, err
	}
	if err := files.MakeFolder(db.Marker()); err != nil {
		return seen, err
	}
	var before, after string
	var paused bool
	if err := db.QueryRow(ctx, `SELECT epoch FROM assistant_control WHERE id = 1`).Scan(&before); err != nil {
		return seen, err
	}
	w.Mark("before")

	restored := assistant.Restore(ctx, db, backup)

	w.Mark("restored")
	seen.Bool("error", restored != nil)
	seen.Bool("message_without_its_cause", restored != nil && strings.Contains(restored.Error(), "%!"))
	if err := db.QueryRow(ctx, `SELECT epoch, paused FROM assistant_control WHERE id = 1`).Scan(&after, &paused); err != nil {
		return seen, err
	}
	seen.Bool("rows_as_before", after == before)
	seen.Bool("paused", paused)
	return seen, nil
}
