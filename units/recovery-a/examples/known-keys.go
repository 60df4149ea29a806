//go:build exercise

package main

import (
	"fmt"

	"fieldbook/runtime/fieldnotes"
)

func main() {
	effects := map[string]fieldnotes.Effect{
		"run-os-742:write-report:v1": {},
	}
	key := "run-os-742:write-report:v1"

	fmt.Println("equal to nothing:", effects[key] == fieldnotes.Effect{})
	_, known := effects[key]
	fmt.Println("known:", known)

	_, known = effects["run-os-742:write-report:v2"]
	fmt.Println("another known:", known)
	fmt.Println("keys after looking:", len(effects))

	effects[key] = fieldnotes.Effect{Status: fieldnotes.Written}
	fmt.Println("keys after writing again:", len(effects))
}
