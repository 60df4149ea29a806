//go:build exercise

// Package probe has a worker that claimed before the restore report its
// work afterwards.
package probe

import (
	"context"

	"fieldbook/runtime/assistant"
	"fieldbook/runtime/files"
	"fieldbook/runtime/shop"
	"fieldbook/runtime/world"
)

// Probe lets worker-1 claim, backs up, restores, resumes, and lets
// worker-1 wake up, all within its lease.
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
	claim, err := assistant.Claim(ctx, db, "worker-1", shop.MaxLease)
	if err != nil {
		return seen, err
	}
	backup := w.Path("shop-backups", "morning.sqlite")
	if err := assistant.Backup(ctx, db, backup); err != nil {
		return seen, err
	}
	w.Mark("claimed, then backed up")

	restored := assistant.Restore(ctx, db, backup)
	w.Mark("restored")
	seen.String("restore", shop.Refusal(restored))
	err = assistant.Finish(ctx, db, claim, shop.Done, "late")
	seen.String("finish_while_paused", shop.Refusal(err))

	// Lucy has looked. Her decision names the epoch that she looked at.
	marker, err := files.Read(db.Marker())
	if err != nil {
		return seen, err
	}
	if err := assistant.Resume(ctx, db, string(marker)); err != nil {
		return seen, err
	}
	err = assistant.Finish(ctx, db, claim, shop.Done, "later")
	seen.String("finish_after_resume", shop.Refusal(err))
	var status string
	row := db.QueryRow(ctx, `SELECT status FROM assistant_work`)
	if err := row.Scan(&status); err != nil {
		return seen, err
	}
	seen.String("status", status)
	return seen, nil
}
