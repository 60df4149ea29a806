//go:build exercise

// Package probe restores once more after a crash: it opens the shop as a new process does, finds whatever the crash left,
// and restores the same backup.
package probe

import (
	"context"

	"fieldbook/runtime/assistant"
	"fieldbook/runtime/shop"
	"fieldbook/runtime/world"
)

// Probe opens the shop and restores it.
func Probe(ctx context.Context, w *world.World) (world.Observation, error) {
	var seen world.Observation
	db, err := w.Open(ctx)
	if err != nil {
		return seen, err
	}
	restored := assistant.Restore(ctx, db, w.Path("shop-backups", "morning.sqlite"))
	if restored == nil {
		seen.Null("restore_error")
	} else {
		seen.String("restore_error", shop.Refusal(restored))
	}
	return seen, nil
}
