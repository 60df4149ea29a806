package database

import (
	"context"
	"database/sql/driver"
	"fmt"
	"math"
	"reflect"
	"time"

	"fieldbook/runtime/operation"
)

// RowLimit is how many rows one query may return.
const RowLimit = 100_000

// Exec runs one statement and returns how many rows it inserted, changed or removed.
func (d *Database) Exec(ctx context.Context, query string, args ...any) (changed int64, err error) {
	return execute(ctx, d, d, "database.Exec", query, args)
}

// Query runs one statement and returns all its rows, at most RowLimit.
func (d *Database) Query(ctx context.Context, query string, args ...any) (*Rows, error) {
	return fetch(ctx, d, d, "database.Query", query, args)
}

// QueryRow runs one statement and returns its first row; Scan reports what went wrong, and ErrNoRows when there is none.
func (d *Database) QueryRow(ctx context.Context, query string, args ...any) *Row {
	rows, err := fetch(ctx, d, d, "database.QueryRow", query, args)
	return &Row{rows: rows, err: err}
}

// Exec runs one statement in the transaction and returns how many rows it inserted, changed or removed.
func (t *Tx) Exec(ctx context.Context, query string, args ...any) (changed int64, err error) {
	return execute(ctx, t, t.handle(), "database.Tx.Exec", query, args)
}

// Query runs one statement in the transaction and returns all its rows, at most RowLimit.
func (t *Tx) Query(ctx context.Context, query string, args ...any) (*Rows, error) {
	return fetch(ctx, t, t.handle(), "database.Tx.Query", query, args)
}

// QueryRow runs one statement in the transaction and returns its first row; Scan reports what went wrong, and ErrNoRows
// when there is none.
func (t *Tx) QueryRow(ctx context.Context, query string, args ...any) *Row {
	rows, err := fetch(ctx, t, t.handle(), "database.Tx.QueryRow", query, args)
	return &Row{rows: rows, err: err}
}

func (t *Tx) handle() *Database {
	if t == nil {
		return nil
	}
	return t.db
}

// runner is a handle or its transaction.
type runner interface {
	enter(ctx context.Context, span *operation.Span) (leave func(), err error)
	check(ctx context.Context)
}

// check is the runner's: outside a transaction a failed statement has undone itself.
func (d *Database) check(context.Context) {}

func execute(ctx context.Context, on runner, d *Database, name, query string, args []any) (changed int64, err error) {
	err = run(ctx, on, d, name, query, args, func(s *session, st statement, values []driver.NamedValue) (int64, error) {
		count, err := s.exec(ctx, query, values...)
		if st.changes() {
			changed = count
		}
		return changed, err
	})
	return changed, err
}

func fetch(ctx context.Context, on runner, d *Database, name, query string, args []any) (rows *Rows, err error) {
	err = run(ctx, on, d, name, query, args, func(s *session, st statement, values []driver.NamedValue) (int64, error) {
		columns, data, err := s.query(ctx, RowLimit, query, values...)
		rows = &Rows{call: name, sql: st.folded, columns: columns, data: data, next: -1}
		return 0, err
	})
	if err != nil {
		return nil, err
	}
	return rows, nil
}

// run is what all six have in common: log, check the text and the arguments, wait for the turn, classify the error.
func run(ctx context.Context, on runner, d *Database, name, query string, args []any,
	do func(*session, statement, []driver.NamedValue) (changed int64, err error)) (err error) {
	if d == nil {
		return failure(ctx, name, "", ErrTxDone)
	}
	st := parse(query)
	var changed int64
	span := operation.For(d.path).Begin(name, d.path, st.folded)
	defer func() { span.End(err, changed) }()
	defer func() { err = failure(ctx, name, shorten(st.folded), err) }()
	if err := st.check(len(args)); err != nil {
		return err
	}
	values, err := bind(args)
	if err != nil {
		return err
	}
	leave, err := on.enter(ctx, span)
	if err != nil {
		return err
	}
	defer leave()
	if changed, err = do(d.session, st, values); err != nil {
		on.check(ctx)
	}
	return err
}

// bind turns arguments into what SQLite stores: integers, reals, text, bytes and null. Named types count as what they
// are made of, and a pointer as what it points to.
func bind(args []any) ([]driver.NamedValue, error) {
	values := make([]driver.NamedValue, len(args))
	for i, arg := range args {
		value, err := argument(arg)
		if err != nil {
			return nil, fmt.Errorf("%w: argument %d %w", ErrStatement, i+1, err)
		}
		values[i] = driver.NamedValue{Ordinal: i + 1, Value: value}
	}
	return values, nil
}

func argument(arg any) (driver.Value, error) {
	switch arg := arg.(type) {
	case nil:
		return nil, nil
	case time.Time:
		return nil, fmt.Errorf("is a time.Time: times are UTC seconds, t.Unix()")
	case []byte:
		return arg, nil
	}
	v := reflect.ValueOf(arg)
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil, nil
		}
		return argument(v.Elem().Interface())
	case reflect.Bool:
		if v.Bool() {
			return int64(1), nil
		}
		return int64(0), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return v.Int(), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if v.Uint() > math.MaxInt64 {
			return nil, fmt.Errorf("is %d, which is more than SQLite's largest integer", v.Uint())
		}
		return int64(v.Uint()), nil
	case reflect.Float32, reflect.Float64:
		return v.Float(), nil
	case reflect.String:
		return v.String(), nil
	}
	return nil, fmt.Errorf("is a %T, which SQLite cannot store", arg)
}

// shorten cuts the text of a statement to what fits into an error.
func shorten(text string) string {
	const limit = 300
	if len(text) <= limit {
		return text
	}
	cut := limit
	for cut > 0 && text[cut]&0xC0 == 0x80 {
		cut--
	}
	return text[:cut] + "…"
}
