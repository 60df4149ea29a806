package workbench_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/exercises"
	"fieldbook/units"
)

func mustBench(t *testing.T) *workbench.Bench {
	t.Helper()
	w, err := workspace.Create(filepath.Join(t.TempDir(), "w"), units.Edition, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	b := &workbench.Bench{Work: w, Units: units.All()}
	if _, err := b.SetUp(); err != nil {
		t.Fatal(err)
	}
	return b
}

// A workspace is a module that any Go tool takes, offline: each starter compiles beside the supplied API.
func TestAWorkspaceIsAGoModule(t *testing.T) {
	b := mustBench(t)
	vet := exec.Command("go", "vet", "./...")
	vet.Dir = b.Work.Root()
	vet.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=", "GOWORK=off", "GOTOOLCHAIN=local", "CGO_ENABLED=0")
	if output, err := vet.CombinedOutput(); err != nil {
		t.Fatalf("go vet in a fresh workspace: %v\n%s", err, output)
	}
}

// What students write is not in a workspace before they have written it.
func TestAWorkspaceHoldsNoReference(t *testing.T) {
	b := mustBench(t)
	for _, e := range exercises.All() {
		reference, err := workbench.Reference(e)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range reference {
			text, err := os.ReadFile(b.Work.Path(s.Path))
			if err != nil {
				t.Fatal(err)
			}
			if string(text) == string(s.Text) || !strings.Contains(string(text), "exercise.Unfinished") {
				t.Errorf("%s is not the starter", s.Path)
			}
		}
	}
}

func TestStartersBelongToTheirPackage(t *testing.T) {
	for _, e := range exercises.All() {
		files, err := workbench.Starters(e)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if strings.Contains(string(f.Text), "//go:build") {
				t.Errorf("%s keeps itself out of the student's build", f.Path)
			}
			if workbench.Replacing(f.Path).Name == "" || !workbench.IsReplaced(f.Path) {
				t.Errorf("%s is no file that a student writes", f.Path)
			}
		}
	}
	if workbench.IsReplaced("runtime/database/backup.go") {
		t.Error("a supplied file counts as one that students write")
	}
}

func TestUnitsOfAnExercise(t *testing.T) {
	b := &workbench.Bench{Units: units.All()}
	construct, breaks := b.Constructing("restore"), b.Breaking("restore")
	if construct == nil || breaks == nil || construct.Handoff == breaks.Handoff || breaks.Continues != construct.ID {
		t.Fatalf("restore is constructed in %v and broken in %v", construct, breaks)
	}
	if b.Constructing("chess") != nil {
		t.Error("an exercise that is not there has a unit")
	}
	e, err := exercises.Named("restore")
	if err != nil {
		t.Fatal(err)
	}
	if fault, err := b.Fault(e); err != nil || fault != breaks.Fault {
		t.Errorf("the fault of restore is %q, %v", fault, err)
	}
}
