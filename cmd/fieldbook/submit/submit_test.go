package submit_test

import (
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fieldbook/cmd/fieldbook/submit"
	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/grader"
	"fieldbook/handoff"
	"fieldbook/handoff/submission"
	"fieldbook/runtime/world"
	"fieldbook/units"
)

func now() time.Time { return time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC) }

const restore = "runtime/assistant/restore.go"

// student is a workspace with work in ch19-a.
type student struct {
	t        *testing.T
	work     *workspace.Workspace
	unit     *units.Unit
	progress *workspace.Progress
}

func newStudent(t *testing.T) *student {
	t.Helper()
	w, err := workspace.Create(filepath.Join(t.TempDir(), "w é"), units.Edition, now)
	if err != nil {
		t.Fatal(err)
	}
	u, err := units.Named(units.All(), "ch19-a")
	if err != nil {
		t.Fatal(err)
	}
	p, err := w.ReadProgress()
	if err != nil {
		t.Fatal(err)
	}
	return &student{t: t, work: w, unit: u, progress: p}
}

// runs keeps a run for a part of the unit.
func (s *student) runs(part, label string, verdict grader.Verdict, fields []grader.Field, sources ...workspace.AttemptSource) {
	s.t.Helper()
	if part != "" {
		part = s.unit.ID + "/" + part
	}
	_, err := s.work.AddAttempt(workspace.Attempt{
		Exercise: "restore", Part: part, Label: label, Outcome: grader.Observed, Verdict: verdict, Sources: sources,
	}, grader.Report{Exercise: "restore", Label: label, Fields: fields})
	if err != nil {
		s.t.Fatal(err)
	}
}

// hands writes the unit's handoff.
func (s *student) hands() {
	s.t.Helper()
	data, err := handoff.Sign(handoff.Record{
		Exercise: "restore", Unit: s.unit.ID, Edition: units.Edition, StartingEvidence: "INDEPENDENT_UNIT_A",
		Runtime: handoff.Digest([]byte("runtime")), Probes: handoff.Digest([]byte("probes")),
		Engine: handoff.Component{Name: "yaegi", Version: "v0"}, Tools: []handoff.Component{{Name: "fieldbook", Version: "v0"}},
		Sandbox: handoff.Sandbox{Level: "standard", Layers: []string{"seccomp"}}, Prediction: handoff.None, Attempts: 2,
		Implementation: []handoff.File{{Path: restore, Text: "package assistant // right\n"}},
		Result:         json.RawMessage(`{"fields":[]}`), Verdict: "PASS", Previous: handoff.None,
		Environment: handoff.Environment{OS: "linux", Arch: "amd64", CPUs: 1},
	}, ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)))
	if err != nil {
		s.t.Fatal(err)
	}
	if err := workspace.WriteFile(s.work.Path("handoffs/"+s.unit.Handoff), data); err != nil {
		s.t.Fatal(err)
	}
}

func (s *student) writes(step, kind, text string) {
	record := s.progress.Of(s.unit.ID).Of(step)
	record.Answers = append(record.Answers, workspace.Answer{Kind: kind, Text: text, Time: now()})
}

func (s *student) gather() *submit.Work {
	s.t.Helper()
	work, err := submit.Gather(s.work, s.unit, s.progress)
	if err != nil {
		s.t.Fatal(err)
	}
	return work
}

func text(path, text string) workspace.AttemptSource {
	return workspace.AttemptSource{Path: path, Name: path, Text: []byte(text)}
}

