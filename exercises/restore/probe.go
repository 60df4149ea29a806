//go:build exercise

// Package probe takes a backup of a shop with one piece of work, restores it, and asks whether a worker gets the work.
package probe

import (
	"context"

	"fieldbook/runtime/assistant"
	"fieldbook/runtime/shop"
	"fieldbook/runtime/world"
)

// Probe drives the shop from Monday morning to a worker's first question on Tuesday.
func Probe(ctx context.Context, w *world.World) (world.Observation, error) {
	var seen world.Observation

	// Monday: Lucy's shop is open, and one piece of work waits.
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

	// Tuesday: the backup is restored. This is the call to your function.
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

	// A worker asks for work. Nobody has looked at the supplier's account yet.
	claim, err := assistant.Claim(ctx, db, "worker-1", shop.DefaultLease)
	if err != nil {
		return seen, err
	}
	seen.Bool("work_claimed_before_audit", claim != nil)
	w.Mark("claimed")
	return seen, nil
}
