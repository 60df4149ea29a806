package database_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"fieldbook/runtime/clock"
	"fieldbook/runtime/database"
)

var ctx = context.Background()

func options(opening int) database.Options {
	return database.Options{
		Clock: clock.NewManual(time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)),
		IDs:   clock.NewSeeded(19, 1, opening),
	}
}

// open opens the database shop.db in folder and closes it when the test ends.
func open(t testing.TB, folder string, opening int) *database.Database {
	t.Helper()
	db, err := database.Open(ctx, filepath.Join(folder, "shop.db"), options(opening))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func TestOpen(t *testing.T) {
	db := open(t, t.TempDir(), 1)
	var epoch string
	var paused bool
	if err := db.QueryRow(ctx, "SELECT epoch, paused FROM assistant_control").Scan(&epoch, &paused); err != nil {
		t.Fatal(err)
	}
	t.Log(epoch, paused)
	image, err := database.OpenImage(ctx, db)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.CopyInto(ctx, image); err != nil {
		t.Fatal(err)
	}
	if _, err := image.Exec(ctx, "UPDATE assistant_control SET paused = 1"); err != nil {
		t.Fatal(err)
	}
	if err := image.CopyInto(ctx, db); err != nil {
		t.Fatal(err)
	}
	if err := image.Close(); err != nil {
		t.Fatal(err)
	}
	if err := db.QueryRow(ctx, "SELECT paused FROM assistant_control").Scan(&paused); err != nil || !paused {
		t.Fatal(paused, err)
	}
}
