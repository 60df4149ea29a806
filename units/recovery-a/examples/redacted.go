//go:build exercise

package main

import (
	"fmt"

	"fieldbook/runtime/fieldnotes"
	"fieldbook/runtime/files"
	"fieldbook/runtime/world"
)

func main() {
	w, err := world.New(world.Options{Root: "."})
	check(err)
	notes, err := fieldnotes.Open(w.Path("notes"), fieldnotes.Options{})
	check(err)

	check(notes.Record("request", map[string]any{
		"token": "tk-1", "header": map[string]any{"Secret": "tk-2"},
		"text": "the token is tk-3",
	}))
	file, err := files.Append(notes.Path(fieldnotes.TraceFile))
	check(err)
	_, err = file.Write([]byte(`{"event": "out`)) // cut short
	check(err)
	check(file.Close())

	events, err := notes.Trace()
	check(err)
	fmt.Println("events:", len(events))
	fmt.Println("token:", events[0]["token"])
	header, _ := events[0]["header"].(map[string]any)
	fmt.Println("inner secret:", header["Secret"])
	fmt.Println("free text:", events[0]["text"])
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