// busy is a student who has done a part of everything.
func busy(t *testing.T) *student {
	t.Helper()
	s := newStudent(t)
	s.runs("", "VISIBLE", grader.NeedsWork, nil, text(restore, "package assistant // first\n"))
	s.runs("", "VISIBLE", grader.Pass, nil, text(restore, "package assistant // right\n"))
	s.runs("primers/example/budget", "EXAMPLE", grader.Pass, nil, text("examples/budget/main.go", "package main\n"))
	s.runs("challenge/challenge/again", "CHALLENGE", grader.NeedsWork, nil, text(restore, "package assistant // first\n"))
	s.runs("challenge/challenge/again", "CHALLENGE", grader.Pass,
		[]grader.Field{{Name: "epochs", Expected: world.IntValue(3), Observed: world.IntValue(3), Agrees: true, From: "the probe"}}, text(restore, "package assistant // right\n"))
	s.runs("own-probe/own-probe", "MY_TRANSFER", grader.Pass, nil, text(restore, "package assistant // right\n"), text("my_transfer/probe.go", "package probe\n"))
	s.runs("transfer/cases", "MY_CASES", grader.Pass,
		[]grader.Field{{Name: "both are empty", Expected: world.BoolValue(false), Observed: world.BoolValue(false), Agrees: true}},
		text("runtime/assistant/manifest.go", "package assistant // manifest\n"), text("cases/manifest.yaml", "cases: []\n"))
	s.runs("counterexample/impostors", "IMPOSTOR", grader.NeedsWork,
		[]grader.Field{{Name: "constant-true", Agrees: true, From: "Agrees with everything."}, {Name: "length-only", From: "Counts."}}, text("cases/manifest.yaml", "cases: []\n"))
	for _, prompt := range s.unit.Step("predict").Prompts {
		s.writes("predict", prompt.ID, "Paused is 1.")
	}
	s.writes("predict", "reason", "I was wrong about it.")
	s.writes("challenge", "challenge/again/epochs", "3")
	s.writes("explain", "value", "E2: paused.")
	if err := workspace.WriteFile(s.work.Path("predictions/ch19-a.json"), []byte("[]\n")); err != nil {
		t.Fatal(err)
	}
	if err := workspace.WriteFile(s.work.Path("predictions/ch19-b.json"), []byte("[]\n")); err != nil {
		t.Fatal(err)
	}
	s.hands()
	return s
}

