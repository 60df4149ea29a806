//go:build exercise

package main

import (
	"fmt"

	"fieldbook/runtime/files"
	"fieldbook/runtime/world"
)

func main() {
	w, err := world.New(world.Options{Root: "."})
	check(err)
	marker := w.Path("shop.authority")
	check(files.Replace(marker, []byte("7c1e")))

	unfinished := marker + ".b90f"
	file, err := files.CreateExclusive(unfinished, 0o600)
	check(err)
	fmt.Println("after create:", read(marker))
	_, err = file.Write([]byte("b90f"))
	check(err)
	check(file.Sync())
	check(file.Close())
	fmt.Println("after sync:", read(marker))
	check(files.Rename(unfinished, marker))
	fmt.Println("after rename:", read(marker))
	check(files.SyncFolder(files.Folder(marker)))
	left, err := files.Regular(unfinished)
	check(err)
	fmt.Println("unfinished file left:", left)
}

func read(path string) string {
	text, err := files.Read(path)
	check(err)
	return string(text)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
