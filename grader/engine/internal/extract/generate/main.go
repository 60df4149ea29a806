// Command generate writes export data and interpreter symbols of the offered packages. It is run by go generate in
// grader/engine, whose folder is the current one. Symbols of packages that did not change are kept.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"fieldbook/grader/engine/internal/extract"
	"fieldbook/grader/engine/offered"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run() error {
	archive, err := extract.Export(".", offered.Packages())
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join("export", "packages.zip"), archive, 0o644); err != nil {
		return err
	}
	files, err := extract.Symbols(offered.Packages(), archive, func(name string) []byte {
		old, _ := os.ReadFile(filepath.Join("symbols", name)) // a file that cannot be read is written anew
		return old
	})
	if err != nil {
		return err
	}
	present, err := filepath.Glob(filepath.Join("symbols", "*.go"))
	if err != nil {
		return err
	}
	for _, path := range present {
		if name := filepath.Base(path); files[name] == nil && name != "doc.go" && name != "symbols_test.go" {
			if err := os.Remove(path); err != nil {
				return err
			}
		}
	}
	for name, source := range files {
		if err := os.WriteFile(filepath.Join("symbols", name), source, 0o644); err != nil {
			return err
		}
	}
	return nil
}
