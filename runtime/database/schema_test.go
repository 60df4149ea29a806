package database_test

import (
	"errors"
	"strings"
	"testing"

	"fieldbook/runtime/database"
	"fieldbook/runtime/shop"
)

// What the tables refuse and accept. Each statement runs on the same starting rows and is rolled back.
func TestSchema(t *testing.T) {
	db := open(t, scratch(t), 1)
	for _, statement := range []string{
		"INSERT INTO assistant_work (id, origin, session, prompt, status, created, role) VALUES ('w1', 'o1', 's', 'p', 'READY', 1, 'operator')",
		"INSERT INTO assistant_orders (id, work_id, proposal, digest, amount_cents, status, created) VALUES ('r1', 'w1', '{}', 'd', 250, 'APPROVED', 1)",
		"INSERT INTO assistant_jobs (id, name, every_seconds, next_due, created) VALUES ('j1', 'brief', 3600, 1, 1)",
		"INSERT INTO assistant_spending (id, limit_cents, reserved_cents, spent_cents) VALUES (1, 1000, 300, 700)",
		"INSERT INTO events (at, kind, subject) VALUES (1, 'claimed', 'w1')",
		"INSERT INTO inventory VALUES ('VANILLA', 2, 8, 250, 500)",
		"INSERT INTO cash_ledger (at, amount_cents, reason, reference) VALUES (1, 20000, 'opening', 'seed')",
	} {
		_, err := db.Exec(ctx, statement)
		must(t, err)
	}
	tests := []struct {
		statement string
		text      string // of the refusal; empty: accepted
	}{
		{"UPDATE assistant_control SET paused = 1", ""},
		{"UPDATE assistant_control SET epoch = '0123456789abcdef0123456789abcdef'", ""},
		{"UPDATE assistant_control SET epoch = '0123456789ABCDEF0123456789ABCDEF'", "CHECK"},
		{"UPDATE assistant_control SET epoch = '0123'", "CHECK"},
		{"INSERT INTO assistant_control VALUES (2, '0123456789abcdef0123456789abcdef', 1)", "CHECK constraint on id = 1"},

		{"UPDATE assistant_work SET status = 'RUNNING', owner = 'a', expires = 9, generation = generation + 1", ""},
		{"UPDATE assistant_work SET status = 'running'", "CHECK"},
		{"UPDATE assistant_work SET generation = -1", "CHECK"},
		{"UPDATE assistant_work SET generation = 'one'", "cannot store TEXT value in INTEGER column"},
		{"UPDATE assistant_work SET origin = 'o2'", "what a piece of work is about"},
		{"UPDATE assistant_work SET session = 't'", "what a piece of work is about"},
		{"UPDATE assistant_work SET prompt = 'q'", "what a piece of work is about"},
		{"UPDATE assistant_work SET role = 'customer'", "what a piece of work is about"},
		{"UPDATE assistant_work SET subject = 'x'", "what a piece of work is about"},
		{"UPDATE assistant_work SET created = 2", "what a piece of work is about"},
		{"UPDATE assistant_work SET id = 'w2'", "what a piece of work is about"},
		{"UPDATE assistant_work SET prompt = prompt, result = 'done'", ""},
		{"DELETE FROM assistant_work", "FOREIGN KEY"},
		{"INSERT INTO assistant_work (id, origin, session, prompt, status, created, role) VALUES ('w2', 'o1', 's', 'p', 'READY', 1, 'operator')", "UNIQUE constraint on assistant_work.origin"},
		{"INSERT INTO assistant_work (id, origin, session, prompt, status, created, role) VALUES ('w2', '', 's', 'p', 'READY', 1, 'operator')", "CHECK"},
		{"INSERT INTO assistant_work (id, origin, session, prompt, status, created, role) VALUES ('w2', 'o2', 's', '  ', 'READY', 1, 'operator')", "CHECK"},

		{"UPDATE assistant_orders SET status = 'UNKNOWN', revoked = 1, approved_until = 0", ""},
		{"UPDATE assistant_orders SET amount_cents = 1", "what an order is about"},
		{"UPDATE assistant_orders SET proposal = '[]'", "what an order is about"},
		{"UPDATE assistant_orders SET digest = 'e'", "what an order is about"},
		{"UPDATE assistant_orders SET target = 'other'", "what an order is about"},
		{"UPDATE assistant_orders SET revoked = 2", "CHECK"},
		{"UPDATE assistant_orders SET approved_until = NULL", "NOT NULL"},
		{"INSERT INTO assistant_orders (id, work_id, proposal, digest, amount_cents, status, created) VALUES ('r2', 'w1', '{}', 'd', 0, 'PROPOSED', 1)", "CHECK constraint on amount_cents > 0"},
		{"INSERT INTO assistant_orders (id, work_id, proposal, digest, amount_cents, status, created) VALUES ('r2', 'w9', '{}', 'd', 1, 'PROPOSED', 1)", "FOREIGN KEY"},

		{"UPDATE assistant_jobs SET enabled = 0, next_due = 9", ""},
		{"UPDATE assistant_jobs SET every_seconds = 0", "CHECK"},

		{"UPDATE assistant_spending SET reserved_cents = 0, spent_cents = 1000", ""},
		{"UPDATE assistant_spending SET spent_cents = 701", "spending_within_limit"},
		{"UPDATE assistant_spending SET reserved_cents = -1", "CHECK"},
		{"UPDATE assistant_spending SET spent_cents = -1", "CHECK"},
		{"INSERT INTO assistant_spending VALUES (2, 1, 0, 0)", "CHECK"},

		{"INSERT INTO events (at, kind) VALUES (2, 'restored')", ""},
		{"UPDATE events SET kind = 'x'", "events are append-only: a row cannot be changed"},
		{"DELETE FROM events", "events are append-only: a row cannot be removed"},
		{"REPLACE INTO events (id, at, kind) VALUES (1, 2, 'x')", "events are append-only: a row cannot be removed"},

		{"UPDATE inventory SET on_hand = 0", ""},
		{"UPDATE inventory SET on_hand = -1", "CHECK"},
		{"UPDATE cash_ledger SET amount_cents = 1", "the cash ledger is append-only: a row cannot be changed"},
		{"DELETE FROM cash_ledger", "the cash ledger is append-only: a row cannot be removed"},
		{"INSERT INTO cash_ledger (at, amount_cents, reason, reference) VALUES (1, -5, 'x', 'seed')", "UNIQUE constraint on cash_ledger.reference"},
	}
	undo := errors.New("undo")
	for _, test := range tests {
		t.Run(test.statement, func(t *testing.T) {
			err := db.Immediate(ctx, func(tx *database.Tx) error {
				if _, err := tx.Exec(ctx, test.statement); err != nil {
					return err
				}
				return undo
			})
			switch {
			case test.text == "" && !errors.Is(err, undo):
				t.Errorf("refused: %v", err)
			case test.text != "" && (!errors.Is(err, database.ErrConstraint) || !strings.Contains(err.Error(), test.text)):
				t.Errorf("error %v, want %q", err, test.text)
			}
		})
	}
}

