//go:build exercise

// Package probe claims before and after an explicit decision to resume.
package probe

import (
	"context"

	"fieldbook/runtime/assistant"
	"fieldbook/runtime/files"
	"fieldbook/runtime/shop"
	"fieldbook/runtime/world"
)

// Probe restores, lets a worker ask, resumes with the old epoch and with
// the new one, and lets the worker ask again.
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
	old, err := files.Read(db.Marker())
	if err != nil {
		return seen, err
	}
	backup := w.Path("shop-backups", "morning.sqlite")
	if err := assistant.Backup(ctx, db, backup); err != nil {
		return seen, err
	}
	w.Mark("at backup")

	err = assistant.Restore(ctx, db, backup)
	seen.String("restore", shop.Refusal(err))
	w.Mark("restored")
	before, err := assistant.Claim(ctx, db, "worker-1", shop.DefaultLease)
	if err != nil {
		return seen, err
	}
	seen.Bool("claimed_before", before != nil)

	// Lucy has looked. A decision that names the old epoch opens nothing.
	err = assistant.Resume(ctx, db, string(old))
	seen.String("resume_old_epoch", shop.Refusal(err))
	current, err := files.Read(db.Marker())
	if err != nil {
		return seen, err
	}
	err = assistant.Resume(ctx, db, string(current))
	seen.String("resume", shop.Refusal(err))
	w.Mark("resumed")
	after, err := assistant.Claim(ctx, db, "worker-1", shop.DefaultLease)
	if err != nil {
		return seen, err
	}
	seen.Bool("claimed_after", after != nil)
	return seen, nil
}
