//go:build exercise

package main

import (
	"context"
	"fmt"

	"fieldbook/runtime/world"
)

func main() {
	ctx := context.Background()
	w, err := world.New(world.Options{Root: "."})
	check(err)
	lucy, err := w.Open(ctx)
	check(err)
	worker, err := w.Open(ctx)
	check(err)
	_, err = lucy.Exec(ctx, `INSERT INTO assistant_spending
	    (id, limit_cents, reserved_cents) VALUES (1, 10, 5)`)
	check(err)

	var reserved, spent, both int
	check(lucy.QueryRow(ctx, `SELECT reserved_cents
	    FROM assistant_spending`).Scan(&reserved))
	_, err = worker.Exec(ctx, `UPDATE assistant_spending
	    SET reserved_cents = 0, spent_cents = 5`)
	check(err)
	check(lucy.QueryRow(ctx, `SELECT spent_cents
	    FROM assistant_spending`).Scan(&spent))
	fmt.Println("two reads:", reserved+spent)

	check(lucy.QueryRow(ctx, `SELECT reserved_cents + spent_cents
	    FROM assistant_spending`).Scan(&both))
	fmt.Println("one read:", both)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
