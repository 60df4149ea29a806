package database

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"fieldbook/runtime/operation"
)

// What errors.Is finds in the errors of this package.
var (
	ErrNoRows        = errors.New("the query found no row")
	ErrInTransaction = errors.New("a transaction is open on this handle: inside Immediate, use the tx it passes")
	ErrNotDatabase   = errors.New("not a SQLite database")
	ErrUnfinished    = errors.New("not a finished backup")
	ErrCorrupt       = errors.New("the database is corrupt")
	ErrNoSchema      = errors.New("the database has no schema versions")
	ErrFormat        = errors.New("the databases differ in page size or text encoding")
	ErrClosed        = errors.New("the handle is closed")
	ErrTxDone        = errors.New("the transaction is over: its tx cannot be used after Immediate's function returned")
	ErrRolledBack    = errors.New("SQLite has rolled the transaction back")
	ErrArgument      = errors.New("an argument is wrong")
	ErrStatement     = errors.New("the statement cannot be run")
	ErrConstraint    = errors.New("a constraint refused the change")
	ErrBusy          = errors.New("another handle holds the lock")
	ErrReadOnly      = errors.New("the database is open for reading only")
	ErrNoSpace       = operation.ErrNoSpace
	ErrDisk          = errors.New("the disk failed")
)

// Error says what failed, why, and for a statement its text. It wraps one of the errors above, an error of the context or
// files.ErrNotExist or files.ErrExist, and never an error of the driver.
type Error struct {
	Call   string // "database.Exec"
	Reason string // a sentence without its full stop
	SQL    string // the statement, white space folded; empty when there is none
	Kind   error  // what it wraps
}

func (e *Error) Error() string {
	text := e.Call + ": " + e.Reason
	if e.SQL != "" {
		text += "; statement: " + e.SQL
	}
	return text
}

// Unwrap returns the kind.
func (e *Error) Unwrap() error { return e.Kind }

// failure classifies err, an error of the driver or of ours, for the call that ran into it.
func failure(ctx context.Context, call, statement string, err error) error {
	if err == nil {
		return nil
	}
	var known *Error
	if errors.As(err, &known) {
		return err
	}
	e := &Error{Call: call, SQL: statement}
	var code *sqlite.Error
	switch {
	case errors.As(err, &code):
		e.Reason, e.Kind = classify(code)
		if code.Code()&0xff == sqlite3.SQLITE_INTERRUPT && ctx.Err() != nil {
			e.Kind, e.Reason = ctx.Err(), ctx.Err().Error()
		}
	default:
		e.Kind, e.Reason = kindOf(err), err.Error()
	}
	return e
}

// kindOf returns which of the package's errors err is; ErrDisk for one from the operating system.
func kindOf(err error) error {
	for _, kind := range []error{
		ErrNoRows, ErrInTransaction, ErrNotDatabase, ErrUnfinished, ErrCorrupt, ErrNoSchema, ErrFormat, ErrClosed,
		ErrTxDone, ErrRolledBack, ErrStatement, ErrConstraint, ErrBusy, ErrReadOnly, ErrNoSpace, ErrArgument,
		fs.ErrNotExist, fs.ErrExist, context.Canceled, context.DeadlineExceeded,
	} {
		if errors.Is(err, kind) {
			return kind
		}
	}
	return ErrDisk
}

// classify turns SQLite's result code and message into an error of ours and a reason for the reader.
func classify(err *sqlite.Error) (reason string, kind error) {
	message := message(err)
	switch err.Code() & 0xff {
	case sqlite3.SQLITE_CONSTRAINT:
		return constraint(err.Code(), message), ErrConstraint
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return "another handle holds the lock on the database (" + message + ")", ErrBusy
	case sqlite3.SQLITE_READONLY:
		return "the database is open for reading only", ErrReadOnly
	case sqlite3.SQLITE_FULL:
		return ErrNoSpace.Error(), ErrNoSpace
	case sqlite3.SQLITE_NOTADB:
		return "the file is not a SQLite database", ErrNotDatabase
	case sqlite3.SQLITE_CORRUPT:
		return "the database is corrupt (" + message + ")", ErrCorrupt
	case sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN:
		return "the disk failed: " + diskFailure(err.Code(), message), ErrDisk
	case sqlite3.SQLITE_MISMATCH:
		return "a value of the wrong type was refused (" + message + ")", ErrConstraint
	default:
		return message, ErrStatement
	}
}

// diskFailure names what could not be done, for the codes that the VFS returns; otherwise it is SQLite's message.
func diskFailure(code int, message string) string {
	switch code {
	case sqlite3.SQLITE_CANTOPEN:
		return "a file could not be opened or created"
	case sqlite3.SQLITE_IOERR_READ:
		return "a read failed"
	case sqlite3.SQLITE_IOERR_WRITE:
		return "a write failed"
	case sqlite3.SQLITE_IOERR_FSYNC, sqlite3.SQLITE_IOERR_DIR_FSYNC:
		return operation.ErrSyncFailed.Error()
	case sqlite3.SQLITE_IOERR_TRUNCATE:
		return "a file could not be cut"
	case sqlite3.SQLITE_IOERR_DELETE:
		return "a file could not be removed"
	}
	return message
}

// constraint says which constraint refused a change. SQLite's message names it; for a trigger it is the trigger's text.
func constraint(code int, message string) string {
	if code == sqlite3.SQLITE_CONSTRAINT_TRIGGER {
		return "a trigger refused the change: " + message
	}
	if rule, where, ok := strings.Cut(message, " constraint failed"); ok {
		where = strings.TrimPrefix(where, ": ")
		if where == "" {
			return fmt.Sprintf("a %s constraint refused the change", rule)
		}
		return fmt.Sprintf("the %s constraint on %s refused the change", rule, where)
	}
	return message
}

// message returns what SQLite said, without the general text the driver puts before it and the number it puts after.
func message(err *sqlite.Error) string {
	text := strings.TrimSuffix(err.Error(), " (SQLITE_BUSY)")
	text = strings.TrimSuffix(text, fmt.Sprintf(" (%d)", err.Code()))
	for _, general := range []string{"SQL logic error: ", "constraint failed: ", "datatype mismatch: "} {
		text = strings.TrimPrefix(text, general)
	}
	return text
}
