//go:build exercise

package main

import "fmt"

func main() {
	fmt.Println("stored: 1")
	fmt.Println("read again: 1")
}
