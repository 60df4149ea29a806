//go:build exercise

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

type sale struct {
	Name  string `json:"name"`
	Cents *int   `json:"cents"` // a pointer: nil when it is missing
}

func judge(text string) string {
	var s sale
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(&s)
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &kind):
		return kind.Field + ", wrong type"
	case err != nil:
		return err.Error()
	case s.Name == "":
		return "name, empty"
	case s.Cents == nil:
		return "cents, missing"
	case *s.Cents <= 0:
		return "cents, not above 0"
	}
	return "accepted"
}

func main() {
	fmt.Println("text:", judge(`{"name": "cone", "cents": "500"}`))
	fmt.Println("true:", judge(`{"name": "cone", "cents": true}`))
	fmt.Println("empty:", judge(`{"name": "", "cents": 500}`))
	fmt.Println("zero:", judge(`{"name": "cone", "cents": 0}`))
	fmt.Println("undeclared:", judge(`{"name": "cone", "price": 500}`))
	fmt.Println("missing:", judge(`{"name": "cone"}`))
}
