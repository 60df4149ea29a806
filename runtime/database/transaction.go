package database

import (
	"context"
	"fmt"

	"fieldbook/runtime/operation"
)

// Tx is the open transaction of a handle. It is over when the function that Immediate called returns.
type Tx struct {
	db         *Database
	rolledBack bool // by SQLite itself, after an error; guarded by the handle's turn
}

// Immediate runs fn in a transaction that has the write lock from the start. It commits when fn returns nil, and rolls
// back when fn returns an error, panics, or ctx is done. The error of fn is returned as it is.
func (d *Database) Immediate(ctx context.Context, fn func(tx *Tx) error) (err error) {
	const name = "database.Immediate"
	span := operation.For(d.path).Begin(name, d.path, "")
	defer func() { span.End(err, 0) }()
	if fn == nil {
		return failure(ctx, name, "", fmt.Errorf("%w: there is no function to run", ErrArgument))
	}
	tx, err := d.begin(ctx, span)
	if err != nil {
		return failure(ctx, name, "", err)
	}
	defer func() {
		// Reached with the transaction open by a panic or runtime.Goexit in fn, which goes on afterwards.
		if tx != nil {
			_ = d.finish(ctx, span, tx, "ROLLBACK")
			err = ErrRolledBack // for the log: there is no caller to return to
		}
	}()
	err = fn(tx)
	end := "COMMIT"
	failed := err
	if failed == nil {
		failed = ctx.Err()
	}
	if failed != nil {
		end = "ROLLBACK"
	}
	over := d.finish(ctx, span, tx, end)
	tx = nil
	switch {
	case err != nil:
		return err
	case failed != nil:
		return failure(ctx, name, "", failed)
	default:
		return failure(ctx, name, "", over)
	}
}

func (d *Database) begin(ctx context.Context, span *operation.Span) (*Tx, error) {
	leave, err := d.enter(ctx, span)
	if err != nil {
		return nil, err
	}
	defer leave()
	if _, err := d.session.exec(ctx, "BEGIN IMMEDIATE"); err != nil {
		// A BEGIN that succeeds as ctx ends is reported as the end of ctx.
		_, _ = d.session.exec(context.WithoutCancel(ctx), "ROLLBACK")
		return nil, err
	}
	tx := &Tx{db: d}
	d.mu.Lock()
	d.tx = tx
	d.mu.Unlock()
	return tx, nil
}

// finish ends the transaction with COMMIT or ROLLBACK, once a statement that another goroutine runs in it is over.
// Whatever happens the handle has no transaction afterwards.
func (d *Database) finish(ctx context.Context, span *operation.Span, tx *Tx, end string) error {
	ctx = context.WithoutCancel(ctx)
	leave, err := d.take(ctx, span, func() error { return nil })
	if err != nil {
		return err
	}
	defer leave()
	defer func() {
		d.mu.Lock()
		d.tx = nil
		d.mu.Unlock()
	}()
	if tx.rolledBack {
		if end == "COMMIT" {
			return ErrRolledBack
		}
		return nil
	}
	_, err = d.session.exec(ctx, end)
	if err != nil && end == "COMMIT" {
		_, _ = d.session.exec(ctx, "ROLLBACK") // fails when the commit's failure has rolled back already
	}
	return err
}

// enter waits for the handle's turn inside the transaction.
func (t *Tx) enter(ctx context.Context, span *operation.Span) (leave func(), err error) {
	if t == nil || t.db == nil {
		return nil, ErrTxDone
	}
	leave, err = t.db.take(ctx, span, func() error {
		if t.db.tx != t {
			return ErrTxDone
		}
		return nil
	})
	if err == nil && t.rolledBack {
		leave()
		return nil, ErrRolledBack
	}
	return leave, err
}

// check finds out after a failed statement whether SQLite rolled the whole transaction back, as it does when the disk is
// full or a statement is interrupted. Statements that follow would otherwise take effect one by one.
func (t *Tx) check(ctx context.Context) {
	ctx = context.WithoutCancel(ctx)
	if _, err := t.db.session.exec(ctx, "BEGIN"); err != nil {
		return // "cannot start a transaction within a transaction": it is still open
	}
	t.rolledBack = true
	_, _ = t.db.session.exec(ctx, "ROLLBACK")
}
