package course_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fieldbook/cmd/fieldbook/course"
	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/grader"
	"fieldbook/grader/fault"
	"fieldbook/grader/probe"
	"fieldbook/grader/task"
	"fieldbook/units"
)

func now() time.Time { return time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC) }

// fixtureUnits is the short course of the app's tests: the sessions held here do not change with the texts of the real one.
func fixtureUnits(t *testing.T) []*units.Unit {
	t.Helper()
	var list []*units.Unit
	for _, name := range []string{"ch19-a", "ch19-b"} {
		u, err := units.ReadFolder(os.DirFS(filepath.Join("..", "ui", "testdata", "units", name)), name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, u)
	}
	return list
}

func mustOpen(t *testing.T, root string) *course.Session {
	t.Helper()
	var work *workspace.Workspace
	var err error
	if workspace.Exists(root) {
		work, err = workspace.Open(root, now)
	} else {
		work, err = workspace.Create(root, units.Edition, now)
	}
	if err != nil {
		t.Fatal(err)
	}
	s, err := course.Open(&workbench.Bench{Work: work, Units: fixtureUnits(t)}, now)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestASessionResumesWhereItStopped(t *testing.T) {
	root := filepath.Join(t.TempDir(), "w")
	s := mustOpen(t, root)
	if s.Unit().ID != "ch19-a" || s.Step().ID != "opening" || s.Back() != nil {
		t.Fatalf("a new student begins at %s/%s", s.Unit().ID, s.Step().ID)
	}
	if err := s.Finish(); err != nil {
		t.Fatal(err)
	}
	if err := s.Visit("ch19-a", s.Next().ID); err != nil {
		t.Fatal(err)
	}
	again := mustOpen(t, root)
	if again.Step().ID != "predict" || !again.Done("ch19-a", "opening") || again.Done("ch19-a", "predict") {
		t.Errorf("resumed at %s, opening done: %t", again.Step().ID, again.Done("ch19-a", "opening"))
	}
}

func TestAPlaceThatIsGoneBeginsAgain(t *testing.T) {
	root := filepath.Join(t.TempDir(), "w")
	s := mustOpen(t, root)
	for _, place := range [][2]string{{"ch99-z", "x"}, {"ch19-a", "a step of an older edition"}} {
		if err := s.Visit(place[0], place[1]); err != nil {
			t.Fatal(err)
		}
		if again := mustOpen(t, root); again.Unit().ID != "ch19-a" || again.Step().ID != "opening" {
			t.Errorf("%v resumed at %s/%s", place, again.Unit().ID, again.Step().ID)
		}
	}
}

func TestCommit(t *testing.T) {
	root := filepath.Join(t.TempDir(), "w")
	s := mustOpen(t, root)
	if err := s.Visit("ch19-a", "predict"); err != nil {
		t.Fatal(err)
	}
	if s.Insists() == "" {
		t.Error("a prediction may be skipped")
	}
	if digest, err := s.Bench.Prediction("ch19-a"); err != nil || digest != "none" {
		t.Errorf("before: %s, %v", digest, err)
	}
	prediction := activity(t, s, course.Writing)
	if err := s.Write(prediction, []string{"one", " ", "three"}); err == nil || s.Answered("ch19-a", s.Step()) {
		t.Errorf("an empty text was committed (%v)", err)
	}
	if err := s.Write(prediction, []string{"one", "two", "three"}); err != nil {
		t.Fatal(err)
	}
	first, err := s.Bench.Prediction("ch19-a")
	if err != nil || first == "none" {
		t.Fatalf("after: %s, %v", first, err)
	}
	// What comes later is a revision: the first texts and their digest stay.
	if err := s.Write(prediction, []string{"uno", "due", "tre"}); err == nil {
		t.Error("a committed prediction was written anew")
	}
	if err := s.Revise(prediction, "due"); err != nil {
		t.Fatal(err)
	}
	again := mustOpen(t, root)
	if diff := cmp.Diff([]string{"one", "two", "three"}, again.Answers("ch19-a", again.Step())); diff != "" {
		t.Error(diff)
	}
	if digest, _ := again.Bench.Prediction("ch19-a"); digest != first {
		t.Errorf("the digest changed from %s to %s", first, digest)
	}
	if again.Insists() != "" {
		t.Errorf("it still insists: %s", again.Insists())
	}
}

func TestHintsOpenOneAtATime(t *testing.T) {
	root := filepath.Join(t.TempDir(), "w")
	s := mustOpen(t, root)
	e, err := s.Exercise()
	if err != nil {
		t.Fatal(err)
	}
	if _, number := s.Hint(e); number != 0 {
		t.Fatalf("hint %d is open at the start", number)
	}
	for want := 1; want <= len(e.Hints)+1; want++ {
		if err := s.OpenHint(e); err != nil {
			t.Fatal(err)
		}
		hint, number := mustOpen(t, root).Hint(e)
		if number != min(want, len(e.Hints)) || hint.Text == "" {
			t.Errorf("after opening %d times, hint %d is open", want, number)
		}
	}
}

func TestCandidates(t *testing.T) {
	root := filepath.Join(t.TempDir(), "w [1]")
	s := mustOpen(t, root)
	folder := filepath.Join(root, workspace.Handoffs)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "ch19-unit-a-handoff-v1.json"), []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	list, err := s.Candidates()
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 2 || !list[0].Refused || list[0].Detail == "" || strings.Contains(list[0].Detail, root) {
		t.Fatalf("candidates %+v", list)
	}
	if reference := list[1]; reference.Label != workbench.SuppliedReference || reference.Refused {
		t.Errorf("the reference is %+v", reference)
	}
	if _, err := s.OpenStart(t.Context()); grader.AsError(err).Code != "nothing_chosen" {
		t.Errorf("opened without a choice: %v", err)
	}
}

