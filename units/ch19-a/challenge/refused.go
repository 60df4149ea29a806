//go:build exercise

// Package probe gives Restore two sources that it must refuse, in a shop
// that is open.
package probe

import (
	"context"

	"fieldbook/runtime/assistant"
	"fieldbook/runtime/shop"
	"fieldbook/runtime/world"
)

// Probe tries the shop's own file and a file that is not there.
func Probe(ctx context.Context, w *world.World) (world.Observation, error) {
	var seen world.Observation
	db, err := w.Open(ctx)
	if err != nil {
		return seen, err
	}
	morning := shop.Request{
		Origin: "morning:brief", Session: "lucy",
		Prompt: "What is short today?", Role: shop.Schedule,
	}
	if _, err := assistant.Enqueue(ctx, db, morning); err != nil {
		return seen, err
	}
	w.Mark("open")

	err = assistant.Restore(ctx, db, db.Path())
	seen.String("same_path", shop.Refusal(err))
	sunday := w.Path("shop-backups", "sunday.sqlite")
	err = assistant.Restore(ctx, db, sunday)
	seen.String("missing", shop.Refusal(err))
	w.Mark("refused")

	health, err := assistant.ReadHealth(ctx, db)
	if err != nil {
		return seen, err
	}
	seen.Bool("paused", health.Paused)
	claim, err := assistant.Claim(ctx, db, "worker-1", shop.DefaultLease)
	if err != nil {
		return seen, err
	}
	seen.Bool("work_claimed", claim != nil)
	return seen, nil
}
