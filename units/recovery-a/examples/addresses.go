//go:build exercise

package main

import (
	"fmt"
	"net/url"
	"strings"
)

const allowed = "https://api.internal.example"

func look(name, text string) {
	fmt.Println(name, "begins right:", strings.HasPrefix(text, allowed))
	address, err := url.Parse(text)
	if err != nil {
		fmt.Println(name, "host: does not parse")
		return
	}
	fmt.Println(name, "host:", address.Hostname())
}

func main() {
	look("longer", "https://api.internal.example.evil/orders/742")
	look("user", "https://api.internal.example@malicious.example/")
	look("capitals", "https://API.internal.example/orders/742")
	look("broken", "https://api.internal.example:port/")
}
