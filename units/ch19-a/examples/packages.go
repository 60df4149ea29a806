//go:build exercise

package main

import (
	"fmt"
	"strings"

	"fieldbook/runtime/files"
)

func main() {
	// strings comes with Go. files comes with the course.
	fmt.Println("flavour:", strings.ToUpper("vanilla"))

	there, err := files.Regular("shop.sqlite")
	fmt.Println("there:", there)
	fmt.Println("error:", err)
}