func TestWhatIsSubmitted(t *testing.T) {
	s := busy(t)
	saved, err := s.gather().Write()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(saved.Archive)
	if err != nil {
		t.Fatal(err)
	}
	read, err := submission.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range read.Files {
		names = append(names, f.Name)
	}
	want := []string{
		"ch19-a-submission-v1.json", "ch19-unit-a-handoff-v1.json", "first-attempt/" + restore,
		"own/cases/manifest.yaml", "own/my_transfer/probe.go", "predictions/ch19-a.json",
		"runs/E5.json", "runs/E6.json", "runs/E7.json", "runs/E8.json", "source/runtime/assistant/manifest.go", "source/" + restore,
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
	for name, holds := range map[string]string{
		"first-attempt/" + restore: "// first",
		"source/" + restore:        "// right",
		"runs/E5.json":             `"predicted":[{"ask":"","id":"epochs","text":"3","time":"2026-03-02T08:00:00Z"}]`,
	} {
		if got, _ := read.File(name); !strings.Contains(string(got), holds) {
			t.Errorf("%s holds\n%s\nand not %q", name, got, holds)
		}
	}
	var d submit.Document
	if err := json.Unmarshal(read.Document, &d); err != nil {
		t.Fatal(err)
	}
	if d.StartingEvidence != "INDEPENDENT_UNIT_A" || d.PlannedMinutes != 90 || d.Review != submit.HumanReview || len(d.Supplied) == 0 {
		t.Errorf("the document is %+v", d)
	}
	if d.CoreReport.FirstAttempt == nil || d.CoreReport.FirstAttempt.Evidence != "E1" || d.CoreReport.FirstAttempt.Verdict != grader.NeedsWork {
		t.Errorf("the first attempt is %+v", d.CoreReport.FirstAttempt)
	}
	if d.Transfer.Status != "PASS" || len(d.Transfer.Rows) != 1 || !d.Transfer.Rows[0].Passed {
		t.Errorf("the transfer is %+v", d.Transfer)
	}
	if d.Counterexample.Status != "NEEDS_WORK" || len(d.Counterexample.Rows) != 2 || d.Counterexample.Rows[1].Rejected {
		t.Errorf("the counterexample is %+v", d.Counterexample)
	}
	reason := d.Prediction[0].Notes[1]
	if reason.Text != "Paused is 1." || len(reason.Revisions) != 1 || reason.Revisions[0].Text != "I was wrong about it." {
		t.Errorf("the revised note is %+v", reason)
	}
	i := slices.IndexFunc(d.Explanation, func(n submit.Notes) bool { return n.Step == "explain" })
	if notes := d.Explanation[i].Notes; notes[0].Text != "E2: paused." || notes[1].Text != submit.NotWritten {
		t.Errorf("the explanation is %+v", notes)
	}
}

func TestItems(t *testing.T) {
	states := map[string]string{}
	for _, i := range busy(t).gather().Items() {
		states[i.ID] = i.State()
	}
	want := map[string]string{
		"handoff": "there", "source": "there", "predictions": "1 of 2 there", "own-probe": "1 of 2 there", "challenge": "1 of 4 there",
		"transfer": "1 of 2 there", "runbook": "not there yet", "explanation": "not there yet", "supplied": "there",
	}
	if diff := cmp.Diff(want, states); diff != "" {
		t.Error(diff)
	}
}

// What a unit says that it submits has to be something that is gathered.
func TestEveryUnitSubmitsWhatIsGathered(t *testing.T) {
	known := []string{"handoff", "source", "start", "supplied", "observations", "faults", "evidence", "predictions", "diagnosis", "explanation"}
	for _, u := range units.All() {
		for _, item := range u.Submits {
			if !slices.Contains(known, item.ID) && u.Step(item.ID) == nil {
				t.Errorf("%s submits %q, which is no step and nothing else", u.ID, item.ID)
			}
		}
	}
}

func TestTheSameWorkGivesTheSameBytes(t *testing.T) {
	s := busy(t)
	first, err := s.gather().Write()
	if err != nil {
		t.Fatal(err)
	}
	stray := s.work.Path("submissions/ch19-a/old.json")
	if err := os.WriteFile(stray, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	again, err := s.gather().Write()
	if err != nil {
		t.Fatal(err)
	}
	if first.SHA256 != again.SHA256 || again.Backup != "" {
		t.Errorf("%s became %s, backup %q", first.SHA256, again.SHA256, again.Backup)
	}
	if _, err := os.Stat(stray); err == nil {
		t.Error("what an earlier submission had is still in the folder")
	}
	backups, err := s.work.Backups()
	if err != nil || len(backups) != 1 || !slices.Contains(backups[0].Files, "submissions/ch19-a/old.json") {
		t.Errorf("it was removed without a backup: %+v %v", backups, err)
	}
	s.writes("explain", "row", "The control row.")
	changed, err := s.gather().Write()
	if err != nil {
		t.Fatal(err)
	}
	if changed.SHA256 == first.SHA256 || changed.Backup == "" {
		t.Errorf("a new note changed nothing, or the earlier archive is lost: %+v", changed)
	}
}

func TestNothingToSubmit(t *testing.T) {
	s := newStudent(t)
	_, err := s.gather().Write()
	var known *grader.Error
	if !errors.As(err, &known) || known.Code != "nothing_to_submit" || known.Exit != grader.ExitUsage || known.Hint == "" {
		t.Errorf("error %v", err)
	}
}

func TestReadCourse(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "course.yaml")
	gone := filepath.Join(folder, "gone.yaml")
	for name, c := range map[string]struct{ text, want, refused string }{
		"OK":         {"submit_to: to Lucy\n", "to Lucy", ""},
		"Lines":      {"submit_to: |\n  to Lucy,\n  on Friday\n", "to Lucy,\non Friday", ""},
		"UnknownKey": {"submit_to: x\nsubmitto: y\n", "", "course.yaml:2: unknown key"},
		"Twice":      {"submit_to: x\nsubmit_to: y\n", "", "course.yaml:2"},
		"Missing":    {"{}\n", "", "course.yaml:1: submit_to is missing"},
		"Empty":      {"", "", "course.yaml"},
		"List":       {"submit_to: [x]\n", "", "course.yaml:1"},
		"Escape":     {"submit_to: \"\\e[2J\"\n", "", "course.yaml:1: submit_to holds the character U+001B"},
		"TooLong":    {"submit_to: " + strings.Repeat("x", 1001) + "\n", "", "course.yaml:1: submit_to has 1001 bytes"},
		"TwoDocs":    {"submit_to: x\n---\nsubmit_to: y\n", "", "a second document"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(path, []byte(c.text), 0o644); err != nil {
				t.Fatal(err)
			}
			got, from, err := submit.ReadCourse(gone, path)
			if c.refused != "" {
				if err == nil || !strings.Contains(err.Error(), c.refused) {
					t.Errorf("error %v, want %q", err, c.refused)
				}
				return
			}
			if err != nil || got.SubmitTo != c.want || from != path {
				t.Errorf("%q from %s, %v", got.SubmitTo, from, err)
			}
		})
	}
	if got, from, err := submit.ReadCourse(gone); err != nil || from != "" || got.SubmitTo != "" {
		t.Errorf("without a file: %+v %q %v", got, from, err)
	}
	if _, _, err := submit.ReadCourse(folder); err == nil {
		t.Error("a folder was read")
	}
}
