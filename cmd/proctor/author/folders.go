package author

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"fieldbook/exercises"
	"fieldbook/exercises/holdout"
	"fieldbook/grader"
)

// Folders are the authors' files: one folder an exercise in each.
type Folders struct {
	Exercises fs.FS
	Holdouts  fs.FS
	Module    fs.FS // around them, with the runtime's sources as the author has them; nil: those in this program
	// Place says where they come from, for the reader.
	Place string
}

// Embedded are the folders in this program.
func Embedded() Folders {
	return Folders{Exercises: exercises.Folders(), Holdouts: holdout.Folders(), Place: "the exercises in this program"}
}

// OnDisk are the folders in a folder exercises, as an author has them.
func OnDisk(folder string) (Folders, error) {
	info, err := os.Stat(folder)
	if err != nil || !info.IsDir() {
		return Folders{}, &grader.Error{
			Code: "exercises_missing", Exit: grader.ExitUsage, Message: "there is no folder " + folder, Cause: err,
			Hint: "Name the folder exercises of the module with --exercises.",
		}
	}
	return Folders{
		Exercises: os.DirFS(folder), Holdouts: os.DirFS(filepath.Join(folder, holdoutName)),
		Module: os.DirFS(filepath.Dir(filepath.Clean(folder))), Place: folder,
	}, nil
}

// Find looks for the folder exercises of the module that the folder from lies in; without one the embedded folders are it.
func Find(from string) (Folders, error) {
	module, ok := Module(from)
	if !ok {
		return Embedded(), nil
	}
	return OnDisk(filepath.Join(module, "exercises"))
}

// Module is the nearest folder, from and above, that holds this module's sources.
func Module(from string) (string, bool) {
	for folder := from; ; folder = filepath.Dir(folder) {
		if isFile(filepath.Join(folder, "go.mod")) && isFile(filepath.Join(folder, "exercises", holdoutName, "holdout.go")) {
			return folder, true
		}
		if folder == filepath.Dir(folder) {
			return "", false
		}
	}
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

const (
	holdoutName  = "holdout" // beside the exercises' own folders
	manifestName = "exercise.yaml"
	casesName    = "cases.yaml"
)

// Names are the names of all exercises, sorted: of every folder that has what makes it one, or holdouts.
func (f Folders) Names() []string {
	var names []string
	for _, from := range []struct {
		files fs.FS
		name  string
	}{{f.Exercises, manifestName}, {f.Holdouts, casesName}} {
		entries, _ := fs.ReadDir(from.files, ".") // a folder that cannot be read holds nothing
		for _, entry := range entries {
			if _, err := fs.Stat(from.files, entry.Name()+"/"+from.name); err == nil {
				names = append(names, entry.Name())
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Has reports whether there is a folder of that name.
func (f Folders) Has(name string) bool {
	for _, files := range []fs.FS{f.Exercises, f.Holdouts} {
		if info, err := fs.Stat(files, name); err == nil && info.IsDir() {
			return true
		}
	}
	return false
}

// file is one file of an exercise.
type file struct {
	name string // "greet/exercise.yaml", "holdout/greet/cases.yaml"
	text []byte
}

// files reads all files of an exercise and its holdouts. What cannot be read is left to those who ask for it by name.
func (f Folders) files(exercise string) []file {
	var all []file
	for _, from := range []struct {
		files  fs.FS
		prefix string
	}{{f.Exercises, ""}, {f.Holdouts, holdoutName + "/"}} {
		_ = fs.WalkDir(from.files, exercise, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return nil //nolint:nilerr // see above
			}
			if text, err := fs.ReadFile(from.files, name); err == nil {
				all = append(all, file{from.prefix + name, text})
			}
			return nil
		})
	}
	return all
}
