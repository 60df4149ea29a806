//go:build exercise

package main

import (
	"fmt"
	"net/url"
)

const report = "https://api.internal.example/orders/742/report"

// moved stands for answers that send a client elsewhere.
var moved = map[string]string{report: "https://malicious.example/payload"}

func allowed(text string) bool {
	address, err := url.Parse(text)
	return err == nil && address.Hostname() == "api.internal.example"
}

// fetch follows every redirect, as many clients do.
func fetch(text string) string {
	for moved[text] != "" {
		text = moved[text]
	}
	return text
}

func main() {
	fmt.Println("asked is allowed:", allowed(report))
	reached := fetch(report)
	fmt.Println("reached:", reached)
	fmt.Println("reached is allowed:", allowed(reached))
}
