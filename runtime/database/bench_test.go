package database_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"fieldbook/runtime/database"
	"fieldbook/runtime/operation"
)

// BenchmarkOpen opens an existing shop and closes it.
func BenchmarkOpen(b *testing.B) {
	folder := scratch(b)
	must(b, open(b, folder, 1).Close())
	for n := 0; b.Loop(); n++ {
		db, err := database.Open(ctx, filepath.Join(folder, "shop.db"), options(n))
		must(b, err)
		must(b, db.Close())
	}
}

// BenchmarkFirstOpen creates a shop.
func BenchmarkFirstOpen(b *testing.B) {
	folder := scratch(b)
	for n := 0; b.Loop(); n++ {
		db, err := database.Open(ctx, filepath.Join(folder, "shop.db"), options(n))
		must(b, err)
		must(b, errors.Join(db.Close(), os.Remove(db.Path()), os.Remove(db.Marker())))
	}
}

// BenchmarkRestore does what a restore does: open a backup, check it, copy it into an image, change that, copy it back.
// It runs under a recorder, as it does in a worker.
func BenchmarkRestore(b *testing.B) {
	folder := scratch(b)
	recorder, err := operation.Record(folder, operation.Options{Sink: func(operation.Entry) error { return nil }})
	must(b, err)
	defer recorder.Stop()
	db := open(b, folder, 1)
	path := filepath.Join(folder, "backup.db")
	backUp(b, db, path)
	for b.Loop() {
		backup, err := database.OpenBackup(ctx, path)
		must(b, err)
		must(b, backup.Integrity(ctx))
		image, err := database.OpenImage(ctx, db)
		must(b, err)
		must(b, backup.CopyInto(ctx, image))
		must(b, image.Immediate(ctx, pause))
		must(b, db.Immediate(ctx, pause))
		must(b, image.CopyInto(ctx, db))
		must(b, errors.Join(image.Close(), backup.Close()))
	}
}

// BenchmarkExec is one commit of one row.
func BenchmarkExec(b *testing.B) {
	db := open(b, scratch(b), 1)
	for b.Loop() {
		_, err := db.Exec(ctx, "UPDATE assistant_control SET paused = 1 - paused")
		must(b, err)
	}
}
