package main_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/scanner"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// module is the one place in tests that knows the module's path.
const module = "fieldbook"

// arrows says, for each part of the project, which other parts it may import, tests left out. The longest prefix of a
// package's path decides. Packages inside one part may import each other.
var arrows = []struct {
	part string
	may  []string
}{
	{"runtime", nil},
	{"units", []string{"exercises", "grader", "runtime"}}, // their strict reader, positions and values; never what they drive
	{"handoff", nil},
	{"grader/sandbox/enter", nil},
	// The words of the grader and the values of the runtime are below everything that compares or reports.
	{"grader/sandbox", []string{"grader", "grader/sandbox/enter"}},
	{"exercises", []string{"grader", "runtime"}},
	{"exercises/holdout", []string{"exercises", "grader", "runtime"}},
	{"grader", []string{"runtime"}},
	{"grader/engine", []string{"grader", "runtime"}},
	{"grader/check", []string{"grader", "grader/engine", "grader/sandbox"}},
	{"grader/probe", []string{"grader", "grader/check", "grader/engine", "grader/probe/worker", "grader/sandbox", "exercises", "runtime"}},
	{"grader/probe/worker", []string{"grader", "grader/sandbox", "runtime"}}, // built programs link it: no interpreter
	{"grader/fault", []string{"grader"}},
	{"grader/crash", []string{"grader", "grader/engine", "grader/sandbox", "grader/probe", "exercises", "runtime"}},
	{"grader/task", []string{"grader", "grader/engine", "grader/sandbox", "grader/probe", "grader/fault", "grader/crash", "exercises", "handoff", "runtime"}},
	{"grader/report", []string{"grader"}},
	{"cmd/fieldbook", []string{"units", "exercises", "grader/task", "grader/crash", "handoff", "grader", "grader/sandbox", "grader/check", "grader/probe", "grader/engine", "runtime"}},
	{"cmd/proctor", []string{"units", "exercises", "exercises/holdout", "grader/task", "grader/crash", "grader/fault", "grader/report", "handoff", "grader", "grader/sandbox", "grader/check", "grader/probe", "grader/engine", "runtime"}},
}

type pkg struct {
	ImportPath string
	Imports    []string
	Deps       []string
}

func list(t *testing.T, args ...string) []pkg {
	t.Helper()
	var stderr bytes.Buffer
	command := exec.CommandContext(t.Context(), "go", append([]string{"list", "-json=ImportPath,Imports,Deps"}, args...)...)
	command.Dir, command.Stderr = filepath.Join("..", ".."), &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.String())
	}
	var packages []pkg
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}

// partOf finds the part that a package of ours belongs to.
func partOf(path string) (part string, ours bool) {
	path, ours = strings.CutPrefix(path, module+"/")
	for _, a := range arrows {
		if (path == a.part || strings.HasPrefix(path, a.part+"/")) && len(a.part) > len(part) {
			part = a.part
		}
	}
	return part, ours
}

func TestImportsPointOneWay(t *testing.T) {
	for _, p := range list(t, "./...") {
		from, _ := partOf(p.ImportPath)
		if from == "" {
			t.Errorf("%s belongs to no part of the architecture", p.ImportPath)
			continue
		}
		allowed := map[string]bool{from: true}
		for _, a := range arrows {
			if a.part == from {
				for _, may := range a.may {
					allowed[may] = true
				}
			}
		}
		for _, imported := range p.Imports {
			if to, ours := partOf(imported); ours && !allowed[to] {
				t.Errorf("%s imports %s: %s may not import %s", p.ImportPath, imported, from, to)
			}
		}
	}
}

func TestTheStudentsCommandHasNoHoldouts(t *testing.T) {
	for _, dep := range list(t, "./cmd/fieldbook")[0].Deps {
		if strings.HasPrefix(dep, module+"/exercises/holdout") {
			t.Errorf("cmd/fieldbook depends on %s", dep)
		}
	}
}

func TestTheStudentsBinaryHasNoCanary(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "fieldbook")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "./cmd/fieldbook")
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	data, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	// The words are joined here so that no binary holds them but those that embed a holdout.
	if canary := strings.Join([]string{"FIELDBOOK", "HOLDOUT", "CANARY"}, "-"); bytes.Contains(data, []byte(canary)) {
		t.Errorf("the student's binary holds %s", canary)
	}
}

// TestOnlyAnExerciseKnowsItsName holds the courseware general: what an exercise needs lies in its own folders. Comments
// may use one as an example; code may not.
func TestOnlyAnExerciseKnowsItsName(t *testing.T) {
	names := append(exerciseNames(t), "unpaused-image")
	for _, folder := range []string{"grader", "handoff"} {
		err := filepath.WalkDir(filepath.Join("..", "..", folder), func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "testdata") {
				return err
			}
			for _, literal := range literals(t, path) {
				for _, name := range names {
					if base, _, _ := strings.Cut(literal, "."); filepath.Base(base) == name {
						t.Errorf("%s knows %s", path, literal)
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// exerciseNames are the folders of the exercises.
func exerciseNames(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join("..", "..", "exercises", "*", "exercise.yaml"))
	if err != nil || len(found) == 0 {
		t.Fatalf("no exercise found: %v", err)
	}
	var names []string
	for _, path := range found {
		names = append(names, filepath.Base(filepath.Dir(path)))
	}
	return names
}

// literals are the texts in a Go file's code.
func literals(t *testing.T, path string) []string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	files := token.NewFileSet()
	var s scanner.Scanner
	s.Init(files.AddFile(path, -1, len(data)), data, nil, 0)
	var texts []string
	for {
		_, kind, literal := s.Scan()
		if kind == token.EOF {
			return texts
		}
		if text, err := strconv.Unquote(literal); kind == token.STRING && err == nil {
			texts = append(texts, text)
		}
	}
}
