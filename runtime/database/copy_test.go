package database_test

import (
	"bytes"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"modernc.org/sqlite"

	"fieldbook/runtime/database"
	"fieldbook/runtime/files"
	"fieldbook/runtime/operation"
)

// foreign makes a database with package database/sql, as another program would: settings first, then statements.
func foreign(t testing.TB, path string, statements ...string) {
	t.Helper()
	connector, err := sqlite.NewConnector("file:" + path)
	must(t, err)
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(1)
	for _, statement := range statements {
		_, err := db.Exec(statement)
		must(t, err)
	}
	must(t, db.Close())
}

func TestCopyInto(t *testing.T) {
	folder := scratch(t)
	db, other := open(t, folder, 1), open(t, folder, 2)
	image := openImage(t, db)
	must(t, db.CopyInto(ctx, image))
	_, err := image.Exec(ctx, insertWork, "w1", "o1")
	must(t, err)
	must(t, image.Immediate(ctx, pause))

	before, err := files.Identity(db.Path())
	must(t, err)
	must(t, image.CopyInto(ctx, db))
	after, err := files.Identity(db.Path())
	must(t, err)
	if before != after {
		t.Errorf("the file was %s and is %s", before, after)
	}
	for name, handle := range map[string]*database.Database{"the destination": db, "a handle opened before": other} {
		var count int
		must(t, handle.QueryRow(ctx, "SELECT count(*) FROM assistant_work").Scan(&count))
		if _, paused := control(t, handle); !paused || count != 1 {
			t.Errorf("%s sees %d rows, paused %v", name, count, paused)
		}
		must(t, handle.Integrity(ctx))
		var mode string
		must(t, handle.QueryRow(ctx, "PRAGMA journal_mode").Scan(&mode))
		if mode != "wal" {
			t.Errorf("%s is in journal mode %s", name, mode)
		}
	}
	must(t, image.CopyInto(ctx, db)) // twice is the same as once
	must(t, other.Immediate(ctx, pause))
}

// One copy is one commit: another handle never sees a mixture, however often it looks.
func TestCopyIntoIsOneCommit(t *testing.T) {
	root, log := recorded(t, operation.Options{})
	db, other := open(t, root, 1), open(t, root, 2)
	image := openImage(t, db)
	must(t, db.CopyInto(ctx, image))
	must(t, image.Immediate(ctx, func(tx *database.Tx) error {
		for i := range 200 {
			if _, err := tx.Exec(ctx, insertWork, string(rune('A'+i)), strings.Repeat("o", i+1)); err != nil {
				return err
			}
		}
		return pause(tx)
	}))
	done := make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		for {
			var count int
			var paused bool
			err := other.QueryRow(ctx, "SELECT (SELECT count(*) FROM assistant_work), paused FROM assistant_control").Scan(&count, &paused)
			if err != nil || paused != (count == 200) {
				t.Errorf("saw %d rows, paused %v, error %v", count, paused, err)
				return
			}
			select {
			case <-done:
				return
			default:
			}
		}
	})
	before := len(*log)
	must(t, image.CopyInto(ctx, db))
	close(done)
	group.Wait()
	syncs := 0
	for _, e := range (*log)[before:] {
		if e.Kind == operation.Sync {
			syncs++
		}
		if e.Kind.Durable() && e.Path != "shop.db-wal" {
			t.Errorf("the copy did %s %s", e.Kind, e.Path)
		}
	}
	if syncs != 1 {
		t.Errorf("the copy synced %d times", syncs)
	}
}

