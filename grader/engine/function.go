package engine

import (
	"path"
	"reflect"

	"fieldbook/grader/engine/offered"
)

// Function initialises the program's packages and returns its entry, whatever its type; see Probe.
func (i *Interpreter) Function() (reflect.Value, error) {
	if !i.entry.IsValid() {
		return reflect.Value{}, errNotLoaded
	}
	i.start()
	return i.entry, nil
}

// ImportPath is the import path of the package that a file of the copy belongs to: "fieldbook/runtime/assistant" for
// "runtime/assistant/restore.go".
func ImportPath(file string) string {
	if dir := path.Dir(file); dir != "." {
		return offered.Module + "/" + dir
	}
	return mainPackage
}
