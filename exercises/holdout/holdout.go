// Package holdout is what an instructor holds and a student never gets: for each exercise a solution, correct variants of
// it, wrong ones with one named mistake each, and cases whose identities, counts and boundaries are drawn from a seed, so that
// no answer can be memorised. Only the instructor's command imports it. Every file of an answer carries a canary, a text
// that must not be found in the student's program.
//
// It runs in the parent, reads and checks embedded files, and runs nothing. It imports exercises, grader and the runtime's
// values.
package holdout

import (
	"crypto/sha256"
	"embed"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"fieldbook/exercises"
	"fieldbook/grader"
)

// Canary begins the second comment of every solution, variant, wrong solution and holdout probe.
const Canary = "FIELDBOOK-HOLDOUT-CANARY"

// casesName is the file that makes a folder a holdout set. The folder has the name of its exercise.
const casesName = "cases.yaml"

//go:embed */cases.yaml */equivalent.yaml */solution */variants */wrong */cases
var folders embed.FS

// Folders are the embedded folders, one a set.
func Folders() fs.FS { return folders }

// Set is everything that is held for one exercise.
type Set struct {
	Exercise *exercises.Exercise
	Solution Candidate
	Variants []Candidate // correct, in other styles; sorted by name
	Wrong    []Candidate // each with one mistake; sorted by name
	Cases    []Case      // in the order of cases.yaml
	Visible  []string    // names of the wrong solutions that the visible probe sees: a student learns of these before grading
	// Equivalent are the mutants of the reference that no case can tell from it.
	Equivalent []Equivalent

	files fs.FS
}

// Candidate is one answer to an exercise: a file that takes the place of the one that the exercise replaces.
type Candidate struct {
	Name    string // "marker-not-synced"
	Mistake string // what is wrong with it, one sentence; empty for a correct one
	File    string // the runtime's file that it replaces, "runtime/assistant/restore.go"
	Text    []byte
	// Foreign says that it imports what does not exist. It lies on the disk as NAME.go.txt, so that no tool looks for it.
	Foreign bool
}

// All returns the embedded sets in the order of their names. They are decoded at each call. A folder that does not decode
// is a mistake of the build, which the package's tests refuse: All panics.
func All() []*Set {
	var all []*Set
	for _, name := range names() {
		s, err := Named(name)
		if err != nil {
			panic(fmt.Sprintf("holdout: the embedded folder %s is not valid:\n%v", name, err))
		}
		all = append(all, s)
	}
	return all
}

// Named returns the embedded set of that exercise, or an error that lists the sets there are.
func Named(name string) (*Set, error) {
	known := names()
	if !slices.Contains(known, name) {
		return nil, &grader.Error{
			Code:    "unknown_exercise",
			Message: fmt.Sprintf("there are no holdouts for an exercise %q", name),
			Hint:    fmt.Sprintf("Holdouts exist for: %s.", strings.Join(known, ", ")),
			Exit:    grader.ExitUsage,
		}
	}
	exercise, err := exercises.Named(name)
	if err != nil {
		return nil, err
	}
	folder, err := fs.Sub(folders, name)
	if err != nil {
		return nil, err
	}
	return Read(folder, exercise)
}

func names() []string {
	var names []string
	entries, _ := fs.ReadDir(folders, ".") // the root of an embed.FS is always there
	for _, entry := range entries {
		if _, err := fs.Stat(folders, entry.Name()+"/"+casesName); err == nil {
			names = append(names, entry.Name())
		}
	}
	return names
}

// Digest is the identity of the set: SHA-256 in lower-case hexadecimal over its files in the order of their paths, for
// each the path, a zero byte, the size as 8 bytes big-endian, and the contents.
func (s *Set) Digest() (string, error) {
	hash := sha256.New()
	err := fs.WalkDir(s.files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(s.files, path)
		if err != nil {
			return err
		}
		hash.Write(append([]byte(path), 0))
		hash.Write(binary.BigEndian.AppendUint64(nil, uint64(len(data))))
		hash.Write(data)
		return nil
	})
	if err != nil {
		return "", fmt.Errorf("read the holdouts of %s: %w", s.Exercise.Name, err)
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}
