//go:build exercise

package main

import (
	"context"
	"fmt"

	"fieldbook/runtime/clock"
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
	check(db.Close()) // moves everything out of shop.sqlite-wal
	db, err = w.Open(ctx)
	check(err)
	_, err = db.Exec(ctx, `INSERT INTO events (at, kind)
	    VALUES (0, 'sale')`)
	check(err)

	copied, kept := w.Path("copied.sqlite"), w.Path("kept.sqlite")
	bytes, err := files.Read(db.Path()) // the file without its -wal
	check(err)
	check(files.Replace(copied, bytes))
	check(files.Replace(kept, nil))
	check(db.BackupTo(ctx, kept))
	for _, path := range []string{copied, kept} {
		other, err := database.Open(ctx, path, database.Options{
			Clock: w.Clock(), IDs: clock.NewSeeded(1, 1, 9)})
		check(err)
		var n int
		check(other.QueryRow(ctx, `SELECT count(*) FROM events`).Scan(&n))
		fmt.Printf("%s: %d\n", path[len(w.Path())+1:], n)
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
