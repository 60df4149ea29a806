//go:build exercise

package main

import "fmt"

type budget struct{ reserved, spent int }

// pay changes the copy that it was called on.
func (b budget) pay() { b.reserved, b.spent = 0, b.reserved }

// settle changes the budget that it points to.
func (b *budget) settle() { b.reserved, b.spent = 0, b.reserved }

type status string

func main() {
	monday := budget{reserved: 5}
	monday.pay()
	fmt.Println("spent after pay:", monday.spent)
	monday.settle()
	fmt.Println("spent after settle:", monday.spent)
	fmt.Println("equal:", monday == budget{spent: 5})

	pending := map[status]bool{"READY": true, "RUNNING": true}
	found := status("MELTED")
	fmt.Println("status:", found)
	fmt.Println("pending:", pending[found])
}
