package database

import (
	"context"
	"fmt"
	"time"
)

// migration is one step of the schema. Steps are only ever added at the end.
type migration struct {
	version int
	name    string
	text    string
}

// migrations returns all steps, in order.
func migrations() []migration {
	return []migration{
		{1, "control, work and events", workSchema},
		{2, "orders, jobs and spending", orderSchema},
		{3, "inventory and cash", stockSchema},
	}
}

const workSchema = `
CREATE TABLE assistant_control (
	id     INTEGER PRIMARY KEY CHECK (id = 1),
	epoch  TEXT NOT NULL CHECK (length(epoch) = 32 AND epoch NOT GLOB '*[^0-9a-f]*'),
	paused INTEGER NOT NULL CHECK (paused IN (0, 1))
) STRICT;

CREATE TABLE assistant_work (
	id              TEXT NOT NULL PRIMARY KEY CHECK (id <> ''),
	origin          TEXT NOT NULL UNIQUE CHECK (length(CAST(origin AS BLOB)) BETWEEN 1 AND 250),
	session         TEXT NOT NULL CHECK (length(CAST(session AS BLOB)) BETWEEN 1 AND 200),
	prompt          TEXT NOT NULL CHECK (trim(prompt) <> '' AND length(CAST(prompt AS BLOB)) <= 16384),
	status          TEXT NOT NULL CHECK (status IN ('READY', 'RUNNING', 'BLOCKED', 'DONE', 'CANCELED', 'REJECTED')),
	generation      INTEGER NOT NULL DEFAULT 0 CHECK (generation >= 0),
	owner           TEXT,
	expires         INTEGER,
	created         INTEGER NOT NULL,
	result          TEXT,
	available_after INTEGER NOT NULL DEFAULT 0,
	canceled        INTEGER NOT NULL DEFAULT 0 CHECK (canceled IN (0, 1)),
	control         INTEGER NOT NULL DEFAULT 0 CHECK (control IN (0, 1)),
	subject         TEXT NOT NULL DEFAULT '',
	role            TEXT NOT NULL CHECK (role <> '')
) STRICT;

CREATE INDEX assistant_work_queue ON assistant_work (status, control DESC, created);

CREATE TRIGGER assistant_work_identity BEFORE UPDATE ON assistant_work
WHEN new.id IS NOT old.id OR new.origin IS NOT old.origin OR new.session IS NOT old.session OR new.prompt IS NOT old.prompt
	OR new.created IS NOT old.created OR new.subject IS NOT old.subject OR new.role IS NOT old.role
BEGIN SELECT RAISE(ABORT, 'what a piece of work is about cannot be changed'); END;

CREATE TABLE events (
	id      INTEGER PRIMARY KEY,
	at      INTEGER NOT NULL,
	kind    TEXT NOT NULL CHECK (kind <> ''),
	subject TEXT NOT NULL DEFAULT '',
	detail  TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE TRIGGER events_unchanged BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'events are append-only: a row cannot be changed'); END;
CREATE TRIGGER events_kept BEFORE DELETE ON events
BEGIN SELECT RAISE(ABORT, 'events are append-only: a row cannot be removed'); END;
`

