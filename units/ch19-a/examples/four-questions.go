//go:build exercise

package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"

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
	path := w.Path("monday.sqlite") // Monday, 08:00
	check(files.Replace(path, nil))
	check(db.BackupTo(ctx, path))
	before, err := files.Read(path)
	check(err)
	_, err = db.Exec(ctx, `INSERT INTO events (at, kind)
	    VALUES (0, 'sale')`)
	check(err) // Monday, noon

	after, err := files.Read(path)
	check(err)
	first, second := sha256.Sum256(before), sha256.Sum256(after)
	fmt.Println("same bytes:", first == second)
	backup, err := database.OpenBackup(ctx, path)
	check(err)
	fmt.Println("sound:", backup.Integrity(ctx) == nil)
	theirs, err := backup.Versions(ctx)
	check(err)
	ours, err := db.Versions(ctx)
	check(err)
	fmt.Println("same schema:", slices.Equal(theirs, ours))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
