//go:build exercise

package main

import "fmt"

// runs counts how many of four runs end as accepted. The effect is there
// after the first one. Recovery is paid for, or it is not.
func runs(budget int, paid bool) (accepted int) {
	effect := false
	for range 4 {
		if effect && !paid {
			accepted++ // found before the budget is looked at
			continue
		}
		if budget <= 0 {
			continue // budget_exhausted
		}
		budget--
		effect = true
		accepted++
	}
	return accepted
}

func main() {
	fmt.Println("recovery is paid for:", runs(3, true))
	fmt.Println("recovery is free:", runs(3, false))
	fmt.Println("budget 1, free:", runs(1, false))
	fmt.Println("budget 0, free:", runs(0, false))
}