func TestDiagnose(t *testing.T) {
	injection := task.Injection{
		Edit: fault.Edit{Line: 90}, Before: []string{"a", "b"},
		Differences: []probe.Difference{{Cell: probe.Cell{Database: "shop.sqlite", Table: "assistant_control", Column: "paused"}}},
	}
	for _, c := range []struct {
		texts      []string
		cell, line bool
	}{
		{[]string{"assistant_control.paused is 0", "line 90"}, true, true},
		{[]string{"PAUSED!", "it is 91, the second line"}, true, true},
		{[]string{"the pause", "line 900"}, false, false},
		{[]string{"unpaused", "190"}, false, false},
		{nil, false, false},
	} {
		d := course.Diagnose(c.texts, injection)
		if d.Cell != c.cell || d.Line != c.line {
			t.Errorf("%q: cell %t, line %t; want %t, %t", c.texts, d.Cell, d.Line, c.cell, c.line)
		}
		if d.WasIn != "assistant_control.paused" || d.OnLine != 90 {
			t.Errorf("the facts are %s, %d", d.WasIn, d.OnLine)
		}
	}
}

func TestSurvey(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "w"))
	_, err := s.Bench.Work.AddAttempt(workspace.Attempt{Exercise: "restore", Verdict: grader.NeedsWork}, grader.Report{Exercise: "restore", Cause: "kept"})
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.Survey(s.Unit())
	if err != nil {
		t.Fatal(err)
	}
	if len(v.Attempts) != 1 || v.Last == nil || v.Last.Cause != "kept" {
		t.Errorf("attempts %v, last %v", v.Attempts, v.Last)
	}
	there := map[string]bool{}
	for _, k := range v.Kept {
		there[k.Name] = k.There
	}
	if diff := cmp.Diff(map[string]bool{"prediction": false, "first attempt": true, "hints": false, "handoff": false}, there); diff != "" {
		t.Error(diff)
	}
}
