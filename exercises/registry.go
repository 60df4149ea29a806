package exercises

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"fieldbook/exercises/strict"
	"fieldbook/grader"
)

// manifestName is the file that makes a folder an exercise.
const manifestName = "exercise.yaml"

// folders holds every exercise's folder. A new exercise needs no change here: its files are called by what they are, and
// those of package holdout are called otherwise, so that none of them slips in.
//
//go:embed */exercise.yaml */starter*.go */probe*.go */fault*.go */impostor*.go
var folders embed.FS

// Folders are the embedded folders, one an exercise.
func Folders() fs.FS { return folders }

// All returns the embedded exercises in the order of their names. Each is the caller's own, but for what its slices, maps and
// pointers lead to, which nobody changes. A folder that does not decode is a mistake of the build, which the package's tests
// refuse: All panics.
func All() []*Exercise {
	var all []*Exercise
	for _, name := range names() {
		e, err := embedded(name)
		if err != nil {
			panic(fmt.Sprintf("exercises: the embedded folder %s is not valid:\n%v", name, err))
		}
		all = append(all, e)
	}
	return all
}

// Named returns the embedded exercise of that name, as All does, or an error that lists the names there are.
func Named(name string) (*Exercise, error) {
	known := names()
	if !slices.Contains(known, name) {
		return nil, &grader.Error{
			Code:    "unknown_exercise",
			Message: fmt.Sprintf("there is no exercise %q", name),
			Hint:    fmt.Sprintf("The exercises are: %s.", strings.Join(known, ", ")),
			Exit:    grader.ExitUsage,
		}
	}
	return embedded(name)
}

// names lists the embedded folders that are exercises, sorted.
func names() []string {
	var names []string
	entries, _ := fs.ReadDir(folders, ".") // the root of an embed.FS is always there
	for _, entry := range entries {
		if _, err := fs.Stat(folders, entry.Name()+"/"+manifestName); err == nil {
			names = append(names, entry.Name())
		}
	}
	return names
}

func embedded(name string) (*Exercise, error) {
	e, err := decoded()[name]()
	if err != nil {
		return nil, err
	}
	own := *e
	return &own, nil
}

// decoded decodes each embedded folder when it is first asked for, once: screens ask at every key press, and decoding one
// takes milliseconds.
var decoded = sync.OnceValue(func() map[string]func() (*Exercise, error) {
	by := map[string]func() (*Exercise, error){}
	for _, name := range names() {
		by[name] = sync.OnceValues(func() (*Exercise, error) {
			folder, err := fs.Sub(folders, name)
			if err != nil {
				return nil, err
			}
			return Read(folder, name)
		})
	}
	return by
})

// Read decodes and checks one exercise's folder; name is the folder's name and begins every position in the errors. It
// reads files and runs nothing. The error is a *strict.Error.
func Read(folder fs.FS, name string) (*Exercise, error) {
	file := name + "/" + manifestName
	text, err := fs.ReadFile(folder, manifestName)
	if err != nil {
		return nil, strict.Join([]grader.Diagnostic{strict.Complaint(file, 0, "the file cannot be read: %v", err)})
	}
	e := &Exercise{files: folder}
	doc, err := strict.Decode(file, text, e)
	if err != nil {
		return nil, err
	}
	c := &check{e: e, folder: name, doc: doc, file: file}
	if err := c.all(); err != nil {
		return nil, err
	}
	return e, nil
}
