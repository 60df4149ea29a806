package main_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
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
	{"units", nil},
	{"handoff", nil},
	{"grader/sandbox/enter", nil},
	// The words of the grader and the values of the runtime are below everything that compares or reports.
	{"grader/sandbox", []string{"grader"}},
	{"exercises", []string{"grader", "runtime"}},
	{"exercises/holdout", []string{"exercises", "grader", "runtime"}},
	{"grader", []string{"runtime"}},
	{"grader/engine", []string{"grader", "runtime"}},
	{"grader/check", []string{"grader", "grader/engine", "grader/sandbox"}},
	{"grader/probe", []string{"grader", "grader/check", "grader/engine", "grader/sandbox", "exercises", "runtime"}},
	{"grader/fault", []string{"grader"}},
	{"grader/task", []string{"grader", "grader/engine", "grader/sandbox", "grader/probe", "grader/fault", "exercises", "handoff", "runtime"}},
	{"cmd/fieldbook", []string{"units", "exercises", "grader/task", "handoff", "grader", "grader/sandbox", "grader/check", "grader/probe", "grader/engine", "runtime"}},
	{"cmd/proctor", []string{"units", "exercises", "exercises/holdout", "grader/task", "handoff", "grader", "grader/sandbox", "grader/check", "grader/probe", "grader/engine", "runtime"}},
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

// TestOnlyAnExerciseKnowsItsName holds the courseware general: what an exercise needs lies in its own folders.
func TestOnlyAnExerciseKnowsItsName(t *testing.T) {
	root := filepath.Join("..", "..")
	for _, folder := range []string{"grader", "handoff"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "testdata") {
				return err
			}
			data, err := os.ReadFile(path)
			for _, name := range []string{`"restore"`, `"manifest"`, "restore.go", "manifest.go", "unpaused-image", "ManifestAgrees"} {
				if bytes.Contains(data, []byte(name)) && !bytes.Contains(data, []byte("// Code generated")) {
					t.Errorf("%s knows %s", path, name)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
