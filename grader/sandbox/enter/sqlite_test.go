//go:build linux

package enter_test

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"fieldbook/grader"
	"fieldbook/grader/sandbox"
)

func TestMain(m *testing.M) {
	if sandbox.IsWorker(os.Args) {
		sandbox.Serve(func() sandbox.Function { return useSQLite })
	}
	sandbox.Harden()
	os.Exit(m.Run())
}

// useSQLite does with a database what the teaching runtime does: write-ahead log, transactions, a backup, renames.
func useSQLite(s sandbox.Session) ([]byte, error) {
	path := filepath.Join(s.Scratch, "shop.sqlite")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	backup := filepath.Join(s.Scratch, "backup.sqlite")
	for _, statement := range []string{
		"PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL",
		"CREATE TABLE orders(id INTEGER PRIMARY KEY, note TEXT)",
		"BEGIN", "INSERT INTO orders(note) VALUES ('a'), ('b')", "COMMIT",
		"BEGIN IMMEDIATE", "INSERT INTO orders(note) VALUES ('c')", "ROLLBACK",
		"VACUUM INTO '" + backup + "'",
		"INSERT INTO orders(note) VALUES ('after the backup')",
		"PRAGMA wal_checkpoint(TRUNCATE)",
		"PRAGMA journal_mode=DELETE", "INSERT INTO orders(note) VALUES ('with a journal')",
		"PRAGMA temp_store=FILE", "CREATE TEMP TABLE t AS SELECT * FROM orders ORDER BY note",
	} {
		if _, err := db.Exec(statement); err != nil {
			return nil, fmt.Errorf("%s: %w", statement, err)
		}
	}
	var count int
	var check string
	err = errors.Join(
		db.QueryRow("SELECT count(*) FROM orders").Scan(&count),
		db.QueryRow("PRAGMA integrity_check").Scan(&check),
		os.Mkdir(filepath.Join(s.Scratch, "kept"), 0o700),
		os.Rename(backup, filepath.Join(s.Scratch, "kept", "backup.sqlite")),
	)
	return fmt.Appendf(nil, "%d rows, %s", count, check), err
}

// TestSQLite holds that the filter and landlock let SQLite work in scratch.
func TestSQLite(t *testing.T) {
	for _, without := range [][]string{nil, {"namespaces"}} {
		p, err := sandbox.NewPool(sandbox.Options{Spare: -1, Without: without})
		if err != nil {
			t.Fatal(err)
		}
		r, err := p.Run(t.Context(), sandbox.Job{Profile: sandbox.Scratch})
		p.Close()
		if err != nil {
			t.Fatal(err)
		}
		defer r.Artifacts.Close()
		if r.Outcome != grader.Observed || string(r.Reply) != "4 rows, ok" {
			t.Errorf("without %q: %s (%s), %q", without, r.Outcome, r.Cause, r.Reply)
		}
		data, err := r.Artifacts.ReadFile("kept/backup.sqlite", 1<<20)
		if err != nil || !strings.HasPrefix(string(data), "SQLite format 3\x00") {
			t.Errorf("without %q: the backup is %.16q, %v", without, data, err)
		}
	}
}