func TestCopyIntoRefuses(t *testing.T) {
	folder := scratch(t)
	db := open(t, folder, 1)
	at := func(name string) string { return filepath.Join(folder, name) }
	foreign(t, at("pages.db"), "PRAGMA page_size = 8192", "CREATE TABLE a (b)")
	foreign(t, at("text.db"), "PRAGMA encoding = 'UTF-16le'", "CREATE TABLE a (b)")
	for name, want := range map[string]database.Format{"pages.db": {PageSize: 8192, Encoding: "UTF-8"}, "text.db": {PageSize: 4096, Encoding: "UTF-16le"}} {
		backup, err := database.OpenBackup(ctx, at(name))
		must(t, err)
		closeLater(t, backup)
		if format, err := backup.Format(ctx); err != nil || format != want {
			t.Errorf("%s: format %v, error %v", name, format, err)
		}
		if err := backup.CopyInto(ctx, db); !errors.Is(err, database.ErrFormat) || !strings.Contains(err.Error(), want.String()) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	image := openImage(t, db)
	if err := image.CopyInto(ctx, db); !errors.Is(err, database.ErrNoSchema) {
		t.Errorf("an empty image: error %v", err)
	}
	for name, err := range map[string]error{"itself": db.CopyInto(ctx, db), "nil": db.CopyInto(ctx, nil)} {
		if !errors.Is(err, database.ErrArgument) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	backUp(t, db, at("backup.db"))
	backup, err := database.OpenBackup(ctx, at("backup.db"))
	must(t, err)
	closeLater(t, backup)
	if err := db.CopyInto(ctx, backup); !errors.Is(err, database.ErrReadOnly) {
		t.Errorf("into a backup: error %v", err)
	}
	o := options(2)
	o.Wait = 20 * time.Millisecond
	waiting, err := database.Open(ctx, db.Path(), o)
	must(t, err)
	closeLater(t, waiting)
	must(t, db.Immediate(ctx, func(*database.Tx) error {
		if err := backup.CopyInto(ctx, waiting); !errors.Is(err, database.ErrBusy) {
			t.Errorf("into a locked database: error %v", err)
		}
		return nil
	}))
	must(t, backup.CopyInto(ctx, waiting))
	must(t, db.Integrity(ctx))
}

// Two copies in opposite directions do not wait for each other for ever.
func TestCopyBothWays(t *testing.T) {
	db := open(t, scratch(t), 1)
	image := openImage(t, db)
	must(t, db.CopyInto(ctx, image))
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			if err := db.CopyInto(ctx, image); err != nil {
				t.Error(err)
			}
		})
		group.Go(func() {
			if err := image.CopyInto(ctx, db); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}

func TestBackupTo(t *testing.T) {
	folder := scratch(t)
	db := open(t, folder, 1)
	_, err := db.Exec(ctx, insertWork, "w1", "o1")
	must(t, err)
	path := filepath.Join(folder, "kept", "monday.db")
	must(t, os.Mkdir(filepath.Dir(path), 0o700))
	if err := db.BackupTo(ctx, path); !errors.Is(err, files.ErrNotExist) {
		t.Errorf("a missing destination: error %v", err)
	}
	backUp(t, db, path)
	if got := names(t, filepath.Dir(path)); got != "monday.db" {
		t.Errorf("the folder of the backup holds %s", got)
	}
	if err := db.BackupTo(ctx, path); !errors.Is(err, database.ErrArgument) || !strings.Contains(err.Error(), "not an empty file") {
		t.Errorf("a used destination: error %v", err)
	}
	data, err := os.ReadFile(path)
	must(t, err)
	if data[18] != 1 || data[19] != 1 {
		t.Errorf("the header says journal versions %d and %d", data[18], data[19])
	}
	backup, err := database.OpenBackup(ctx, path)
	must(t, err)
	closeLater(t, backup)
	must(t, backup.Integrity(ctx))
	second, err := database.OpenBackup(ctx, path) // a backup that is open for reading is a backup still
	must(t, err)
	must(t, second.Close())
	var origin string
	must(t, backup.QueryRow(ctx, "SELECT origin FROM assistant_work").Scan(&origin))
	versions, err := backup.Versions(ctx)
	must(t, err)
	if origin != "o1" || len(versions) != 3 {
		t.Errorf("origin %s, versions %v", origin, versions)
	}
	if _, err := backup.Exec(ctx, "DELETE FROM inventory"); !errors.Is(err, database.ErrReadOnly) {
		t.Errorf("writing to a backup: error %v", err)
	}
	after, err := os.ReadFile(path)
	must(t, err)
	if !bytes.Equal(data, after) {
		t.Error("reading the backup changed it")
	}
	if _, err := database.OpenImage(ctx, backup); !errors.Is(err, database.ErrArgument) {
		t.Errorf("an image beside a backup: error %v", err)
	}
	defer func() {
		if recover() == nil {
			t.Error("a backup told the time")
		}
	}()
	backup.Now()
}

func TestOpenBackupRefuses(t *testing.T) {
	folder := scratch(t)
	at := func(name string) string { return filepath.Join(folder, name) }
	db := open(t, folder, 1)
	_, err := db.Exec(ctx, insertWork, "w1", "o1")
	must(t, err)
	backUp(t, db, at("good.db"))
	good, err := os.ReadFile(at("good.db"))
	must(t, err)
	put := func(name string, data []byte) { must(t, os.WriteFile(at(name), data, 0o600)) }
	change := func(name string, offset int, b ...byte) {
		data := bytes.Clone(good)
		copy(data[offset:], b)
		put(name, data)
	}
	put("empty.db", nil)
	put("text.db", []byte(strings.Repeat("Monday was quiet. ", 100)))
	put("short.db", good[:50])
	change("magic.db", 0, 'X')
	change("wal header.db", 18, 2, 2)
	change("write version.db", 18, 2)
	change("header.db", 16, 0xff, 0xff) // no page size
	put("beside wal.db", good)
	put("beside wal.db-wal", nil)
	put("beside journal.db", good)
	must(t, os.Symlink(at("nothing"), at("beside journal.db-journal")))
	must(t, os.Symlink(at("beside wal.db"), at("link.db")))
	must(t, os.Symlink(at("nowhere"), at("dangling.db")))
	must(t, os.Mkdir(at("folder.db"), 0o700))
	must(t, os.Link(db.Path(), at("hard.db")))

	live, err := os.ReadFile(db.Path())
	must(t, err)
	put("copied.db", live)

	tests := []struct {
		name string
		kind error
		text string
	}{
		{"missing.db", database.ErrNotDatabase, "there is no file missing.db"},
		{"dangling.db", database.ErrNotDatabase, "there is no file"},
		{"folder.db", database.ErrNotDatabase, "folder.db is not a regular file"},
		{"empty.db", database.ErrNotDatabase, "the file is empty"},
		{"text.db", database.ErrNotDatabase, "does not begin with SQLite's header"},
		{"short.db", database.ErrNotDatabase, "does not begin with SQLite's header"},
		{"magic.db", database.ErrNotDatabase, "does not begin with SQLite's header"},
		{"header.db", database.ErrNotDatabase, "the file is not a SQLite database"},
		{"wal header.db", database.ErrUnfinished, "write-ahead log"},
		{"write version.db", database.ErrUnfinished, "write-ahead log"},
		{"beside wal.db", database.ErrUnfinished, "beside wal.db-wal lies beside it"},
		{"beside journal.db", database.ErrUnfinished, "beside journal.db-journal lies beside it"},
		{"link.db", database.ErrUnfinished, "beside wal.db-wal lies beside it"},
		{"copied.db", database.ErrUnfinished, "write-ahead log"},
		{"shop.db", database.ErrUnfinished, "it is a database in use"},
		{"hard.db", database.ErrUnfinished, "it is a database in use"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := database.OpenBackup(ctx, at(test.name))
			if !errors.Is(err, test.kind) || !strings.Contains(err.Error(), test.text) {
				t.Errorf("error %v; want %v and %q", err, test.kind, test.text)
			}
			var raw *sqlite.Error
			if errors.As(err, &raw) {
				t.Errorf("the driver's error shows: %v", raw)
			}
		})
	}
	if _, err := database.OpenBackup(ctx, "good.db"); !errors.Is(err, database.ErrArgument) {
		t.Errorf("a relative path: error %v", err)
	}
}

func TestIntegrity(t *testing.T) {
	folder := scratch(t)
	db := open(t, folder, 1)
	for i := range 200 {
		_, err := db.Exec(ctx, insertWork, strings.Repeat("w", i+1), strings.Repeat("o", i+1))
		must(t, err)
	}
	path := filepath.Join(folder, "backup.db")
	backUp(t, db, path)
	good, err := os.ReadFile(path)
	must(t, err)
	tests := map[string]func([]byte) []byte{
		"a page of zeros":   func(b []byte) []byte { clear(b[4096*8 : 4096*9]); return b },
		"the last page cut": func(b []byte) []byte { return b[:len(b)-4096] },
		"a cell count":      func(b []byte) []byte { copy(b[4096+3:], "\xff\xff"); return b },
		"half a page":       func(b []byte) []byte { return b[:len(b)-2000] },
	}
	for name, damage := range tests {
		t.Run(name, func(t *testing.T) {
			must(t, os.WriteFile(path, damage(bytes.Clone(good)), 0o600))
			backup, err := database.OpenBackup(ctx, path)
			if err == nil {
				closeLater(t, backup)
				err = backup.Integrity(ctx)
			}
			if !errors.Is(err, database.ErrCorrupt) || strings.Contains(err.Error(), "(11)") {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestVersions(t *testing.T) {
	folder := scratch(t)
	tests := []struct {
		name       string
		statements []string
		versions   int
		kind       error
	}{
		{"no table", []string{"CREATE TABLE a (b)"}, 0, database.ErrNoSchema},
		{"another table of the name", []string{"CREATE TABLE schema_migrations (name)"}, 0, database.ErrNoSchema},
		{"text", []string{"CREATE TABLE schema_migrations (version)", "INSERT INTO schema_migrations VALUES ('one')"}, 0, database.ErrNoSchema},
		{"no rows", []string{"CREATE TABLE schema_migrations (version)"}, 0, nil},
		{"two", []string{"CREATE TABLE schema_migrations (version)", "INSERT INTO schema_migrations VALUES (2), (1)"}, 2, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(folder, test.name+".db")
			foreign(t, path, test.statements...)
			backup, err := database.OpenBackup(ctx, path)
			must(t, err)
			closeLater(t, backup)
			versions, err := backup.Versions(ctx)
			if !errors.Is(err, test.kind) || len(versions) != test.versions || len(versions) == 2 && versions[0] != 1 {
				t.Errorf("versions %v, error %v", versions, err)
			}
		})
	}
}

// A disk that fails at any operation of a copy gives an error, and the destination is as it was or complete.
func TestCopyOnAFailingDisk(t *testing.T) {
	for _, failure := range []error{operation.ErrNoSpace, operation.ErrSyncFailed, operation.TornWrite{Bytes: 2000}} {
		for n := 1; ; n++ {
			count, armed := 0, false
			root, _ := recorded(t, operation.Options{Intercept: func(operation.Entry) error {
				if armed {
					if count++; count == n {
						return failure
					}
				}
				return nil
			}})
			db := open(t, root, 1)
			image := openImage(t, db)
			must(t, db.CopyInto(ctx, image))
			must(t, image.Immediate(ctx, pause))
			armed = true
			err := image.CopyInto(ctx, db)
			armed = false
			_, paused := control(t, db)
			if paused != (err == nil) {
				t.Errorf("%v at operation %d: error %v, and the copy arrived: %v", failure, n, err, paused)
			}
			must(t, db.Integrity(ctx))
			must(t, image.CopyInto(ctx, db))
			if count < n {
				if err != nil || n < 10 {
					t.Errorf("a copy with %d operations ends with %v", n-1, err)
				}
				break
			}
			if !errors.Is(err, database.ErrNoSpace) && !errors.Is(err, database.ErrDisk) {
				t.Errorf("%v at operation %d: error %v", failure, n, err)
			}
		}
	}
}

// The live file renamed away under an open handle: operations on it are logged under the name it has.
func TestDatabaseRenamedWhileOpen(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED LOUDLY: Windows renames no open file")
	}
	root, log := recorded(t, operation.Options{})
	db := open(t, root, 1)
	must(t, db.Immediate(ctx, pause))
	must(t, files.Rename(db.Path(), filepath.Join(root, "moved.db")))
	before := len(*log)
	_, err := db.Exec(ctx, "PRAGMA wal_checkpoint")
	must(t, err)
	if got := durable((*log)[before:]); strings.Contains(got, "shop.db ") || !strings.Contains(got, "write moved.db") {
		t.Errorf("the checkpoint did\n%s", got)
	}
}
