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
	worker, err := w.Open(ctx) // stays open all the time
	check(err)
	image, err := database.OpenImage(ctx, worker)
	check(err)
	check(worker.CopyInto(ctx, image))
	_, err = image.Exec(ctx, `UPDATE assistant_control SET paused = 1`)
	check(err)

	path := w.Path("paused.sqlite")
	check(files.Replace(path, nil))
	check(image.BackupTo(ctx, path))
	check(files.Rename(path, worker.Path()))
	fmt.Println("paused after the rename:", paused(ctx, worker))
	check(image.CopyInto(ctx, worker))
	fmt.Println("paused after CopyInto:", paused(ctx, worker))
}

func paused(ctx context.Context, db *database.Database) (value int) {
	check(db.QueryRow(ctx, `SELECT paused
	    FROM assistant_control`).Scan(&value))
	return value
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
