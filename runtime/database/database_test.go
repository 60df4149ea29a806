package database_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"fieldbook/runtime/clock"
	"fieldbook/runtime/database"
	"fieldbook/runtime/operation"
)

var ctx = context.Background()

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// scratch returns a new folder in memory where the system has one, and on the disk elsewhere: what is tested is what is
// asked of a disk, and waiting for a real one to sync makes it no truer.
func scratch(t interface {
	Cleanup(func())
	Fatal(...any)
}) string {
	folder, err := os.MkdirTemp("/dev/shm", "database-*")
	if err != nil {
		folder, err = os.MkdirTemp("", "database-*")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
	})
	return folder
}

// options are those of one opening: each has ids of its own.
func options(opening int) database.Options {
	return database.Options{
		Clock: clock.NewManual(time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)),
		IDs:   clock.NewSeeded(19, 1, opening),
	}
}

// open opens shop.db in folder and closes it when the test ends.
func open(t testing.TB, folder string, opening int) *database.Database {
	t.Helper()
	db, err := database.Open(ctx, filepath.Join(folder, "shop.db"), options(opening))
	must(t, err)
	closeLater(t, db)
	return db
}

// closeLater closes a handle when the test ends.
func closeLater(t testing.TB, db *database.Database) {
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
}

func openImage(t testing.TB, live *database.Database) *database.Database {
	t.Helper()
	image, err := database.OpenImage(ctx, live)
	must(t, err)
	closeLater(t, image)
	return image
}

// backUp makes a finished backup at path.
func backUp(t testing.TB, db *database.Database, path string) {
	t.Helper()
	must(t, os.WriteFile(path, nil, 0o600))
	must(t, db.BackupTo(ctx, path))
}

// recorded starts a recorder on a new folder; the slice grows with the log.
func recorded(t testing.TB, o operation.Options) (string, *[]operation.Entry) {
	t.Helper()
	root := scratch(t)
	log := new([]operation.Entry)
	o.Sink = func(e operation.Entry) error { *log = append(*log, e); return nil }
	r, err := operation.Record(root, o)
	must(t, err)
	t.Cleanup(r.Stop)
	return root, log
}

// durable shows the durable operations of a log, one a line. Epochs read as EPOCH: they are what differs between runs.
func durable(entries []operation.Entry) string {
	epoch := regexp.MustCompile(`[0-9a-f]{32}`)
	var lines []string
	for _, e := range entries {
		if !e.Kind.Durable() {
			continue
		}
		line := string(e.Kind) + " " + e.Path
		switch e.Kind {
		case operation.Write:
			line += fmt.Sprintf(" %d", len(e.Data))
		case operation.Truncate:
			line += fmt.Sprintf(" to %d", e.Size)
		case operation.Rename:
			line += " " + e.To
		}
		if e.Err != "" {
			line += ": " + e.Err
		}
		lines = append(lines, epoch.ReplaceAllString(line, "EPOCH"))
	}
	return strings.Join(lines, "\n")
}

func control(t testing.TB, db *database.Database) (epoch string, paused bool) {
	t.Helper()
	must(t, db.QueryRow(ctx, "SELECT epoch, paused FROM assistant_control").Scan(&epoch, &paused))
	return epoch, paused
}

func marker(t testing.TB, db *database.Database) string {
	t.Helper()
	data, err := os.ReadFile(db.Marker())
	must(t, err)
	return string(data)
}

