//go:build exercise

package main

import (
	"encoding/json"
	"fmt"
)

type sale struct {
	Cents int    `json:"cents"`
	Note  string `json:"note"` // optional
}

func main() {
	for _, text := range []string{`{}`, `{"cents": null}`, `{"cents": 0}`} {
		var keys map[string]any
		if err := json.Unmarshal([]byte(text), &keys); err != nil {
			panic(err)
		}
		value, present := keys["cents"]
		fmt.Printf("%s present: %v\n", text, present)
		fmt.Printf("%s value: %v\n", text, value)
	}

	var s sale
	err := json.Unmarshal([]byte(`{"cents": 500}`), &s)
	fmt.Println("contract: cents above 0")
	fmt.Println("accepted:", err == nil && s.Cents > 0)
	fmt.Printf("note: %q\n", s.Note)
	s.Cents = -500
	fmt.Println("current cents:", s.Cents)
}
