package database_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"fieldbook/runtime/database"
	"fieldbook/runtime/operation"
)

func pause(tx *database.Tx) error {
	_, err := tx.Exec(ctx, "UPDATE assistant_control SET paused = 1")
	return err
}

func TestImmediate(t *testing.T) {
	refused := errors.New("refused")
	canceled, cancel := context.WithCancel(ctx)
	tests := []struct {
		name   string
		ctx    context.Context
		fn     func(tx *database.Tx) error
		err    error
		paused bool
	}{
		{"nil commits", ctx, pause, nil, true},
		{"an error rolls back", ctx, func(tx *database.Tx) error { return errors.Join(pause(tx), refused) }, refused, false},
		{"the end of ctx rolls back", canceled, func(tx *database.Tx) error { cancel(); return pause(tx) }, context.Canceled, false},
		{"an ended ctx does not begin", canceled, func(tx *database.Tx) error { panic("called") }, context.Canceled, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			db := open(t, scratch(t), 1)
			err := db.Immediate(test.ctx, test.fn)
			if !errors.Is(err, test.err) || (err == nil) != (test.err == nil) {
				t.Errorf("error %v, want %v", err, test.err)
			}
			if _, paused := control(t, db); paused != test.paused {
				t.Errorf("paused %v, want %v", paused, test.paused)
			}
		})
	}
	t.Run("no function", func(t *testing.T) {
		if err := open(t, scratch(t), 1).Immediate(ctx, nil); !errors.Is(err, database.ErrArgument) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("the error comes back as it is", func(t *testing.T) {
		db := open(t, scratch(t), 1)
		if err := db.Immediate(ctx, func(*database.Tx) error { return refused }); err != refused { // as it is, not wrapped
			t.Errorf("error %v", err)
		}
	})
	t.Run("a panic rolls back and goes on", func(t *testing.T) {
		root, log := recorded(t, operation.Options{})
		db := open(t, root, 1)
		func() {
			defer func() {
				if got := recover(); got != any(refused) {
					t.Errorf("recovered %v", got)
				}
			}()
			_ = db.Immediate(ctx, func(tx *database.Tx) error { _ = pause(tx); panic(refused) })
		}()
		if last := (*log)[len(*log)-1]; last.Kind != operation.Return || last.Err != database.ErrRolledBack.Error() {
			t.Errorf("the log ends with %+v", last)
		}
		if _, paused := control(t, db); paused {
			t.Error("the change stayed")
		}
	})
	t.Run("Goexit rolls back", func(t *testing.T) {
		db := open(t, scratch(t), 1)
		done := make(chan struct{})
		go func() {
			defer close(done)
			_ = db.Immediate(ctx, func(tx *database.Tx) error { _ = pause(tx); runtime.Goexit(); return nil })
		}()
		<-done
		if _, paused := control(t, db); paused {
			t.Error("the change stayed")
		}
	})
	t.Run("reads see the transaction's own changes, other handles do not", func(t *testing.T) {
		folder := scratch(t)
		db, other := open(t, folder, 1), open(t, folder, 2)
		must(t, db.Immediate(ctx, func(tx *database.Tx) error {
			must(t, pause(tx))
			var paused bool
			must(t, tx.QueryRow(ctx, "SELECT paused FROM assistant_control").Scan(&paused))
			if !paused {
				t.Error("the transaction does not see its change")
			}
			rows, err := tx.Query(ctx, "SELECT paused FROM assistant_control")
			must(t, err)
			if !rows.Next() || rows.Next() {
				t.Error("the query has not one row")
			}
			if _, paused := control(t, other); paused {
				t.Error("another handle sees a change that is not committed")
			}
			return nil
		}))
		if _, paused := control(t, other); !paused {
			t.Error("another handle does not see the committed change")
		}
	})
}

// While a transaction is open every other method of the handle refuses, whoever calls, and nothing waits.
func TestInTransaction(t *testing.T) {
	folder := scratch(t)
	db, other := open(t, folder, 1), open(t, folder, 2)
	image := openImage(t, db)
	must(t, db.CopyInto(ctx, image))
	calls := map[string]func() error{
		"Exec":          func() error { _, err := db.Exec(ctx, "SELECT 1"); return err },
		"Query":         func() error { _, err := db.Query(ctx, "SELECT 1"); return err },
		"QueryRow":      func() error { return db.QueryRow(ctx, "SELECT 1").Scan(new(int)) },
		"Immediate":     func() error { return db.Immediate(ctx, func(*database.Tx) error { return nil }) },
		"Integrity":     func() error { return db.Integrity(ctx) },
		"Versions":      func() error { _, err := db.Versions(ctx); return err },
		"Format":        func() error { _, err := db.Format(ctx); return err },
		"CopyInto from": func() error { return db.CopyInto(ctx, image) },
		"CopyInto to":   func() error { return image.CopyInto(ctx, db) },
		"BackupTo":      func() error { path := folder + "/b.db"; must(t, touch(path)); return db.BackupTo(ctx, path) },
		"OpenImage":     func() error { _, err := database.OpenImage(ctx, db); return err },
		"Close":         db.Close,
	}
	must(t, db.Immediate(ctx, func(tx *database.Tx) error {
		for name, call := range calls {
			if err := call(); !errors.Is(err, database.ErrInTransaction) || !strings.Contains(err.Error(), "use the tx it passes") {
				t.Errorf("%s: error %v", name, err)
			}
			errs := make(chan error)
			go func() { errs <- call() }()
			if err := <-errs; !errors.Is(err, database.ErrInTransaction) {
				t.Errorf("%s in another goroutine: error %v", name, err)
			}
		}
		var n int
		return errors.Join(pause(tx), other.QueryRow(ctx, "SELECT 1").Scan(&n))
	}))
	for name, call := range calls {
		if name != "Close" && name != "OpenImage" {
			if err := call(); err != nil {
				t.Errorf("%s afterwards: error %v", name, err)
			}
		}
	}
}

func TestTxAfterItsEnd(t *testing.T) {
	db := open(t, scratch(t), 1)
	var kept *database.Tx
	must(t, db.Immediate(ctx, func(tx *database.Tx) error { kept = tx; return nil }))
	check := func() {
		t.Helper()
		_, exec := kept.Exec(ctx, "UPDATE assistant_control SET paused = 1")
		_, query := kept.Query(ctx, "SELECT 1")
		for _, err := range []error{exec, query, kept.QueryRow(ctx, "SELECT 1").Scan(new(int))} {
			if !errors.Is(err, database.ErrTxDone) {
				t.Errorf("error %v", err)
			}
		}
	}
	check()
	must(t, db.Immediate(ctx, func(*database.Tx) error { check(); return nil }))
	kept = nil
	check()
}

// Two handles that want the write lock at once: the second waits, and gives up after Options.Wait.
func TestWaitForTheLock(t *testing.T) {
	folder := scratch(t)
	db := open(t, folder, 1)
	o := options(2)
	o.Wait = 20 * time.Millisecond
	other, err := database.Open(ctx, db.Path(), o)
	must(t, err)
	closeLater(t, other)
	must(t, db.Immediate(ctx, func(tx *database.Tx) error {
		_, exec := other.Exec(ctx, "UPDATE assistant_control SET paused = 1")
		for _, err := range []error{exec, other.Immediate(ctx, pause)} {
			if !errors.Is(err, database.ErrBusy) || !strings.Contains(err.Error(), "another handle holds the lock") {
				t.Errorf("error %v", err)
			}
		}
		return nil
	}))
	must(t, other.Immediate(ctx, pause))
}

// Many goroutines on several handles: every increment counts once, and no statement sees half a transaction.
func TestConcurrentHandles(t *testing.T) {
	folder := scratch(t)
	const handles, goroutines, rounds = 3, 3, 10
	setup := open(t, folder, 1)
	_, err := setup.Exec(ctx, "INSERT INTO assistant_spending (id, limit_cents) VALUES (1, 100000)")
	must(t, err)
	var group sync.WaitGroup
	for h := range handles {
		o := options(h + 2)
		o.Wait = time.Minute
		db, err := database.Open(ctx, setup.Path(), o)
		must(t, err)
		t.Cleanup(func() { must(t, db.Close()) })
		for range goroutines {
			group.Go(func() {
				for range rounds {
					err := add(db)
					for errors.Is(err, database.ErrInTransaction) {
						runtime.Gosched()
						err = add(db)
					}
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	group.Wait()
	var spent, reserved int
	must(t, setup.QueryRow(ctx, "SELECT spent_cents, reserved_cents FROM assistant_spending").Scan(&spent, &reserved))
	if want := handles * goroutines * rounds; spent != want || reserved != want {
		t.Errorf("spent %d, reserved %d, want %d", spent, reserved, want)
	}
}

func add(db *database.Database) error {
	return db.Immediate(ctx, func(tx *database.Tx) error {
		var spent, reserved int
		if err := tx.QueryRow(ctx, "SELECT spent_cents, reserved_cents FROM assistant_spending").Scan(&spent, &reserved); err != nil {
			return err
		}
		if spent != reserved {
			return fmt.Errorf("spent %d, reserved %d", spent, reserved)
		}
		_, err := tx.Exec(ctx, "UPDATE assistant_spending SET spent_cents = ?", spent+1)
		if err == nil {
			_, err = tx.Exec(ctx, "UPDATE assistant_spending SET reserved_cents = ?", reserved+1)
		}
		return err
	})
}

// After an error SQLite may have ended the transaction by itself. What follows must not take effect one by one.
func TestRolledBackBySQLite(t *testing.T) {
	db := open(t, scratch(t), 1)
	err := db.Immediate(ctx, func(tx *database.Tx) error {
		must(t, pause(tx))
		_, err := tx.Exec(ctx, "INSERT OR ROLLBACK INTO assistant_control (id, epoch, paused) VALUES (2, 'x', 7)")
		if !errors.Is(err, database.ErrConstraint) {
			t.Errorf("error %v", err)
		}
		for range 2 {
			if _, err := tx.Exec(ctx, "DELETE FROM assistant_control"); !errors.Is(err, database.ErrRolledBack) {
				t.Errorf("a statement after the rollback: error %v", err)
			}
		}
		return nil // the error is overlooked
	})
	if !errors.Is(err, database.ErrRolledBack) {
		t.Errorf("error %v", err)
	}
	if _, paused := control(t, db); paused {
		t.Error("the change stayed")
	}
	t.Run("a failed statement alone ends nothing", func(t *testing.T) {
		must(t, db.Immediate(ctx, func(tx *database.Tx) error {
			if _, err := tx.Exec(ctx, "UPDATE assistant_control SET paused = 7"); !errors.Is(err, database.ErrConstraint) {
				t.Errorf("error %v", err)
			}
			return pause(tx)
		}))
		if _, paused := control(t, db); !paused {
			t.Error("the change is lost")
		}
	})
}

// A disk that fails at any operation of a transaction gives an error and leaves a handle that works.
func TestTransactionOnAFailingDisk(t *testing.T) {
	for _, failure := range []error{operation.ErrNoSpace, operation.ErrSyncFailed, operation.TornWrite{Bytes: 100}} {
		for n := 1; ; n++ {
			count, armed := 0, false
			root, _ := recorded(t, operation.Options{Intercept: func(operation.Entry) error {
				if armed {
					count++
					if count == n {
						return failure
					}
				}
				return nil
			}})
			db := open(t, root, 1)
			armed = true
			err := db.Immediate(ctx, func(tx *database.Tx) error {
				if err := pause(tx); err != nil {
					return err
				}
				_, err := tx.Exec(ctx, insertWork, "w1", "o1")
				return err
			})
			armed = false
			_, paused := control(t, db)
			if count < n {
				if err != nil || !paused {
					t.Errorf("without a failure: error %v, paused %v", err, paused)
				}
				if n < 4 {
					t.Errorf("a transaction has %d durable operations", n-1)
				}
				break
			}
			if !errors.Is(err, database.ErrNoSpace) && !errors.Is(err, database.ErrDisk) {
				t.Errorf("%v at operation %d: error %v", failure, n, err)
			}
			if paused {
				t.Errorf("%v at operation %d: the transaction failed and its change is there", failure, n)
			}
			must(t, db.Immediate(ctx, pause))
			must(t, db.Integrity(ctx))
		}
	}
}