func names(t testing.TB, folder string) string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	must(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

const insertWork = `INSERT INTO assistant_work (id, origin, session, prompt, status, created, role)
	VALUES (?, ?, 's', 'order vanilla', 'READY', 1, 'operator')`

func TestOpen(t *testing.T) {
	folder := filepath.Join(scratch(t), "a", "b c?#%é")
	db := open(t, folder, 1)
	if db.Path() != filepath.Join(folder, "shop.db") || db.Marker() != filepath.Join(folder, "shop.authority") {
		t.Errorf("path %s, marker %s", db.Path(), db.Marker())
	}
	if db.Now() != time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC).Unix() {
		t.Errorf("now %d", db.Now())
	}
	epoch, paused := control(t, db)
	if paused || marker(t, db) != epoch || !regexp.MustCompile(`^[0-9a-f]{32}$`).MatchString(epoch) {
		t.Errorf("epoch %q, marker %q, paused %v", epoch, marker(t, db), paused)
	}
	if fresh := db.NewEpoch(); fresh == epoch || fresh == db.NewEpoch() {
		t.Error("an epoch came twice")
	}
	for pragma, want := range map[string]string{
		"journal_mode":       "wal",
		"synchronous":        "2", // FULL; with NORMAL a commit that returned can be lost
		"foreign_keys":       "1",
		"recursive_triggers": "1",
		"busy_timeout":       "2000",
		"trusted_schema":     "0",
		"temp_store":         "2",
	} {
		var value any
		must(t, db.QueryRow(ctx, "PRAGMA "+pragma).Scan(&value))
		if fmt.Sprint(value) != want {
			t.Errorf("%s = %v, want %s", pragma, value, want)
		}
	}
	versions, err := db.Versions(ctx)
	must(t, err)
	if fmt.Sprint(versions) != "[1 2 3]" {
		t.Errorf("versions %v", versions)
	}
	format, err := db.Format(ctx)
	must(t, err)
	if format != (database.Format{PageSize: 4096, Encoding: "UTF-8"}) {
		t.Errorf("format %v", format)
	}
	must(t, db.Integrity(ctx))

	again := open(t, folder, 2)
	if second, _ := control(t, again); second != epoch || marker(t, again) != epoch {
		t.Errorf("a second opening changed the epoch %s to %s, the marker to %s", epoch, second, marker(t, again))
	}
	if got := names(t, folder); got != "shop.authority shop.db shop.db-shm shop.db-wal" {
		t.Errorf("the folder holds %s", got)
	}
	must(t, errors.Join(db.Close(), again.Close(), db.Close()))
	if got := names(t, folder); got != "shop.authority shop.db" {
		t.Errorf("after closing the folder holds %s", got)
	}
}

func TestOpenRefuses(t *testing.T) {
	folder := scratch(t)
	file := filepath.Join(folder, "file")
	must(t, os.WriteFile(file, []byte(strings.Repeat("not a database. ", 300)), 0o600))
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	newer := filepath.Join(folder, "newer.db")
	db, err := database.Open(ctx, newer, options(1))
	must(t, err)
	_, err = db.Exec(ctx, "INSERT INTO schema_migrations (version, name, applied) VALUES (4, 'later', 1)")
	must(t, errors.Join(err, db.Close()))

	tests := []struct {
		name string
		ctx  context.Context
		path string
		o    database.Options
		kind error
		text string
	}{
		{"relative path", ctx, "shop.db", options(1), database.ErrArgument, "is not absolute"},
		{"the marker's name", ctx, filepath.Join(folder, "x.authority"), options(1), database.ErrArgument, "is the name of the authority marker"},
		{"no clock", ctx, filepath.Join(folder, "x.db"), database.Options{}, database.ErrArgument, "open databases through the world"},
		{"commits that never wait", ctx, filepath.Join(folder, "x.db"), relaxed("OFF"), database.ErrArgument, "synchronous is FULL or NORMAL"},
		{"not a database", ctx, file, options(1), database.ErrNotDatabase, "the file is not a SQLite database"},
		{"a folder", ctx, folder, options(1), database.ErrDisk, "a file could not be opened"},
		{"below a file", ctx, filepath.Join(file, "x.db"), options(1), database.ErrDisk, "it is a file"},
		{"canceled", canceled, filepath.Join(folder, "x.db"), options(1), context.Canceled, "context canceled"},
		{"newer schema", ctx, newer, options(1), database.ErrNoSchema, "it has schema versions [1 2 3 4], and this program knows 1 to 3"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := database.Open(test.ctx, test.path, test.o)
			if !errors.Is(err, test.kind) || !strings.Contains(err.Error(), test.text) {
				t.Errorf("error %v; want %v and %q", err, test.kind, test.text)
			}
			var typed *database.Error
			if !errors.As(err, &typed) || typed.Call != "database.Open" {
				t.Errorf("error %#v", err)
			}
		})
	}
}

// What the disk is asked to do at a first opening. The control row is durable before the marker has its name, and the
// prepared marker is durable before the control row: a crash in between leaves what the next opening finishes.
// relaxed are options with another answer to what a commit waits for.
func relaxed(synchronous string) database.Options {
	o := options(1)
	o.Synchronous = synchronous
	return o
}

func TestSynchronous(t *testing.T) {
	for synchronous, want := range map[string]string{"": "2", "FULL": "2", "NORMAL": "1"} {
		db, err := database.Open(ctx, filepath.Join(scratch(t), "shop.db"), relaxed(synchronous))
		must(t, err)
		var value any
		must(t, db.QueryRow(ctx, "PRAGMA synchronous").Scan(&value))
		if fmt.Sprint(value) != want {
			t.Errorf("%q: synchronous = %v, want %s", synchronous, value, want)
		}
		must(t, db.Close())
	}
}

