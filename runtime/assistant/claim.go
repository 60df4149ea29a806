package assistant

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fieldbook/runtime/database"
	"fieldbook/runtime/files"
	"fieldbook/runtime/shop"
)

// Claim gives the next piece of work to owner for the time of the lease, a number of whole seconds from shop.MinLease to
// shop.MaxLease. It returns nil when there is nothing to do: the shop is paused, or no work is free. Work whose lease has
// run out is free again, and its old claim is worth nothing. A session has one live claim at a time.
func Claim(ctx context.Context, db *database.Database, owner string, lease time.Duration) (*shop.Claim, error) {
	if owner == "" || lease < shop.MinLease || lease > shop.MaxLease || lease%time.Second != 0 {
		return nil, shop.ErrLeaseLimits
	}
	claim := &shop.Claim{Owner: owner}
	err := db.Immediate(ctx, func(tx *database.Tx) error {
		now := db.Now()
		err := tx.QueryRow(ctx, `
			SELECT w.id, w.session, w.prompt, w.role, w.generation + 1, c.epoch
			FROM assistant_work w JOIN assistant_control c ON c.id = 1
			WHERE c.paused = 0
			  AND (w.status = 'READY' OR (w.status = 'RUNNING' AND w.expires <= ?1))
			  AND w.available_after <= ?1
			  AND NOT EXISTS (SELECT 1 FROM assistant_work other
			                  WHERE other.session = w.session AND other.status = 'RUNNING' AND other.expires > ?1)
			ORDER BY w.control DESC, w.created, w.rowid
			LIMIT 1`, now).Scan(&claim.ID, &claim.Session, &claim.Prompt, &claim.Role, &claim.Generation, &claim.Epoch)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `
			UPDATE assistant_work SET status = 'RUNNING', generation = ?, owner = ?, expires = ? WHERE id = ?`,
			claim.Generation, owner, now+int64(lease/time.Second), claim.ID)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO events (at, kind, subject, detail) VALUES (?, 'work_claimed', ?, ?)`,
			now, claim.ID, fmt.Sprintf("generation %d, owner %s", claim.Generation, owner))
		return err
	})
	if errors.Is(err, database.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("claim work: %w", err)
	}
	return claim, nil
}

// AssertCurrent returns nil while claim still gives the permission to act: the shop is open, it is in the history in which
// the claim was made, and the work is still claimed by exactly this claim with time left. Otherwise the error is
// shop.ErrPermission, or shop.ErrLeaseLost when it is the work that has gone to someone else or whose time is over.
func AssertCurrent(ctx context.Context, db *database.Database, claim *shop.Claim) error {
	return db.Immediate(ctx, func(tx *database.Tx) error { return assertCurrentIn(ctx, db, tx, claim) })
}

// Finish ends the work of a claim that is still current as DONE, BLOCKED or CANCELED and stores its result. The check and
// the change are one transaction: a claim that is lost in between changes nothing.
func Finish(ctx context.Context, db *database.Database, claim *shop.Claim, status shop.Status, result string) error {
	if status != shop.Done && status != shop.Blocked && status != shop.Canceled {
		return shop.ErrNotFinal
	}
	return db.Immediate(ctx, func(tx *database.Tx) error {
		if err := assertCurrentIn(ctx, db, tx, claim); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `
			UPDATE assistant_work SET status = ?, result = ?, owner = NULL, expires = NULL WHERE id = ?`,
			status, result, claim.ID)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO events (at, kind, subject, detail) VALUES (?, 'work_finished', ?, ?)`,
			db.Now(), claim.ID, fmt.Sprintf("generation %d, status %s", claim.Generation, status))
		return err
	})
}

// assertCurrentIn is AssertCurrent inside an open transaction of db.
func assertCurrentIn(ctx context.Context, db *database.Database, tx *database.Tx, claim *shop.Claim) error {
	marker, err := files.Read(db.Marker())
	if errors.Is(err, files.ErrNotExist) {
		return shop.ErrPermission
	}
	if err != nil {
		return fmt.Errorf("read the marker: %w", err)
	}
	var control shop.Control
	err = tx.QueryRow(ctx, `SELECT epoch, paused FROM assistant_control WHERE id = 1`).Scan(&control.Epoch, &control.Paused)
	if err != nil {
		return fmt.Errorf("read the control row: %w", err)
	}
	if claim == nil || control.Paused || string(marker) != control.Epoch || claim.Epoch != control.Epoch {
		return shop.ErrPermission
	}
	var held int64
	err = tx.QueryRow(ctx, `
		SELECT count(*) FROM assistant_work
		WHERE id = ? AND session = ? AND prompt = ? AND role = ? AND status = 'RUNNING'
		  AND generation = ? AND owner = ? AND expires > ?`,
		claim.ID, claim.Session, claim.Prompt, claim.Role, claim.Generation, claim.Owner, db.Now()).Scan(&held)
	if err != nil {
		return fmt.Errorf("read the claimed work: %w", err)
	}
	if held == 0 {
		return shop.ErrLeaseLost
	}
	return nil
}
