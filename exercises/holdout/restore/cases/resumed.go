//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY restore case resumed 51c2b8ee

// Package probe resumes the restored shop as its operator would, and counts who gets work before and after.
package probe

import (
	"context"
	"fmt"

	"fieldbook/runtime/assistant"
	"fieldbook/runtime/database"
	"fieldbook/runtime/files"
	"fieldbook/runtime/shop"
	"fieldbook/runtime/world"
)

// Probe restores a shop with one piece of work that is READY or RUNNING, and lets several workers ask for it.
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
	if running, _ := w.Case("running").AsBool(); running {
		if _, err := assistant.Claim(ctx, db, "worker-0", shop.MaxLease); err != nil {
			return seen, err
		}
	}
	backup := w.Path("shop-backups", "one.sqlite")
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
	workers, _ := w.Case("workers").AsInt()
	before, err := asking(ctx, db, workers)
	if err != nil {
		return seen, err
	}
	seen.Int("claims_before_resume", before)
	marker, err := files.Read(db.Marker())
	if err != nil {
		return seen, err
	}
	seen.String("resume", shop.Refusal(assistant.Resume(ctx, db, string(marker))))
	after, err := asking(ctx, db, workers)
	if err != nil {
		return seen, err
	}
	seen.Int("claims_after_resume", after)
	return seen, nil
}

// asking counts how many of the workers get work.
func asking(ctx context.Context, db *database.Database, workers int64) (int64, error) {
	var got int64
	for n := int64(1); n <= workers; n++ {
		claim, err := assistant.Claim(ctx, db, fmt.Sprintf("worker-%d", n), shop.DefaultLease)
		if err != nil {
			return got, err
		}
		if claim != nil {
			got++
		}
	}
	return got, nil
}
