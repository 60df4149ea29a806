//go:build exercise

package main

import "fmt"

func main() {
	left := 10
	pay := func(cents int) { left -= cents }

	defer fmt.Println("written at defer:", left)
	defer func() { fmt.Println("read at return:", left) }()

	pay(7)
	pay(7)
	fmt.Println("left:", left)

	var orders []func() string
	for _, sku := range []string{"VANILLA", "CHOCOLATE"} {
		orders = append(orders, func() string { return sku })
	}
	fmt.Println("first order:", orders[0]())
}
