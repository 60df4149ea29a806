//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY restore case watched 7ab60f14

// Package probe watches the shop from a second handle before each call that Restore makes.
package probe

import (
	"context"

	"fieldbook/runtime/assistant"
	"fieldbook/runtime/files"
	"fieldbook/runtime/shop"
	"fieldbook/runtime/world"
)

// calls is how many calls of Restore are watched: more than any version makes that looks at each thing once or twice.
const calls = 120

// Probe notes each moment at which a worker could act in a history that is not the shop's own.
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
	backup := w.Path("shop-backups", "watched.sqlite")
	if err := assistant.Backup(ctx, db, backup); err != nil {
		return seen, err
	}
	other, err := w.Open(ctx)
	if err != nil {
		return seen, err
	}
	var first string
	if err := other.QueryRow(ctx, `SELECT epoch FROM assistant_control WHERE id = 1`).Scan(&first); err != nil {
		return seen, err
	}

	var openAgain, openBetween, unmarked bool
	var wasPaused bool
	look := func(ctx context.Context) error {
		var epoch string
		var paused bool
		if err := other.QueryRow(ctx, `SELECT epoch, paused FROM assistant_control WHERE id = 1`).Scan(&epoch, &paused); err != nil {
			return err
		}
		marker, err := files.Read(other.Marker())
		if err != nil {
			return err
		}
		// Once paused, always paused: nobody resumed.
		openAgain = openAgain || wasPaused && !paused
		// Marker and control row name two histories: then nobody may claim.
		openBetween = openBetween || string(marker) != epoch && !paused
		// New rows are there: then the marker names them already.
		unmarked = unmarked || epoch != first && string(marker) != epoch
		wasPaused = wasPaused || paused
		return nil
	}
	w.Mark("before")
	for n := 1; n <= calls; n++ {
		w.Before(n, look)
	}

	restored := assistant.Restore(ctx, db, backup)

	w.Mark("restored")
	if restored == nil {
		seen.Null("restore_error")
	} else {
		seen.String("restore_error", shop.Refusal(restored))
	}
	if err := look(ctx); err != nil {
		return seen, err
	}
	seen.Bool("paused_at_the_end", wasPaused && !openAgain)
	seen.Bool("open_again", openAgain)
	seen.Bool("open_between_two_histories", openBetween)
	seen.Bool("rows_before_their_marker", unmarked)
	return seen, nil
}
