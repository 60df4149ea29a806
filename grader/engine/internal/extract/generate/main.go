// Command generate writes export data and interpreter symbols of the offered packages. It is run by go generate in
// grader/engine, whose folder is the current one.
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
	files, err := extract.Symbols(offered.Packages())
	if err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join("symbols", "*.go"))
	if err != nil {
		return err
	}
	for _, path := range old {
		if extract.Generated(path) && files[filepath.Base(path)] == nil {
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
