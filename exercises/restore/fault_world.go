//go:build exercise

// Package probe leaves the world right after Restore has returned, before any worker asks for work: the world in which an
// injected fault may differ in its own cells alone.
package probe

import (
	"context"

	"fieldbook/runtime/assistant"
	"fieldbook/runtime/shop"
	"fieldbook/runtime/world"
)

// Probe takes a backup of a shop with one piece of work and restores it.
func Probe(ctx context.Context, w *world.World) (world.Observation, error) {
	var seen world.Observation
	db, err := w.Open(ctx)
	if err != nil {
		return seen, err
	}
	if err := assistant.SeedLucy(ctx, db); err != nil {
		return seen, err
	}
	morning := shop.Request{Origin: "morning:brief", Session: "lucy", Prompt: "What is short today?", Role: shop.Schedule}
	if _, err := assistant.Enqueue(ctx, db, morning); err != nil {
		return seen, err
	}
	backup := w.Path("shop-backups", "morning.sqlite")
	if err := assistant.Backup(ctx, db, backup); err != nil {
		return seen, err
	}
	w.Mark("at backup")

	restored := assistant.Restore(ctx, db, backup)
	w.Mark("restored")
	if restored == nil {
		seen.Null("restore_error")
	} else {
		seen.String("restore_error", shop.Refusal(restored))
	}
	return seen, nil
}
