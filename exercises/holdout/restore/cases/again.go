//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY restore case again 0e91ab57

// Package probe restores several times, from an older and from a newer backup, and looks at the epochs.
package probe

import (
	"bytes"
	"context"
	"fmt"

	"fieldbook/runtime/assistant"
	"fieldbook/runtime/database"
	"fieldbook/runtime/files"
	"fieldbook/runtime/shop"
	"fieldbook/runtime/world"
)

// Probe takes two backups and restores as often as the case says, the older and the newer one by turns.
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
	var backups []string
	var bytesBefore [][]byte
	for _, age := range []string{"older", "newer"} {
		request := shop.Request{Origin: origin + ":" + age, Session: origin, Prompt: "What is short?", Role: shop.Schedule}
		if _, err := assistant.Enqueue(ctx, db, request); err != nil {
			return seen, err
		}
		path := w.Path("shop-backups", age+".sqlite")
		if err := assistant.Backup(ctx, db, path); err != nil {
			return seen, err
		}
		data, err := files.Read(path)
		if err != nil {
			return seen, err
		}
		backups, bytesBefore = append(backups, path), append(bytesBefore, data)
	}
	epoch, _, err := history(ctx, db)
	if err != nil {
		return seen, err
	}
	epochs := map[string]bool{epoch: true}
	w.Mark("before")

	times, _ := w.Case("times").AsInt()
	failed, paused, agreed := "", true, true
	for n := int64(0); n < times; n++ {
		if err := assistant.Restore(ctx, db, backups[n%2]); err != nil {
			failed = shop.Refusal(err)
		}
		w.Mark(fmt.Sprintf("restored %d", n+1))
		epoch, marker, err := history(ctx, db)
		if err != nil {
			return seen, err
		}
		health, err := assistant.ReadHealth(ctx, db)
		if err != nil {
			return seen, err
		}
		epochs[epoch] = true
		paused = paused && health.Paused
		agreed = agreed && epoch == marker
	}
	if failed == "" {
		seen.Null("restore_error")
	} else {
		seen.String("restore_error", failed)
	}
	seen.Bool("always_paused", paused)
	seen.Bool("marker_is_the_epoch", agreed)
	seen.Bool("every_epoch_new", int64(len(epochs)) == times+1)
	unchanged := true
	for i, path := range backups {
		data, err := files.Read(path)
		unchanged = unchanged && err == nil && bytes.Equal(data, bytesBefore[i])
	}
	seen.Bool("backups_unchanged", unchanged)
	return seen, nil
}

// history returns what the control row and the marker say.
func history(ctx context.Context, db *database.Database) (epoch, marker string, err error) {
	if err := db.QueryRow(ctx, `SELECT epoch FROM assistant_control WHERE id = 1`).Scan(&epoch); err != nil {
		return "", "", err
	}
	data, err := files.Read(db.Marker())
	return epoch, string(data), err
}
