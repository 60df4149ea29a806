//go:build exercise

package main

import (
	"errors"
	"fmt"

	"fieldbook/runtime/shop"
)

var images int // how many are open

func restore(source string) error {
	images++
	defer func() { images-- }()
	switch source {
	case "":
		return fmt.Errorf("restore: %w", shop.ErrSeparateBackup)
	case "torn":
		return errors.New("the disk failed")
	}
	return nil
}

// forgiving turns every error into success.
func forgiving(source string) error {
	_ = restore(source)
	return nil
}

func main() {
	for _, source := range []string{"", "torn", "monday"} {
		err := restore(source)
		refused := errors.Is(err, shop.ErrSeparateBackup)
		fmt.Printf("%q refused: %v\n", source, refused)
		fmt.Printf("%q restored: %v\n", source, err == nil)
	}
	fmt.Println("forgiving says:", forgiving("torn"))
	fmt.Println("images left open:", images)
}
