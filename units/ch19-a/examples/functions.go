//go:build exercise

package main

import "fmt"

// drive stands for the harness: it knows the type of your function
// and nothing of its body.
func drive(approve func(cents, left int) bool) {
	fmt.Println("7 of 10:", approve(7, 10))
	fmt.Println("11 of 10:", approve(11, 10))
}

func main() {
	drive(func(cents, left int) bool { return cents < left })
}
