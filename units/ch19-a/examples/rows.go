//go:build exercise

package main

import (
	"context"
	"errors"
	"fmt"

	"fieldbook/runtime/database"
	"fieldbook/runtime/world"
)

func main() {
	ctx := context.Background()
	w, err := world.New(world.Options{Root: "."})
	check(err)
	db, err := w.Open(ctx)
	check(err)
	_, err = db.Exec(ctx, `INSERT INTO inventory VALUES (?, ?, ?, ?, ?)`,
		"VANILLA", 2, 8, 250, 500)
	check(err)
	_, err = db.Exec(ctx, `CREATE TEMP TABLE draft AS SELECT 1 AS n`)
	check(err)
	check(db.Close())

	db, err = w.Open(ctx)
	check(err)
	find := `SELECT on_hand FROM inventory WHERE sku = ?`
	var onHand int
	check(db.QueryRow(ctx, find, "VANILLA").Scan(&onHand))
	fmt.Println("vanilla on hand:", onHand)
	err = db.QueryRow(ctx, find, "MINT").Scan(&onHand)
	fmt.Println("mint has no row:", errors.Is(err, database.ErrNoRows))
	fmt.Println("on hand is now:", onHand)
	_, err = db.Query(ctx, `SELECT n FROM draft`)
	fmt.Println("the temporary table is gone:", err != nil)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
