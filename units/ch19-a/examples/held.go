//go:build exercise

package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fieldbook/runtime/database"
	"fieldbook/runtime/world"
)

func main() {
	ctx := context.Background()
	w, err := world.New(world.Options{Root: ".", Wait: time.Millisecond})
	check(err)
	lucy, err := w.Open(ctx)
	check(err)
	worker, err := w.Open(ctx)
	check(err)
	_, err = lucy.Exec(ctx, `INSERT INTO assistant_spending
	    (id, limit_cents, reserved_cents) VALUES (1, 10, 5)`)
	check(err)

	var reserved, spent int
	check(lucy.Immediate(ctx, func(tx *database.Tx) error {
		first := tx.QueryRow(ctx, `SELECT reserved_cents
		    FROM assistant_spending`).Scan(&reserved)
		_, err := worker.Exec(ctx, `UPDATE assistant_spending
		    SET reserved_cents = 0, spent_cents = 5`)
		fmt.Println("worker has to wait:", errors.Is(err, database.ErrBusy))
		second := tx.QueryRow(ctx, `SELECT spent_cents
		    FROM assistant_spending`).Scan(&spent)
		return errors.Join(first, second)
	}))
	fmt.Println("two reads, one transaction:", reserved+spent)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
