//go:build exercise

package main

import (
	"fmt"
	"maps"
	"slices"
)

type stock struct {
	day    string
	onHand map[string]int
	sold   []int
}

func main() {
	monday := stock{"Monday", map[string]int{"VANILLA": 2}, []int{1, 1}}

	tuesday := monday // a shallow copy
	tuesday.day = "Tuesday"
	tuesday.onHand["VANILLA"] = 9
	tuesday.sold[0] = 7
	fmt.Println("day:", monday.day)
	fmt.Println("vanilla:", monday.onHand["VANILLA"])
	fmt.Println("sold:", monday.sold[0])

	deep := monday
	deep.onHand = maps.Clone(monday.onHand)
	deep.sold = slices.Clone(monday.sold)
	deep.onHand["VANILLA"] = 0
	fmt.Println("vanilla after the deep copy:", monday.onHand["VANILLA"])
}
