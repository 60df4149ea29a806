//go:build exercise

package main

import (
	"errors"
	"fmt"

	"fieldbook/runtime/fieldnotes"
)

// execute has its effect and then loses its process.
func execute() error { return fieldnotes.ErrInjectedCrash }

func run() error {
	if err := execute(); err != nil {
		return fmt.Errorf("execute: %w", err)
	}
	return nil
}

func main() {
	err := run()
	fmt.Println("same value:", err == fieldnotes.ErrInjectedCrash)
	fmt.Println("same error:", errors.Is(err, fieldnotes.ErrInjectedCrash))
	fmt.Println("says:", err)
}
