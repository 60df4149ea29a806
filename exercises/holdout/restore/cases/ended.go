//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY restore case ended 5b91e07a

// Package probe ends the context of Restore before each call that it makes, one run for each, and restores for good at last.
package probe

import (
	"context"
	"strings"

	"fieldbook/runtime/assistant"
	"fieldbook/runtime/database"
	"fieldbook/runtime/files"
	"fieldbook/runtime/shop"
	"fieldbook/runtime/world"
)

// most is how many calls are tried: more than any version makes that looks at each thing once or twice.
const most = 60

// Probe asks after each ended run what came back, and whether a worker could act in two histories.
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
	backup := w.Path("shop-backups", "ended.sqlite")
	if err := assistant.Backup(ctx, db, backup); err != nil {
		return seen, err
	}
	w.Mark("before")

	var others []string
	var openBetween, notDone, garbled bool
	for n := 1; n <= most; n++ {
		// Lucy has resumed in between: a pause from the run before would hide one that is missing.
		was, err := resumed(ctx, db)
		if err != nil {
			return seen, err
		}
		ending, end := context.WithCancel(ctx)
		reached := false
		w.Before(n, func(context.Context) error {
			reached = true
			end()
			return nil
		})
		restored := assistant.Restore(ending, db, backup)
		end()
		epoch, marker, paused, err := history(ctx, db)
		if err != nil {
			return seen, err
		}
		openBetween = openBetween || marker != epoch && !paused
		garbled = garbled || restored != nil && strings.Contains(restored.Error(), "%!")
		switch class := shop.Refusal(restored); {
		case restored == nil:
			notDone = notDone || epoch == was || marker != epoch || !paused
		case class != "canceled":
			others = append(others, class)
		}
		if !reached {
			break
		}
	}
	w.Mark("ended")
	restored := assistant.Restore(ctx, db, backup)
	w.Mark("restored")

	if restored == nil {
		seen.Null("restore_error")
	} else {
		seen.String("restore_error", shop.Refusal(restored))
	}
	if asks, _ := w.Case("asks").AsString(); asks == "what came back" {
		seen.String("other_errors_of_ended_runs", strings.Join(others, " "))
		return seen, nil
	}
	seen.Bool("nil_and_not_restored", notDone)
	seen.Bool("open_between_two_histories", openBetween)
	seen.Bool("message_without_its_cause", garbled)
	return seen, nil
}

// resumed opens the shop again where its history is whole, and returns the epoch.
func resumed(ctx context.Context, db *database.Database) (string, error) {
	epoch, marker, _, err := history(ctx, db)
	if err != nil || marker != epoch {
		return epoch, err
	}
	_, err = db.Exec(ctx, `UPDATE assistant_control SET paused = 0 WHERE id = 1`)
	return epoch, err
}

func history(ctx context.Context, db *database.Database) (epoch, marker string, paused bool, err error) {
	if err := db.QueryRow(ctx, `SELECT epoch, paused FROM assistant_control WHERE id = 1`).Scan(&epoch, &paused); err != nil {
		return "", "", false, err
	}
	data, err := files.Read(db.Marker())
	return epoch, string(data), paused, err
}
