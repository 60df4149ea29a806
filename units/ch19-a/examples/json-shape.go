//go:build exercise

package main

import (
	"encoding/json"
	"fmt"
)

func main() {
	for _, text := range []string{
		`{"sku": "VANILLA", "on_hand": 2}`,
		`["VANILLA", 2]`,
	} {
		var value any
		err := json.Unmarshal([]byte(text), &value)
		name := text[:1] // the first character names the document
		fmt.Printf("%s error: %v\n", name, err)

		object, is := value.(map[string]any)
		fmt.Printf("%s is an object: %v\n", name, is)
		fmt.Printf("%s on_hand: %v\n", name, object["on_hand"])
		fmt.Printf("%s kind of on_hand: %T\n", name, object["on_hand"])
	}
}
