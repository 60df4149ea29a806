package assistant_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // writes sources that the runtime itself never writes

	"fieldbook/runtime/assistant"
	"fieldbook/runtime/shop"
)

// TestRestoreRefuses gives Restore sources that it cannot use, in an open and in a paused shop: the refusal names the
// reason, and the shop is exactly as it was, byte for byte in its marker, row for row, and paused only if it was.
func TestRestoreRefuses(t *testing.T) {
	tests := []struct {
		name   string
		class  string
		source func(s *testShop) string
	}{
		{"its own path", "separate_backup", func(s *testShop) string { return s.db.Path() }},
		{"its own path written differently", "separate_backup", func(s *testShop) string {
			return filepath.Dir(s.db.Path()) + "/backups/../shop.sqlite"
		}},
		{"a hard link to it", "separate_backup", func(s *testShop) string {
			link := s.Path("hard.sqlite")
			if err := os.Link(s.db.Path(), link); err != nil {
				s.t.Skipf("SKIPPED LOUDLY: hard links cannot be made here: %v", err)
			}
			return link
		}},
		{"a symbolic link to it", "separate_backup", func(s *testShop) string {
			link := s.Path("soft.sqlite")
			symlink(s.t, s.db.Path(), link)
			return link
		}},
		{"a missing file", "separate_backup", func(s *testShop) string { return s.Path("backups", "sunday.sqlite") }},
		{"a link that leads nowhere", "separate_backup", func(s *testShop) string {
			link := s.Path("dangling.sqlite")
			symlink(s.t, s.Path("nowhere"), link)
			return link
		}},
		{"a missing folder", "separate_backup", func(s *testShop) string { return s.Path("absent", "monday.sqlite") }},
		{"a file in place of its folder", "separate_backup", func(s *testShop) string { return s.backup("monday.sqlite") + "/x" }},
		{"a folder", "separate_backup", func(s *testShop) string { return s.Path("backups") }},
		{"no path", "separate_backup", func(*testShop) string { return "" }},
		{"a relative path", "separate_backup", func(*testShop) string { return "monday.sqlite" }},
		{"a path with a zero byte", "separate_backup", func(s *testShop) string { return s.Path("a\x00b") }},
		{"a name too long for a file", "separate_backup", func(s *testShop) string { return s.Path(strings.Repeat("a", 5000)) }},

		{"a text file", "corrupt_backup", written([]byte("Vanilla is short.\n"))},
		{"a long text file", "corrupt_backup", written(bytes.Repeat([]byte("Vanilla is short.\n"), 1000))},
		{"an empty file", "corrupt_backup", written(nil)},
		{"the header alone", "corrupt_backup", written([]byte("SQLite format 3\x00"))},
		{"a backup cut in half", "corrupt_backup", changed(func(data []byte) []byte { return data[:len(data)/2] })},
		{"a backup without its last byte", "corrupt_backup", changed(func(data []byte) []byte { return data[:len(data)-1] })},
		{"a page of zeros", "corrupt_backup", changed(func(data []byte) []byte {
			clear(data[3*pageSize(data) : 4*pageSize(data)])
			return data
		})},
		{"a page of noise", "corrupt_backup", changed(func(data []byte) []byte {
			for i := 4 * pageSize(data); i < 5*pageSize(data); i++ {
				data[i] = byte(i*7 + 3)
			}
			return data
		})},
		{"a first page of noise behind its header", "corrupt_backup", changed(func(data []byte) []byte {
			for i := 100; i < pageSize(data); i++ {
				data[i] = byte(i*5 + 1)
			}
			return data
		})},
		{"an index that disagrees with its table", "corrupt_backup", edited(`
			PRAGMA writable_schema = ON;
			UPDATE sqlite_schema SET sql = 'CREATE INDEX assistant_work_queue ON assistant_work (id, status)' WHERE name = 'assistant_work_queue'`)},

		{"a header that says WAL", "unfinished_backup", changed(func(data []byte) []byte {
			data[18], data[19] = 2, 2
			return data
		})},
		{"a copy of an open database", "unfinished_backup", func(s *testShop) string {
			path := s.Path("copied.sqlite")
			writeFile(s.t, path, readFile(s.t, s.db.Path()))
			return path
		}},
		{"a -wal beside it", "unfinished_backup", beside("-wal")},
		{"a -journal beside it", "unfinished_backup", beside("-journal")},
		{"a -wal beside what its link leads to", "unfinished_backup", func(s *testShop) string {
			link := s.Path("link.sqlite")
			symlink(s.t, beside("-wal")(s), link)
			return link
		}},

		{"a database of something else", "schema_mismatch", edited(`DROP TABLE schema_migrations`)},
		{"a table of versions that has none", "schema_mismatch", edited(`DROP TABLE schema_migrations; CREATE TABLE schema_migrations (name TEXT)`)},
		{"an older schema", "schema_mismatch", edited(`DELETE FROM schema_migrations WHERE version = (SELECT max(version) FROM schema_migrations)`)},
		{"a newer schema", "schema_mismatch", edited(`INSERT INTO schema_migrations SELECT max(version) + 1, 'later', 0 FROM schema_migrations`)},
		{"a gap in the versions", "schema_mismatch", edited(`DELETE FROM schema_migrations WHERE version = 2`)},
		{"no version", "schema_mismatch", edited(`DELETE FROM schema_migrations`)},
		{"another page size", "schema_mismatch", edited(`PRAGMA page_size = 8192; VACUUM`)},
		{"UTF-16", "schema_mismatch", utf16Shop},
	}
	for _, test := range tests {
		for _, state := range []string{"open", "paused"} {
			t.Run(test.name+", shop "+state, func(t *testing.T) {
				s, claim := busyShop(t)
				source := test.source(s)
				if state == "paused" {
					s.exec("UPDATE assistant_control SET paused = 1")
				}
				rows, marker, files := s.rows(), s.marker(), s.files()
				var bytesBefore []byte
				if info, err := os.Stat(source); err == nil && info.Mode().IsRegular() {
					bytesBefore = readFile(t, source)
				}

				err := assistant.Restore(s.ctx, s.db, source)

				wantRefusal(t, err, test.class)
				if known := []error{shop.ErrSeparateBackup, shop.ErrCorruptBackup, shop.ErrUnfinishedBackup, shop.ErrSchemaMismatch}; !slices.Contains(known, err) {
					t.Errorf("the error is %v, want exactly one of the refusals", err)
				}
				if got := s.rows(); !slices.Equal(got, rows) {
					t.Errorf("rows have changed:\n%s\nwere:\n%s", strings.Join(got, "\n"), strings.Join(rows, "\n"))
				}
				if got := s.marker(); got != marker {
					t.Errorf("marker %s, was %s", got, marker)
				}
				if got := s.files(); !slices.Equal(got, files) {
					t.Errorf("files %v, were %v", got, files)
				}
				if bytesBefore != nil && test.class != "separate_backup" && !bytes.Equal(readFile(t, source), bytesBefore) {
					t.Error("the source's bytes have changed")
				}
				if state == "open" {
					if err := assistant.AssertCurrent(s.ctx, s.db, claim); err != nil {
						t.Errorf("a worker has lost its claim: %v", err)
					}
				}
			})
		}
	}
}

