//go:build exercise

package main

import (
	"errors"
	"fmt"

	"fieldbook/runtime/files"
	"fieldbook/runtime/world"
)

func main() {
	w, err := world.New(world.Options{Root: "."})
	check(err)
	path := w.Path("shop.note")
	text := []byte("paused 1")
	check(files.Replace(path, text))
	before, err := files.Identity(path)
	check(err)

	copy(text, "paused 0")
	read, err := files.Read(path)
	check(err)
	fmt.Printf("variable: %s\n", text)
	fmt.Printf("reopened: %s\n", read)

	check(files.Replace(path, text))
	after, err := files.Identity(path)
	check(err)
	fmt.Println("same file after Replace:", before == after)
	_, err = files.CreateExclusive(path, 0o600)
	fmt.Println("refused, it exists:", errors.Is(err, files.ErrExist))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
