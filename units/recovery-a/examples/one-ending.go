//go:build exercise

package main

import "fmt"

type checkpoint struct {
	phase  string
	budget int
}

func main() {
	now := checkpoint{phase: "new", budget: 3}
	copied := now

	// stop reads now when it runs, not when it is written.
	stop := func(reason string) {
		now.phase = "stopped"
		fmt.Println("saved budget:", now.budget)
		fmt.Println("saved reason:", reason)
	}

	now.phase, now.budget = "prepared", now.budget-1
	fmt.Println("phase before stop:", now.phase)
	stop("accepted")
	fmt.Println("phase after stop:", now.phase)
	fmt.Println("phase of the copy:", copied.phase)
}