// The limits of a request are the same in the tables as in the shop's rules.
func TestSchemaLimits(t *testing.T) {
	db := open(t, scratch(t), 1)
	insert := func(id, origin, session, prompt string) error {
		_, err := db.Exec(ctx, "INSERT INTO assistant_work (id, origin, session, prompt, status, created, role) VALUES (?, ?, ?, ?, 'READY', 1, 'operator')", id, origin, session, prompt)
		return err
	}
	text := func(bytes int) string { return "é" + strings.Repeat("x", bytes-len("é")) }
	must(t, insert("w1", text(shop.MaxOriginBytes), text(shop.MaxSessionBytes), text(shop.MaxPromptBytes)))
	for name, err := range map[string]error{
		"origin":  insert("w2", text(shop.MaxOriginBytes+1), "s", "p"),
		"session": insert("w2", "o2", text(shop.MaxSessionBytes+1), "p"),
		"prompt":  insert("w2", "o2", "s", text(shop.MaxPromptBytes+1)),
	} {
		if !errors.Is(err, database.ErrConstraint) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	for _, status := range []shop.Status{shop.Ready, shop.Running, shop.Blocked, shop.Done, shop.Canceled, shop.Rejected} {
		if _, err := db.Exec(ctx, "UPDATE assistant_work SET status = ?", status); err != nil {
			t.Errorf("%s: %v", status, err)
		}
	}
}
