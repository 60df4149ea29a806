//go:build exercise

package main

import (
	"context"
	"fmt"

	"fieldbook/runtime/database"
	"fieldbook/runtime/world"
)

const pause = `UPDATE assistant_control SET paused = 1`

func main() {
	ctx := context.Background()
	w, err := world.New(world.Options{Root: "."})
	check(err)
	shop, err := w.Open(ctx)
	check(err)
	image, err := database.OpenImage(ctx, shop)
	check(err)
	check(shop.CopyInto(ctx, image)) // Monday's rows, paused = 0

	_, err = shop.Exec(ctx, pause)
	check(err)
	fmt.Println("shop, after its own pause:", read(ctx, shop))
	check(image.CopyInto(ctx, shop))
	fmt.Println("shop, after the copy:", read(ctx, shop))

	_, err = image.Exec(ctx, pause)
	check(err)
	check(image.CopyInto(ctx, shop))
	fmt.Println("shop, after the paused image:", read(ctx, shop))
}

func read(ctx context.Context, db *database.Database) (paused int) {
	check(db.QueryRow(ctx, `SELECT paused
	    FROM assistant_control`).Scan(&paused))
	return paused
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