func TestFirstOpeningOnDisk(t *testing.T) {
	root, log := recorded(t, operation.Options{})
	db := open(t, root, 1)
	var kinds []string
	for _, line := range strings.Split(durable(*log), "\n") {
		if len(kinds) == 0 || kinds[len(kinds)-1] != line {
			kinds = append(kinds, line)
		}
	}
	want := []string{"create shop.authority.EPOCH", "write shop.authority.EPOCH 32", "sync shop.authority.EPOCH", "sync_folder .",
		"write shop.db-wal 24", "write shop.db-wal 4096", "sync shop.db-wal", "rename shop.authority.EPOCH shop.authority", "sync_folder ."}
	if got := strings.Join(kinds[len(kinds)-len(want):], "\n"); got != strings.Join(want, "\n") {
		t.Errorf("the opening ends with\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
	if (*log)[0].Name != "database.Open" || (*log)[len(*log)-1].Kind != operation.Return {
		t.Errorf("the log begins with %+v and ends with %+v", (*log)[0], (*log)[len(*log)-1])
	}
	for _, e := range (*log)[1:] {
		if e.Call != 1 {
			t.Errorf("%+v is not put down to the opening", e)
		}
	}
	before := len(*log)
	open(t, root, 2)
	if got := durable((*log)[before:]); got != "" {
		t.Errorf("a second opening did\n%s", got)
	}
	_ = db
}

func TestOneCommitOnDisk(t *testing.T) {
	root, log := recorded(t, operation.Options{})
	db := open(t, root, 1)
	before := len(*log)
	changed, err := db.Exec(ctx, "UPDATE assistant_control  SET paused = ?\n\tWHERE id = 1 -- pause", true)
	must(t, err)
	if changed != 1 {
		t.Errorf("changed %d", changed)
	}
	entries := (*log)[before:]
	if got := durable(entries); got != "write shop.db-wal 24\nwrite shop.db-wal 4096\nsync shop.db-wal" {
		t.Errorf("a commit did\n%s", got)
	}
	call, last := entries[0], entries[len(entries)-1]
	if call.Name != "database.Exec" || call.Subject != "shop.db" || call.Detail != "UPDATE assistant_control SET paused = ? WHERE id = 1" ||
		call.File != "runtime/database/database_test.go" || call.Line == 0 {
		t.Errorf("call %+v", call)
	}
	if last.Kind != operation.Return || last.Call != call.Seq || last.Changed != 1 || last.Err != "" {
		t.Errorf("return %+v", last)
	}
	for _, e := range entries[1:] {
		if e.Call != call.Seq {
			t.Errorf("%+v is not put down to call %d", e, call.Seq)
		}
	}
}

// The commit of a transaction is put down to Immediate, and a statement in it is a call of its own.
func TestTransactionInTheLog(t *testing.T) {
	root, log := recorded(t, operation.Options{})
	db := open(t, root, 1)
	before := len(*log)
	must(t, db.Immediate(ctx, func(tx *database.Tx) error {
		_, err := tx.Exec(ctx, "UPDATE assistant_control SET paused = 1")
		return err
	}))
	var got []string
	first := (*log)[before].Seq
	for _, e := range (*log)[before:] {
		got = append(got, strings.TrimSpace(fmt.Sprintf("%s %s of %d", e.Kind, e.Name, max(0, e.Call-first+1))))
	}
	want := "call database.Immediate of 0, call database.Tx.Exec of 0, return  of 2, write  of 1, write  of 1, sync  of 1, return  of 1"
	if strings.Join(got, ", ") != want {
		t.Errorf("the log is\n%s\nwant\n%s", strings.Join(got, ", "), want)
	}
}

func TestClose(t *testing.T) {
	db := open(t, scratch(t), 1)
	must(t, db.Immediate(ctx, func(*database.Tx) error {
		if err := db.Close(); !errors.Is(err, database.ErrInTransaction) {
			t.Errorf("closing in a transaction: error %v", err)
		}
		return nil
	}))
	must(t, db.Close())
	must(t, db.Close())
	_, exec := db.Exec(ctx, "SELECT 1")
	_, query := db.Query(ctx, "SELECT 1")
	_, versions := db.Versions(ctx)
	_, image := database.OpenImage(ctx, db)
	for name, err := range map[string]error{
		"Exec": exec, "Query": query, "QueryRow": db.QueryRow(ctx, "SELECT 1").Scan(new(int)), "Versions": versions,
		"Integrity": db.Integrity(ctx), "Immediate": db.Immediate(ctx, func(*database.Tx) error { return nil }), "OpenImage": image,
	} {
		if !errors.Is(err, database.ErrClosed) {
			t.Errorf("%s on a closed handle: error %v", name, err)
		}
	}
}
