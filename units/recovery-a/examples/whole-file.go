//go:build exercise

package main

import (
	"encoding/json"
	"fmt"

	"fieldbook/runtime/files"
	"fieldbook/runtime/world"
)

const text = `{"phase": "stopped", "budget_left": 2}`

func main() {
	w, err := world.New(world.Options{Root: "."})
	check(err)

	// The power fails in the middle of a write.
	half := w.Path("half.json")
	file, err := files.Append(half)
	check(err)
	_, err = file.Write([]byte(text[:20]))
	check(err)
	check(file.Close())
	fmt.Println("half is JSON:", valid(half))

	// A new file is complete before it gets the name.
	whole := w.Path("whole.json")
	check(files.Replace(whole, []byte(`{"phase": "new"}`)))
	check(files.Replace(whole, []byte(text)))
	fmt.Println("whole is JSON:", valid(whole))
}

func valid(path string) bool {
	data, err := files.Read(path)
	check(err)
	return json.Valid(data)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
