//go:build exercise

package main

import (
	"context"
	"fmt"

	"fieldbook/runtime/database"
	"fieldbook/runtime/world"
)

func main() {
	ctx := context.Background()
	w, err := world.New(world.Options{Root: "."})
	check(err)
	first, err := w.Open(ctx)
	check(err)
	second, err := w.Open(ctx)
	check(err)
	_, err = first.Exec(ctx, `CREATE TABLE purse AS SELECT 10 AS cents`)
	check(err)

	// Both read, then both decide, then both write.
	a, b := read(ctx, first), read(ctx, second)
	fmt.Println("first approves 7:", a >= 7)
	fmt.Println("second approves 7:", b >= 7)
	_, err = first.Exec(ctx, `UPDATE purse SET cents = cents - 7`)
	check(err)
	_, err = second.Exec(ctx, `UPDATE purse SET cents = cents - 7`)
	check(err)
	fmt.Println("cents left:", read(ctx, first))
}

func read(ctx context.Context, db *database.Database) (cents int) {
	check(db.QueryRow(ctx, `SELECT cents FROM purse`).Scan(&cents))
	return cents
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
