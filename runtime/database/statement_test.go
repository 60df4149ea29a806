package database_test

import (
	"context"
	"errors"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"fieldbook/runtime/database"
)

func touch(path string) error { return os.WriteFile(path, nil, 0o600) }

// The messages that someone who writes SQL for the first time will meet.
func TestStatementErrors(t *testing.T) {
	db := open(t, scratch(t), 1)
	_, err := db.Exec(ctx, insertWork, "w1", "o1")
	must(t, err)
	ended, cancel := context.WithCancel(ctx)
	cancel()
	tests := []struct {
		name  string
		query string
		args  []any
		kind  error
		text  string
	}{
		{"misspelt keyword", "UPDATE assistant_control SETT paused = 1", nil, database.ErrStatement,
			`database.Exec: near "SETT": syntax error; statement: UPDATE assistant_control SETT paused = 1`},
		{"unknown table", "DELETE FROM deliveries", nil, database.ErrStatement, "database.Exec: no such table: deliveries; statement: DELETE FROM deliveries"},
		{"unknown column", "UPDATE assistant_control SET pause = 1", nil, database.ErrStatement, "database.Exec: no such column: pause;"},
		{"unfinished", "UPDATE assistant_control SET", nil, database.ErrStatement, "database.Exec: incomplete input;"},
		{"empty", " -- nothing\n", nil, database.ErrStatement, "it is empty"},
		{"two statements", "DELETE FROM inventory; DELETE FROM events", nil, database.ErrStatement, "there are 2 statements; run one statement a call"},
		{"too few arguments", insertWork, []any{"w2"}, database.ErrStatement, "it has 2 parameters (?) and the call passes 1 arguments"},
		{"too many arguments", "DELETE FROM inventory WHERE sku = ?", []any{1, 2}, database.ErrStatement, "it has 1 parameters (?) and the call passes 2 arguments"},
		{"named parameter", "DELETE FROM inventory WHERE sku = :sku", []any{1}, database.ErrStatement, "the parameter :sku has a name; write ?"},
		{"a time", insertWork, []any{"w2", time.Now()}, database.ErrStatement, "argument 2 is a time.Time: times are UTC seconds, t.Unix()"},
		{"a struct", insertWork, []any{"w2", struct{}{}}, database.ErrStatement, "argument 2 is a struct {}, which SQLite cannot store"},
		{"too large", insertWork, []any{"w2", uint64(math.MaxUint64)}, database.ErrStatement, "more than SQLite's largest integer"},
		{"begin", "begin immediate", nil, database.ErrStatement, "BEGIN is not run as a statement; Immediate begins, commits and rolls back"},
		{"commit after a comment", "/* now */ COMMIT", nil, database.ErrStatement, "COMMIT is not run as a statement"},
		{"savepoint", "SAVEPOINT a", nil, database.ErrStatement, "SAVEPOINT is not run as a statement"},
		{"attach", "ATTACH 'x.db' AS x", nil, database.ErrStatement, "ATTACH is not available; two databases are two handles"},
		{"setting a pragma", "PRAGMA synchronous = OFF", nil, database.ErrStatement, "a PRAGMA can be read, not set"},
		{"setting a pragma by argument", "PRAGMA journal_mode(DELETE)", nil, database.ErrStatement, "this PRAGMA takes no argument here"},
		{"unique", insertWork, []any{"w2", "o1"}, database.ErrConstraint, "the UNIQUE constraint on assistant_work.origin refused the change"},
		{"primary key", insertWork, []any{"w1", "o2"}, database.ErrConstraint, "the UNIQUE constraint on assistant_work.id refused the change"},
		{"check", "UPDATE assistant_control SET paused = 2", nil, database.ErrConstraint, "the CHECK constraint on paused IN (0, 1) refused the change"},
		{"not null", "UPDATE assistant_control SET paused = NULL", nil, database.ErrConstraint, "the NOT NULL constraint on assistant_control.paused refused the change"},
		{"foreign key", "INSERT INTO assistant_orders (id, work_id, proposal, digest, amount_cents, status, created) VALUES ('o', 'none', '', '', 1, 'PROPOSED', 1)",
			nil, database.ErrConstraint, "a FOREIGN KEY constraint refused the change"},
		{"type", "UPDATE assistant_control SET paused = 'yes'", nil, database.ErrConstraint, "cannot store TEXT value in INTEGER column assistant_control.paused"},
		{"trigger", "UPDATE assistant_work SET prompt = 'other'", nil, database.ErrConstraint, "a trigger refused the change: what a piece of work is about cannot be changed"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			changed, err := db.Exec(ctx, test.query, test.args...)
			if !errors.Is(err, test.kind) || !strings.Contains(err.Error(), test.text) {
				t.Errorf("error %v\nwant %v and %q", err, test.kind, test.text)
			}
			if changed != 0 {
				t.Errorf("changed %d", changed)
			}
		})
	}
	t.Run("ended context", func(t *testing.T) {
		if _, err := db.Exec(ended, "DELETE FROM inventory"); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("a statement without end is stopped by its context", func(t *testing.T) {
		limited, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
		defer cancel()
		_, err := db.Query(limited, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("too many rows", func(t *testing.T) {
		_, err := db.Query(ctx, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n")
		if !errors.Is(err, database.ErrStatement) || !strings.Contains(err.Error(), "it has more than 100000 rows") {
			t.Errorf("error %v", err)
		}
	})
	t.Run("a long statement is cut", func(t *testing.T) {
		_, err := db.Exec(ctx, "SELECT '"+strings.Repeat("é", 1000)+"' FROM nothing")
		if err == nil || len(err.Error()) > 400 || !strings.HasSuffix(err.Error(), "é…") {
			t.Errorf("error %v", err)
		}
	})
}

func TestExecCounts(t *testing.T) {
	db := open(t, scratch(t), 1)
	for _, test := range []struct {
		query   string
		changed int64
	}{
		{"INSERT INTO inventory VALUES ('a', 1, 1, 1, 1), ('b', 1, 1, 1, 1)", 2},
		{"UPDATE inventory SET on_hand = 2;", 2},
		{"SELECT * FROM inventory", 0},
		{"CREATE TABLE extra (a)", 0},
		{"CREATE TRIGGER t AFTER INSERT ON extra BEGIN DELETE FROM inventory; SELECT 1; END", 0},
		{"INSERT INTO extra VALUES (1)", 1},
		{"WITH x AS (SELECT 1) SELECT * FROM x", 0},
		{"WITH x AS (SELECT 1) UPDATE extra SET a = 2", 1},
		{"REPLACE INTO extra VALUES (3)", 1},
		{"DELETE FROM extra WHERE a = 9", 0},
		{"PRAGMA table_info(extra)", 0},
		{"PRAGMA integrity_check", 0},
	} {
		changed, err := db.Exec(ctx, test.query)
		if err != nil || changed != test.changed {
			t.Errorf("%s: changed %d, error %v; want %d", test.query, changed, err, test.changed)
		}
	}
}

type status string

func TestArgumentsAndScan(t *testing.T) {
	db := open(t, scratch(t), 1)
	text, number := "x", 7
	var nothing *string
	rows, err := db.Query(ctx, "SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?", 1, uint8(2), 2.5, status("READY"), []byte{1}, true, &text, nothing, &number)
	must(t, err)
	if got := strings.Join(rows.Columns(), ","); got != "?,?,?,?,?,?,?,?,?" {
		t.Errorf("columns %s", got)
	}
	if !rows.Next() {
		t.Fatal("no row")
	}
	var (
		one   int
		two   uint8
		half  float64
		named status
		bytes []byte
		yes   bool
		x     *string
		null  *string
		seven any
	)
	must(t, rows.Scan(&one, &two, &half, &named, &bytes, &yes, &x, &null, &seven))
	if one != 1 || two != 2 || half != 2.5 || named != "READY" || string(bytes) != "\x01" || !yes || *x != "x" || null != nil || seven != int64(7) {
		t.Errorf("scanned %v %v %v %v %v %v %v %v %v", one, two, half, named, bytes, yes, x, null, seven)
	}
	if rows.Next() || rows.Err() != nil || rows.Close() != nil {
		t.Error("the rows do not end")
	}

	var small int8
	var flag bool
	var word string
	var float float32
	tests := []struct {
		query string
		dest  any
		text  string // of the error; empty: none
	}{
		{"SELECT 12 AS n", &float, ""},
		{"SELECT 'abc' AS n", &bytes, ""},
		{"SELECT NULL AS n", &bytes, ""},
		{"SELECT NULL AS n", &seven, ""},
		{"SELECT 300 AS n", &small, "column 1 (n) is the integer 300, which does not fit into a *int8"},
		{"SELECT -1 AS n", &two, "the integer -1"},
		{"SELECT 2 AS n", &flag, "the integer 2, which does not fit into a *bool"},
		{"SELECT 1 AS n", &word, "the integer 1, which does not fit into a *string"},
		{"SELECT '1' AS n", &one, "is text, which does not fit into a *int"},
		{"SELECT 1.5 AS n", &one, "is the real 1.5"},
		{"SELECT x'00' AS n", &word, "is a blob"},
		{"SELECT NULL AS n", &word, "is NULL, which a *string cannot hold; scan it into a pointer to a pointer, or ask for COALESCE"},
		{"SELECT 1 AS n", one, "is to be stored in a int, which is not a pointer to a variable"},
		{"SELECT 1 AS n", nil, "is to be stored in a <nil>"},
		{"SELECT 1 AS n", (*int)(nil), "is to be stored in a *int"},
		{"SELECT 1, 2", &one, "the row has 2 columns and Scan got 1 places"},
	}
	for _, test := range tests {
		err := db.QueryRow(ctx, test.query).Scan(test.dest)
		if test.text == "" && err != nil || test.text != "" && (!errors.Is(err, database.ErrStatement) || !strings.Contains(err.Error(), test.text)) {
			t.Errorf("%s: error %v, want %q", test.query, err, test.text)
		}
	}
	row := db.QueryRow(ctx, "SELECT 1 WHERE 0")
	for range 2 {
		if err := row.Scan(&one); !errors.Is(err, database.ErrNoRows) || !strings.Contains(err.Error(), "the query found no row; statement: SELECT 1 WHERE 0") {
			t.Errorf("error %v", err)
		}
	}
	rows, err = db.Query(ctx, "SELECT 1")
	must(t, err)
	if err := rows.Scan(&one); err == nil || !strings.Contains(err.Error(), "call Next first") {
		t.Errorf("Scan before Next: error %v", err)
	}
}

// Rows that nobody closes hold nothing: the handle writes, copies and closes.
func TestRowsLeftOpen(t *testing.T) {
	db := open(t, scratch(t), 1)
	image := openImage(t, db)
	for _, handle := range []*database.Database{db, image} {
		rows, err := handle.Query(ctx, "SELECT 1 UNION ALL SELECT 2")
		must(t, err)
		rows.Next()
	}
	must(t, db.CopyInto(ctx, image))
	must(t, image.CopyInto(ctx, db))
	must(t, db.Immediate(ctx, func(tx *database.Tx) error {
		rows, err := tx.Query(ctx, "SELECT 1 UNION ALL SELECT 2")
		must(t, err)
		rows.Next()
		return pause(tx)
	}))
}

// A write that returns rows takes effect as a whole, also when only its first row is read.
func TestReturning(t *testing.T) {
	db := open(t, scratch(t), 1)
	var sku string
	must(t, db.QueryRow(ctx, "INSERT INTO inventory VALUES ('a', 1, 1, 1, 1), ('b', 1, 1, 1, 1) RETURNING sku").Scan(&sku))
	var count int
	must(t, db.QueryRow(ctx, "SELECT count(*) FROM inventory").Scan(&count))
	if sku != "a" || count != 2 {
		t.Errorf("sku %s, count %d", sku, count)
	}
}
