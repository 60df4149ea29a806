//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY restore case fenced c5f30866

// Package probe has a worker that claimed before the restore try to finish after it.
package probe

import (
	"context"

	"fieldbook/runtime/assistant"
	"fieldbook/runtime/database"
	"fieldbook/runtime/files"
	"fieldbook/runtime/shop"
	"fieldbook/runtime/world"
)

// Probe restores under a claim made before or after the backup, and asks what the claim is worth.
func Probe(ctx context.Context, w *world.World) (world.Observation, error) {
	var seen world.Observation
	db, err := w.Open(ctx)
	if err != nil {
		return seen, err
	}
	worker, _ := w.Case("worker").AsString()
	origin, _ := w.Case("origin").AsString()
	if _, err := assistant.Enqueue(ctx, db, shop.Request{Origin: origin, Session: origin, Prompt: "Order six.", Role: shop.Customer}); err != nil {
		return seen, err
	}
	// Earlier claims of the same work, given back: its generation is not 0.
	earlier, _ := w.Case("earlier").AsInt()
	for range earlier {
		if _, err := db.Exec(ctx, `UPDATE assistant_work SET generation = generation + 1`); err != nil {
			return seen, err
		}
	}
	backup := w.Path("shop-backups", "monday.sqlite")
	claimedFirst, _ := w.Case("claimed_first").AsBool()
	var claim *shop.Claim
	if claimedFirst {
		if claim, err = assistant.Claim(ctx, db, worker, shop.MaxLease); err != nil {
			return seen, err
		}
	}
	if err := assistant.Backup(ctx, db, backup); err != nil {
		return seen, err
	}
	if !claimedFirst {
		if claim, err = assistant.Claim(ctx, db, worker, shop.MaxLease); err != nil {
			return seen, err
		}
	}
	w.Mark("before")

	restored := assistant.Restore(ctx, db, backup)

	w.Mark("restored")
	if restored == nil {
		seen.Null("restore_error")
	} else {
		seen.String("restore_error", shop.Refusal(restored))
	}
	seen.String("finish_while_paused", shop.Refusal(assistant.Finish(ctx, db, claim, shop.Done, "late")))
	if err := resume(ctx, db); err != nil {
		return seen, err
	}
	seen.String("finish_after_resume", shop.Refusal(assistant.Finish(ctx, db, claim, shop.Done, "later")))

	next, err := assistant.Claim(ctx, db, worker, shop.DefaultLease)
	if err != nil {
		return seen, err
	}
	seen.Bool("claimed_again", next != nil && next.ID == claim.ID)
	seen.Bool("generation_is_new", next != nil && next.Generation > claim.Generation)
	if next != nil {
		seen.String("finish_of_new_claim", shop.Refusal(assistant.Finish(ctx, db, next, shop.Done, "in the new history")))
	}
	return seen, nil
}

// resume opens the shop, naming the epoch that its marker names.
func resume(ctx context.Context, db *database.Database) error {
	marker, err := files.Read(db.Marker())
	if err != nil {
		return err
	}
	return assistant.Resume(ctx, db, string(marker))
}
