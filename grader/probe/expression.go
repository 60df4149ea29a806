package probe

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"modernc.org/sqlite"

	"fieldbook/runtime/world"
)

// Truth is what an SQL expression says: it may say nothing, where a value is null.
type Truth int

// The truths.
const (
	Unknown Truth = iota
	False
	True
)

// Evaluator evaluates SQL expressions over named values. It reads no file. It is safe for concurrent use.
type Evaluator struct{ db *sql.DB }

// NewEvaluator returns an evaluator; it has to be closed.
func NewEvaluator() *Evaluator {
	db := sql.OpenDB(connector{driver: &sqlite.Driver{}, name: "file::memory:?_pragma=trusted_schema(OFF)"})
	db.SetMaxOpenConns(1)
	return &Evaluator{db: db}
}

// Close frees what the evaluator holds.
func (e *Evaluator) Close() error { return e.db.Close() }

// Truth evaluates an author's expression; values are by name, which must be plain words. A value that is absent is null. An
// error is a fault of the expression.
func (e *Evaluator) Truth(ctx context.Context, expression string, values map[string]world.Value) (Truth, error) {
	var columns []string
	var args []any
	for name, value := range values {
		columns = append(columns, "? AS "+quote(name))
		args = append(args, argument(value))
	}
	query := "SELECT (" + expression + ")"
	if len(columns) > 0 {
		query += " FROM (SELECT " + strings.Join(columns, ", ") + ")"
	}
	var result any
	if err := e.db.QueryRowContext(ctx, query, args...).Scan(&result); err != nil {
		return Unknown, fmt.Errorf("evaluate %q: %w", expression, err)
	}
	switch result := result.(type) {
	case nil:
		return Unknown, nil
	case int64:
		if result != 0 {
			return True, nil
		}
		return False, nil
	default:
		return Unknown, fmt.Errorf("evaluate %q: the result %v is no truth value", expression, result)
	}
}

// argument is a value as SQLite takes it.
func argument(v world.Value) any {
	if b, ok := v.AsBool(); ok {
		return b
	}
	if n, ok := v.AsInt(); ok {
		return n
	}
	if x, ok := v.AsFloat(); ok {
		return x
	}
	if s, ok := v.AsString(); ok {
		return s
	}
	return nil
}
