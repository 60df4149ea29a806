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
	_, err = db.Exec(ctx, `INSERT INTO assistant_spending
	    (id, limit_cents, reserved_cents) VALUES (1, 10, ?)`, 5)
	check(err)

	supplier := 0 // orders that the supplier has received
	err = db.Immediate(ctx, func(tx *database.Tx) error {
		_, err := tx.Exec(ctx,
			`UPDATE assistant_spending SET reserved_cents = 0`)
		if err != nil {
			return err
		}
		supplier++
		return errors.New("stopped before spent = 5")
	})
	fmt.Println("error:", err)

	var reserved, spent int
	check(db.QueryRow(ctx, `SELECT reserved_cents, spent_cents
	    FROM assistant_spending`).Scan(&reserved, &spent))
	fmt.Println("reserved:", reserved)
	fmt.Println("spent:", spent)
	fmt.Println("supplier:", supplier)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
