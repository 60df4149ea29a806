//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY restore case durable d19f4c70

// Package probe makes one plain restore for the sake of its operation log: a missing sync leaves no other trace.
package probe

import (
	"context"

	"fieldbook/runtime/assistant"
	"fieldbook/runtime/shop"
	"fieldbook/runtime/world"
)

// Probe restores a shop with a few pieces of work.
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
	backup := w.Path("shop-backups", "durable.sqlite")
	if err := assistant.Backup(ctx, db, backup); err != nil {
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
	return seen, nil
}