// written is a source with these bytes.
func written(data []byte) func(*testShop) string {
	return func(s *testShop) string {
		path := s.Path("source.sqlite")
		writeFile(s.t, path, data)
		return path
	}
}

// changed is a backup whose bytes were changed.
func changed(change func([]byte) []byte) func(*testShop) string {
	return func(s *testShop) string {
		path := s.backup("changed.sqlite")
		writeFile(s.t, path, change(readFile(s.t, path)))
		return path
	}
}

// beside is a sound backup with another file beside it.
func beside(suffix string) func(*testShop) string {
	return func(s *testShop) string {
		path := s.backup("beside.sqlite")
		writeFile(s.t, path+suffix, nil)
		return path
	}
}

// edited is a backup in which SQL text was run, by the driver alone, and which is finished again.
func edited(text string) func(*testShop) string {
	return func(s *testShop) string {
		path := s.backup("edited.sqlite")
		runSQL(s.t, path, text)
		return path
	}
}

// utf16Shop is a finished database with the shop's tables and schema versions, in UTF-16.
func utf16Shop(s *testShop) string {
	text := "PRAGMA encoding = 'UTF-16le';"
	rows, err := s.db.Query(s.ctx, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type = 'trigger', rowid")
	if err != nil {
		s.t.Fatal(err)
	}
	for rows.Next() {
		var statement string
		if err := rows.Scan(&statement); err != nil {
			s.t.Fatal(err)
		}
		text += statement + ";"
	}
	versions, err := s.db.Versions(s.ctx)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, version := range versions {
		text += fmt.Sprintf("INSERT INTO schema_migrations VALUES (%d, 'step', 0);", version)
	}
	path := s.Path("utf16.sqlite")
	runSQL(s.t, path, text)
	return path
}

func runSQL(t *testing.T, path, text string) {
	t.Helper()
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: path}).String())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(context.Background(), text); err != nil {
		t.Fatal(err)
	}
}

func pageSize(database []byte) int { return int(binary.BigEndian.Uint16(database[16:18])) }
