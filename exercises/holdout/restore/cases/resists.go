//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY restore case resists c07d5e13

// Package probe offers Restore a sound backup in which one table lets nobody change its rows.
package probe

import (
	"context"
	"fmt"
	"strings"

	"fieldbook/runtime/assistant"
	"fieldbook/runtime/clock"
	"fieldbook/runtime/database"
	"fieldbook/runtime/files"
	"fieldbook/runtime/shop"
	"fieldbook/runtime/world"
)

// Probe restores from the backup of a shop whose trigger refuses what the image needs, and asks what became of the live one.
func Probe(ctx context.Context, w *world.World) (world.Observation, error) {
	var seen world.Observation
	db, err := w.Open(ctx)
	if err != nil {
		return seen, err
	}
	origin, _ := w.Case("origin").AsString()
	table, _ := w.Case("table").AsString()
	backup := w.Path("shop-backups", "resists.sqlite")
	if err := resisting(ctx, w, backup, origin, table); err != nil {
		return seen, err
	}
	before, err := history(ctx, db)
	if err != nil {
		return seen, err
	}
	w.Mark("before")

	restored := assistant.Restore(ctx, db, backup)

	w.Mark("restored")
	after, err := history(ctx, db)
	if err != nil {
		return seen, err
	}
	seen.Bool("error", restored != nil)
	seen.Bool("message_without_its_cause", restored != nil && strings.Contains(restored.Error(), "%!"))
	seen.Bool("history_as_before", after == before)
	return seen, nil
}

// resisting backs up a shop of its own with a row in each table and a trigger on one of them.
func resisting(ctx context.Context, w *world.World, backup, origin, table string) error {
	other, err := database.Open(ctx, w.Path("other", "shop.sqlite"), database.Options{Clock: w.Clock(), IDs: clock.NewSeeded(4242, 0, 1000)})
	if err != nil {
		return err
	}
	work, err := assistant.Enqueue(ctx, other, shop.Request{Origin: origin, Session: origin, Prompt: "What is short?", Role: shop.Schedule})
	if err != nil {
		return err
	}
	if _, err := other.Exec(ctx, `
		INSERT INTO assistant_orders (id, work_id, proposal, digest, amount_cents, status, created, target)
		VALUES (?, ?, '{"VANILLA":6}', 'digest', 100, 'PROPOSED', ?, 'frigo')`, "order-"+origin, work.ID, other.Now()); err != nil {
		return err
	}
	if _, err := other.Exec(ctx, fmt.Sprintf(`
		CREATE TRIGGER resists BEFORE UPDATE ON %s BEGIN SELECT RAISE(ABORT, 'these rows are under audit'); END`, table)); err != nil {
		return err
	}
	if err := assistant.Backup(ctx, other, backup); err != nil {
		return err
	}
	return other.Close()
}

func history(ctx context.Context, db *database.Database) (string, error) {
	var epoch string
	var rows int
	if err := db.QueryRow(ctx, `SELECT epoch, (SELECT count(*) FROM assistant_work) FROM assistant_control WHERE id = 1`).Scan(&epoch, &rows); err != nil {
		return "", err
	}
	marker, err := files.Read(db.Marker())
	return fmt.Sprintf("%s %d %s", epoch, rows, marker), err
}