const orderSchema = `
CREATE TABLE assistant_orders (
	id             TEXT NOT NULL PRIMARY KEY CHECK (id <> ''),
	work_id        TEXT NOT NULL REFERENCES assistant_work (id),
	proposal       TEXT NOT NULL,
	digest         TEXT NOT NULL,
	amount_cents   INTEGER NOT NULL CHECK (amount_cents > 0),
	status         TEXT NOT NULL CHECK (status IN
		('PROPOSED', 'APPROVED', 'SENDING', 'UNKNOWN', 'CONFIRMED', 'REJECTED', 'CANCELED')),
	approved_by    TEXT,
	approved_until INTEGER NOT NULL DEFAULT 0 CHECK (approved_until >= 0),
	revoked        INTEGER NOT NULL DEFAULT 0 CHECK (revoked IN (0, 1)),
	receipt        TEXT,
	created        INTEGER NOT NULL,
	target         TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE INDEX assistant_orders_work ON assistant_orders (work_id);

CREATE TRIGGER assistant_orders_identity BEFORE UPDATE ON assistant_orders
WHEN new.id IS NOT old.id OR new.work_id IS NOT old.work_id OR new.proposal IS NOT old.proposal OR new.digest IS NOT old.digest
	OR new.amount_cents IS NOT old.amount_cents OR new.created IS NOT old.created OR new.target IS NOT old.target
BEGIN SELECT RAISE(ABORT, 'what an order is about cannot be changed'); END;

CREATE TABLE assistant_jobs (
	id            TEXT NOT NULL PRIMARY KEY CHECK (id <> ''),
	name          TEXT NOT NULL UNIQUE CHECK (name <> ''),
	every_seconds INTEGER NOT NULL CHECK (every_seconds > 0),
	next_due      INTEGER NOT NULL,
	created       INTEGER NOT NULL,
	enabled       INTEGER NOT NULL DEFAULT 1 CHECK (enabled IN (0, 1))
) STRICT;

CREATE TABLE assistant_spending (
	id             INTEGER PRIMARY KEY CHECK (id = 1),
	limit_cents    INTEGER NOT NULL CHECK (limit_cents >= 0),
	reserved_cents INTEGER NOT NULL DEFAULT 0 CHECK (reserved_cents >= 0),
	spent_cents    INTEGER NOT NULL DEFAULT 0 CHECK (spent_cents >= 0),
	CONSTRAINT spending_within_limit CHECK (reserved_cents + spent_cents <= limit_cents)
) STRICT;
`

const stockSchema = `
CREATE TABLE inventory (
	sku             TEXT NOT NULL PRIMARY KEY CHECK (sku <> ''),
	on_hand         INTEGER NOT NULL CHECK (on_hand >= 0),
	reorder         INTEGER NOT NULL CHECK (reorder >= 0),
	unit_cost_cents INTEGER NOT NULL CHECK (unit_cost_cents >= 0),
	price_cents     INTEGER NOT NULL CHECK (price_cents >= 0)
) STRICT;

CREATE TABLE cash_ledger (
	id           INTEGER PRIMARY KEY,
	at           INTEGER NOT NULL,
	amount_cents INTEGER NOT NULL CHECK (amount_cents <> 0),
	reason       TEXT NOT NULL CHECK (reason <> ''),
	reference    TEXT NOT NULL UNIQUE CHECK (reference <> '')
) STRICT;

CREATE TRIGGER cash_ledger_unchanged BEFORE UPDATE ON cash_ledger
BEGIN SELECT RAISE(ABORT, 'the cash ledger is append-only: a row cannot be changed'); END;
CREATE TRIGGER cash_ledger_kept BEFORE DELETE ON cash_ledger
BEGIN SELECT RAISE(ABORT, 'the cash ledger is append-only: a row cannot be removed'); END;
`

const versionSchema = `
CREATE TABLE schema_migrations (
	version INTEGER PRIMARY KEY CHECK (version > 0),
	name    TEXT NOT NULL,
	applied INTEGER NOT NULL
) STRICT;
`

// migrate applies the missing migrations, each in one immediate transaction with its version row.
func (d *Database) migrate(ctx context.Context) error {
	steps := migrations()
	for {
		applied, err := d.session.versions(ctx)
		if err != nil && !isNoSchema(err) {
			return err
		}
		for i, version := range applied {
			if i >= len(steps) || version != steps[i].version {
				return fmt.Errorf("%w that this program can use: it has schema versions %v, and this program knows 1 to %d", ErrNoSchema, applied, len(steps))
			}
		}
		if len(applied) == len(steps) {
			return nil
		}
		if err := d.apply(ctx, steps[len(applied)], len(applied)); err != nil {
			return err
		}
	}
}

// apply makes one step, unless another opening made it meanwhile.
func (d *Database) apply(ctx context.Context, step migration, before int) error {
	return d.session.immediate(ctx, func() error {
		applied, err := d.session.versions(ctx)
		if err != nil && !isNoSchema(err) {
			return err
		}
		if len(applied) != before {
			return nil
		}
		text := step.text
		if before == 0 {
			text = versionSchema + text
		}
		if _, err := d.session.exec(ctx, text); err != nil {
			return fmt.Errorf("schema version %d (%s): %w", step.version, step.name, err)
		}
		_, err = d.session.exec(ctx, "INSERT INTO schema_migrations (version, name, applied) VALUES (?, ?, ?)",
			values(int64(step.version), step.name, d.options.Clock.Now().UTC().Truncate(time.Second).Unix())...)
		return err
	})
}
