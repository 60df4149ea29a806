package probe

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"modernc.org/sqlite"

	"fieldbook/grader"
	"fieldbook/runtime/world"
)

// Caps on what is read from a database that learner code has left. It is untrusted input: beyond a cap the reading ends
// with an error that names the cap, and nothing is compared.
const (
	maxTables  = 64
	maxRows    = 20_000 // all tables of a database together
	maxColumns = 64
	maxCell    = 64 << 10
)

// untrusted opens the copy of a database in a private folder of the parent. It is opened for writing, normally, because
// that is how SQLite applies a -wal; after that the connection only reads. No extension can be loaded, and nothing in the
// schema is trusted.
func untrusted(ctx context.Context, path string) (*sql.DB, error) {
	address := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path)}
	query := url.Values{"mode": {"rw"}, "_error_rc": {"1"}}
	// The copy is thrown away after the reading: it needs no sync, and no lock or shared memory for others.
	for _, pragma := range []string{"trusted_schema(OFF)", "cell_size_check(ON)", "synchronous(OFF)", "locking_mode(EXCLUSIVE)", "query_only(ON)"} {
		query.Add("_pragma", pragma)
	}
	address.RawQuery = query.Encode()
	db := sql.OpenDB(connector{driver: &sqlite.Driver{}, name: address.String()})
	db.SetMaxOpenConns(1)
	if err := db.PingContext(ctx); err != nil {
		db.Close()
		return nil, fmt.Errorf("open the copy of %s: %w", filepath.Base(path), err)
	}
	return db, nil
}

// readTables reads every ordinary table and row of a database, tables by name, rows by rowid or primary key.
func readTables(ctx context.Context, db *sql.DB, name string) (grader.DatabaseSnapshot, error) {
	snapshot := grader.DatabaseSnapshot{Path: name, Tables: []grader.Table{}}
	tables, err := tableList(ctx, db)
	if err != nil {
		return snapshot, fmt.Errorf("read the list of tables of %s: %w", name, err)
	}
	left := maxRows
	for _, t := range tables {
		table, err := readTable(ctx, db, t, left)
		if err != nil {
			return snapshot, fmt.Errorf("read %s, table %s: %w", name, t.name, err)
		}
		left -= len(table.Rows)
		snapshot.Tables = append(snapshot.Tables, table)
	}
	return snapshot, nil
}

type tableEntry struct {
	name    string
	columns int
	noRowid bool
}

func tableList(ctx context.Context, db *sql.DB) ([]tableEntry, error) {
	rows, err := db.QueryContext(ctx, `SELECT name, ncol, wr FROM pragma_table_list
		WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var tables []tableEntry
	for rows.Next() {
		var t tableEntry
		if err := rows.Scan(&t.name, &t.columns, &t.noRowid); err != nil {
			return nil, err
		}
		if len(tables) == maxTables || t.columns > maxColumns {
			return nil, fmt.Errorf("more than %d tables or %d columns", maxTables, maxColumns)
		}
		tables = append(tables, t)
	}
	return tables, rows.Err()
}

func readTable(ctx context.Context, db *sql.DB, t tableEntry, left int) (grader.Table, error) {
	table := grader.Table{Name: t.name, Rows: [][]world.Value{}}
	order := " ORDER BY rowid"
	if t.noRowid { // the primary key is the order of storage
		order = ""
	}
	rows, err := db.QueryContext(ctx, "SELECT * FROM "+quote(t.name)+order)
	if err != nil {
		return table, err
	}
	defer rows.Close()
	if table.Columns, err = rows.Columns(); err != nil {
		return table, err
	}
	cells := make([]any, len(table.Columns))
	slots := make([]any, len(table.Columns))
	for i := range cells {
		slots[i] = &cells[i]
	}
	for rows.Next() {
		if len(table.Rows) == left {
			return table, fmt.Errorf("more than %d rows", maxRows)
		}
		if err := rows.Scan(slots...); err != nil {
			return table, err
		}
		row := make([]world.Value, len(cells))
		for i, c := range cells {
			if row[i], err = cell(c); err != nil {
				return table, fmt.Errorf("column %s: %w", table.Columns[i], err)
			}
		}
		table.Rows = append(table.Rows, row)
	}
	return table, rows.Err()
}

// cell turns what the driver gives into a value with SQLite's own type.
func cell(v any) (world.Value, error) {
	switch v := v.(type) {
	case nil:
		return world.NullValue(), nil
	case int64:
		return world.IntValue(v), nil
	case float64:
		return world.FloatValue(v), nil
	case bool:
		if v {
			return world.IntValue(1), nil
		}
		return world.IntValue(0), nil
	case time.Time: // the driver's reading of a column declared DATE or TIMESTAMP
		return world.StringValue(v.UTC().Format(time.RFC3339Nano)), nil
	case string:
		if len(v) > maxCell {
			return world.Value{}, fmt.Errorf("a text of %d bytes, more than %d", len(v), maxCell)
		}
		return world.StringValue(v), nil
	case []byte:
		if len(v) > maxCell {
			return world.Value{}, fmt.Errorf("a blob of %d bytes, more than %d", len(v), maxCell)
		}
		return world.StringValue(fmt.Sprintf("x'%x'", v)), nil
	default:
		return world.Value{}, fmt.Errorf("a value of type %T", v)
	}
}

// one runs an author's query that gives one value; kind is the kind that the expectation has. No row is Absent.
func one(ctx context.Context, db *sql.DB, query string, kind world.Kind) (world.Value, error) {
	var raw any
	switch err := db.QueryRowContext(ctx, query).Scan(&raw); {
	case errors.Is(err, sql.ErrNoRows):
		return world.Value{}, nil
	case err != nil:
		return world.Value{}, err
	}
	value, err := cell(raw)
	if err != nil {
		return world.Value{}, err
	}
	// SQLite has no truth values: 0 and 1 are how it says them, and nothing else is.
	if n, ok := value.AsInt(); ok && kind == world.Bool && (n == 0 || n == 1) {
		return world.BoolValue(n == 1), nil
	}
	return value, nil
}

func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
