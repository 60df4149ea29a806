//go:build exercise

package main

import (
	"context"
	"fmt"

	"fieldbook/runtime/database"
	"fieldbook/runtime/world"
)

// stopJobs switches every job off, in an image that it copies back.
func stopJobs(ctx context.Context, db *database.Database) error {
	image, err := database.OpenImage(ctx, db)
	if err != nil {
		return fmt.Errorf("open the image: %w", err)
	}
	defer image.Close()
	if err := db.CopyInto(ctx, image); err != nil {
		return fmt.Errorf("copy into the image: %w", err)
	}
	if _, err := image.Exec(ctx,
		`UPDATE assistant_jobs SET enabled = 0`); err != nil {
		return fmt.Errorf("change the image: %w", err)
	}
	return image.CopyInto(ctx, db)
}

func main() {
	ctx := context.Background()
	w, err := world.New(world.Options{Root: "."})
	check(err)
	db, err := w.Open(ctx)
	check(err)
	_, err = db.Exec(ctx, `INSERT INTO assistant_jobs
	    VALUES ('1', 'count the stock', 60, 0, 0, 1)`)
	check(err)
	fmt.Println("error:", stopJobs(ctx, db))
	var on int
	check(db.QueryRow(ctx, `SELECT enabled FROM assistant_jobs`).Scan(&on))
	fmt.Println("enabled:", on)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
