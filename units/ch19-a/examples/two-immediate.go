//go:build exercise

package main

import (
	"context"
	"fmt"

	"fieldbook/runtime/database"
	"fieldbook/runtime/world"
)

// approve reads, decides and writes in one transaction.
func approve(ctx context.Context, db *database.Database) (yes bool) {
	check(db.Immediate(ctx, func(tx *database.Tx) error {
		var cents int
		err := tx.QueryRow(ctx, `SELECT cents FROM purse`).Scan(&cents)
		if err != nil || cents < 7 {
			return err
		}
		yes = true
		_, err = tx.Exec(ctx, `UPDATE purse SET cents = cents - 7`)
		return err
	}))
	return yes
}

func main() {
	ctx := context.Background()
	w, err := world.New(world.Options{Root: "."})
	check(err)
	first, err := w.Open(ctx)
	check(err)
	_, err = first.Exec(ctx, `CREATE TABLE purse AS SELECT 10 AS cents`)
	check(err)
	second, err := w.Open(ctx)
	check(err)
	fmt.Println("first approves 7:", approve(ctx, first))
	fmt.Println("second approves 7:", approve(ctx, second))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
