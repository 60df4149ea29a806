//go:build exercise

package main

import (
	"context"
	"fmt"

	"fieldbook/runtime/database"
	"fieldbook/runtime/files"
	"fieldbook/runtime/world"
)

func main() {
	ctx := context.Background()
	w, err := world.New(world.Options{Root: "."})
	check(err)
	db, err := w.Open(ctx)
	check(err)
	path := w.Path("monday.sqlite")
	file, err := files.CreateExclusive(path, 0o600)
	check(err)
	check(file.Close())
	check(db.BackupTo(ctx, path)) // Monday, 08:00

	// Monday at noon: the supplier gets an order, the shop notes it.
	supplier := []string{"vanilla-8"}
	_, err = db.Exec(ctx, `INSERT INTO events (at, kind, subject)
	    VALUES (0, 'ordered', 'vanilla-8')`)
	check(err)

	// Tuesday: Monday's rows come back.
	backup, err := database.OpenBackup(ctx, path)
	check(err)
	check(backup.CopyInto(ctx, db))
	var rows int
	check(db.QueryRow(ctx, `SELECT count(*) FROM events`).Scan(&rows))
	fmt.Println("rows in the shop:", rows)
	fmt.Println("orders at the supplier:", len(supplier))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
