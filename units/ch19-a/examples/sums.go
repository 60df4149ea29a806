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
	db, err := w.Open(ctx)
	check(err)
	sell := func(cents int, reason, reference string) error {
		_, err := db.Exec(ctx, `INSERT INTO cash_ledger
		    (at, amount_cents, reason, reference) VALUES (0, ?, ?, ?)`,
			cents, reason, reference)
		return err
	}
	ask := func(query string) (n int) {
		check(db.QueryRow(ctx, query).Scan(&n))
		return n
	}
	check(sell(500, "cone", "sale-1"))
	check(sell(700, "cup", "sale-2"))
	fmt.Println("sale-1 again:", sell(500, "cone", "sale-1") == nil)
	check(sell(500, "cone", "sale-3"))

	fmt.Println("rows:", ask(`SELECT count(*) FROM cash_ledger`))
	fmt.Println("large cones:", ask(`SELECT count(*) FROM cash_ledger
	    WHERE reason = 'cone' AND amount_cents > 500`))
	fmt.Println("mint:", ask(`SELECT coalesce(sum(amount_cents), 0)
	    FROM cash_ledger WHERE reason = 'mint'`))
	fmt.Println("best:", ask(`SELECT sum(amount_cents) FROM cash_ledger
	    GROUP BY reason ORDER BY sum(amount_cents) DESC LIMIT 1`))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
