package pack

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"strings"
)

// Leak is something that a student would get and must not.
type Leak struct {
	File string `json:"file"`
	What string `json:"what"`
}

func (l Leak) String() string { return l.File + ": " + l.What }

// Scanner knows what students must not have.
type Scanner struct {
	canary []byte
	held   []held
}

// held is one held file: its lines that are long enough to be nobody else's by chance.
type held struct {
	name  string
	lines map[string]bool
}

const (
	longLine   = 40 // characters: shorter lines are written by everyone
	leastLines = 5  // a file with fewer long lines cannot be told by them
)

// NewScanner reads the held files, the folders of holdouts. The references are texts that ship on purpose: a wrong solution is
// often one of them with a line changed, and is told by the lines that it has besides.
func NewScanner(canary string, holdouts fs.FS, references [][]byte) (*Scanner, error) {
	s := &Scanner{canary: []byte(canary)}
	public := map[string]bool{}
	for _, text := range references {
		maps.Copy(public, longLines(text))
	}
	err := fs.WalkDir(holdouts, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.Contains(name, "/") {
			return err
		}
		data, err := fs.ReadFile(holdouts, name)
		if err != nil {
			return err
		}
		lines := longLines(data)
		maps.DeleteFunc(lines, func(line string, _ bool) bool { return public[line] })
		if len(lines) >= leastLines {
			s.held = append(s.held, held{name: name, lines: lines})
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the holdouts: %w", err)
	}
	return s, nil
}

func longLines(data []byte) map[string]bool {
	lines := map[string]bool{}
	for line := range bytes.Lines(data) {
		if text := string(bytes.TrimSpace(line)); len(text) >= longLine {
			lines[text] = true
		}
	}
	return lines
}

// Source looks through one file of the bundle: for a canary, and for the greater part of a held file's lines.
func (s *Scanner) Source(f File) []Leak {
	leaks := s.Binary(f.Path, f.Data)
	lines := longLines(f.Data)
	for _, h := range s.held {
		shared := 0
		for line := range h.lines {
			if lines[line] {
				shared++
			}
		}
		if 2*shared > len(h.lines) {
			leaks = append(leaks, Leak{File: f.Path, What: fmt.Sprintf("%d of %d long lines are those of the held file %s", shared, len(h.lines), h.name)})
		}
	}
	if path.Base(f.Path) == "cases.yaml" || path.Base(f.Path) == "equivalent.yaml" {
		leaks = append(leaks, Leak{File: f.Path, What: "a file of holdouts is called so"})
	}
	return leaks
}

// Binary looks through a program, or any other file, for a canary.
func (s *Scanner) Binary(name string, data []byte) []Leak {
	if at := bytes.Index(data, s.canary); at >= 0 {
		return []Leak{{File: name, What: fmt.Sprintf("a holdout's canary stands at byte %d: %.80q", at, data[at:min(at+80, len(data))])}}
	}
	return nil
}
