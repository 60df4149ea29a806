//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY restore case rows 84c6f2d9

// Package probe restores a shop with work and orders in every state. What Restore must change and what it must leave alone
// is compared row by row afterwards.
package probe

import (
	"context"
	"fmt"
	"time"

	"fieldbook/runtime/assistant"
	"fieldbook/runtime/database"
	"fieldbook/runtime/shop"
	"fieldbook/runtime/world"
)

// Probe backs a full shop up, lets a day go by in it, and restores it.
func Probe(ctx context.Context, w *world.World) (world.Observation, error) {
	var seen world.Observation
	db, err := w.Open(ctx)
	if err != nil {
		return seen, err
	}
	if err := assistant.SeedLucy(ctx, db); err != nil {
		return seen, err
	}
	if err := fill(ctx, w, db); err != nil {
		return seen, err
	}
	backup := w.Path("shop-backups", "full.sqlite")
	if err := assistant.Backup(ctx, db, backup); err != nil {
		return seen, err
	}
	if err := live(ctx, w, db); err != nil {
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
	health, err := assistant.ReadHealth(ctx, db)
	if err != nil {
		return seen, err
	}
	seen.Bool("restored_paused", health.Paused)
	var owned, approved int64
	err = db.QueryRow(ctx, `
		SELECT (SELECT count(*) FROM assistant_work WHERE owner IS NOT NULL OR expires IS NOT NULL OR status = 'RUNNING'),
		       (SELECT count(*) FROM assistant_orders WHERE revoked = 0 OR approved_until > 0)`).Scan(&owned, &approved)
	if err != nil {
		return seen, err
	}
	seen.Bool("any_work_owned", owned > 0)
	seen.Bool("any_order_approved", approved > 0)
	return seen, nil
}

// fill makes rows of every kind: the case says how many of each, and what they are called.
func fill(ctx context.Context, w *world.World, db *database.Database) error {
	each, _ := w.Case("each").AsInt()
	origin, _ := w.Case("origin").AsString()
	worker, _ := w.Case("worker").AsString()
	generation, _ := w.Case("generation").AsInt()
	cents, _ := w.Case("cents").AsInt()
	now := db.Now()
	return db.Immediate(ctx, func(tx *database.Tx) error {
		for _, status := range []shop.Status{shop.Ready, shop.Running, shop.Blocked, shop.Done, shop.Canceled, shop.Rejected} {
			for n := int64(1); n <= each; n++ {
				id := fmt.Sprintf("%s-%s-%d", origin, status, n)
				var owner, expires, result any
				if status == shop.Running {
					owner, expires = worker, now+30*n
				}
				if status == shop.Done {
					result = "ordered nothing"
				}
				_, err := tx.Exec(ctx, `
					INSERT INTO assistant_work (id, origin, session, prompt, status, generation, owner, expires, created, result,
						available_after, canceled, control, subject, role)
					VALUES (?, ?, ?, 'What is short?', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'customer')`,
					id, id, id, status, generation+n, owner, expires, now-n, result,
					now+60*n, status == shop.Canceled, n%2 == 0, origin)
				if err != nil {
					return err
				}
			}
		}
		for i, status := range []shop.OrderStatus{
			shop.Proposed, shop.Approved, shop.Sending, shop.Unknown, shop.Confirmed, shop.RejectedOrder, shop.CanceledOrder,
		} {
			for n := int64(1); n <= each; n++ {
				var by, receipt any
				until := int64(0)
				if status != shop.Proposed && status != shop.RejectedOrder {
					by, until = "lucy", now+3600*n
				}
				if status == shop.Confirmed {
					receipt = "receipt-" + origin
				}
				_, err := tx.Exec(ctx, `
					INSERT INTO assistant_orders (id, work_id, proposal, digest, amount_cents, status, approved_by, approved_until, receipt, created, target)
					VALUES (?, ?, '{"VANILLA":6}', ?, ?, ?, ?, ?, ?, ?, 'frigo')`,
					fmt.Sprintf("order-%s-%d-%d", origin, i, n), fmt.Sprintf("%s-DONE-%d", origin, n), fmt.Sprintf("digest-%d", n),
					cents+n, status, by, until, receipt, now-n)
				if err != nil {
					return err
				}
			}
		}
		for n := int64(1); n <= each; n++ {
			_, err := tx.Exec(ctx, `INSERT INTO assistant_jobs (id, name, every_seconds, next_due, created, enabled) VALUES (?, ?, ?, ?, ?, ?)`,
				fmt.Sprintf("job-%d", n), fmt.Sprintf("%s-%d", origin, n), 3600*n, now+60*n, now, n%2)
			if err != nil {
				return err
			}
		}
		_, err := tx.Exec(ctx, `INSERT INTO assistant_spending (id, limit_cents, reserved_cents, spent_cents) VALUES (1, ?, ?, ?)`, 10*cents, 2*cents, 3*cents)
		return err
	})
}

// live lets a day go by: rows change that the restore must take back, and rows come that it must take away.
func live(ctx context.Context, w *world.World, db *database.Database) error {
	w.Clock().Advance(26 * time.Hour)
	for _, statement := range []string{
		`UPDATE assistant_work SET status = 'DONE', owner = NULL, expires = NULL, result = 'later' WHERE status = 'RUNNING'`,
		`UPDATE assistant_orders SET status = 'CONFIRMED', receipt = 'later' WHERE status = 'SENDING'`,
		`UPDATE assistant_jobs SET next_due = next_due + 86400`,
		`UPDATE assistant_spending SET reserved_cents = 0`,
		`UPDATE inventory SET on_hand = 0 WHERE sku = 'VANILLA'`,
	} {
		if _, err := db.Exec(ctx, statement); err != nil {
			return err
		}
	}
	later, _ := w.Case("later").AsString()
	if _, err := assistant.Enqueue(ctx, db, shop.Request{Origin: later, Session: later, Prompt: "And today?", Role: shop.Operator}); err != nil {
		return err
	}
	claim, err := assistant.Claim(ctx, db, later, shop.DefaultLease)
	if err != nil || claim == nil {
		return err
	}
	return assistant.Finish(ctx, db, claim, shop.Done, "done after the backup")
}
