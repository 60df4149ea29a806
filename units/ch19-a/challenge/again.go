//go:build exercise

// Package probe restores one backup twice and compares three epochs and
// the backup's bytes.
package probe

import (
	"bytes"
	"context"

	"fieldbook/runtime/assistant"
	"fieldbook/runtime/files"
	"fieldbook/runtime/shop"
	"fieldbook/runtime/world"
)

// Probe restores on Tuesday, and once more on Wednesday.
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
	backup := w.Path("shop-backups", "morning.sqlite")
	if err := assistant.Backup(ctx, db, backup); err != nil {
		return seen, err
	}
	written, err := files.Read(backup)
	if err != nil {
		return seen, err
	}
	w.Mark("at backup")

	epochs := map[string]bool{}
	for _, day := range []string{"Monday", "Tuesday", "Wednesday"} {
		if day != "Monday" {
			if err := assistant.Restore(ctx, db, backup); err != nil {
				seen.String("refused_on", day)
				return seen, nil
			}
			w.Mark("restored on " + day)
		}
		marker, err := files.Read(db.Marker())
		if err != nil {
			return seen, err
		}
		epochs[string(marker)] = true
	}
	seen.Int("epochs", int64(len(epochs)))

	found, err := files.Read(backup)
	if err != nil {
		return seen, err
	}
	seen.Bool("backup_unchanged", bytes.Equal(written, found))
	var generation int64
	row := db.QueryRow(ctx, `SELECT generation FROM assistant_work`)
	if err := row.Scan(&generation); err != nil {
		return seen, err
	}
	seen.Int("generation", generation)
	return seen, nil
}
