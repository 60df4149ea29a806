package course_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fieldbook/cmd/fieldbook/course"
	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/runtime/world"
	"fieldbook/units"
)

// activity is the first activity of a kind in the student's step.
func activity(t *testing.T, s *course.Session, kind course.Kind) *course.Activity {
	t.Helper()
	for _, a := range s.Activities(s.Unit(), s.Step()) {
		if a.Kind == kind {
			return a
		}
	}
	t.Fatalf("%s has no %s", s.Step().ID, kind)
	return nil
}

// mustVisit opens a session over the real units, at a step.
func mustVisit(t *testing.T, unit, step string) *course.Session {
	t.Helper()
	work, err := workspace.Create(filepath.Join(t.TempDir(), "w"), units.Edition, now)
	if err != nil {
		t.Fatal(err)
	}
	s, err := course.Open(&workbench.Bench{Work: work, Units: units.All()}, now)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Visit(unit, step); err != nil {
		t.Fatal(err)
	}
	return s
}

func kinds(s *course.Session) []course.Kind {
	var list []course.Kind
	for _, a := range s.Activities(s.Unit(), s.Step()) {
		list = append(list, a.Kind)
	}
	return list
}

// Every part of every unit is something to do: what a step declares is among its activities.
func TestEveryPartIsAnActivity(t *testing.T) {
	for step, want := range map[string][]course.Kind{
		"opening":        {course.Reading, course.Demonstration},
		"predict":        {course.Reading, course.Writing},
		"interface":      {course.Reading, course.Finding},
		"construct":      {course.Reading, course.Example, course.Writing, course.Work},
		"connect":        {course.Reading, course.Work, course.Challenge, course.Picking},
		"challenge":      {course.Reading, course.Challenge, course.Challenge, course.Challenge, course.Power, course.Writing},
		"own-probe":      {course.Reading, course.Writing, course.OwnProbe},
		"transfer":       {course.Reading, course.Writing, course.Cases, course.Writing},
		"counterexample": {course.Reading, course.Impostors, course.Writing},
		"retrieve":       {course.Reading, course.Writing},
	} {
		if got := kinds(mustVisit(t, "ch19-a", step)); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", step, got, want)
		}
	}
	s := mustVisit(t, "ch19-a", "primers")
	var examples, checks, questions int
	for _, kind := range kinds(s) {
		switch kind {
		case course.Example:
			examples++
		case course.Recalling:
			checks++
		case course.Choosing:
			questions++
		}
	}
	if n := len(s.Unit().Pages(s.Step())); checks != n || questions != n || examples < n {
		t.Errorf("%d pages, %d questions, %d examples, %d checks", n, questions, examples, checks)
	}
}

func TestPagesStayClosedUntilTheTextsAreWritten(t *testing.T) {
	s := mustVisit(t, "ch19-b", "recall-primers")
	if got := kinds(s); !slices.Equal(got, []course.Kind{course.Reading, course.Writing}) {
		t.Fatalf("before: %v", got)
	}
	a := activity(t, s, course.Writing)
	if err := s.Write(a, slices.Repeat([]string{"a text"}, len(a.Asks))); err != nil {
		t.Fatal(err)
	}
	if got := kinds(s); len(got) < 20 {
		t.Errorf("after: %v", got)
	}
}

func TestARightAnswerSkipsAPage(t *testing.T) {
	s := mustVisit(t, "ch19-a", "primers")
	q := activity(t, s, course.Choosing)
	before := len(kinds(s))
	if err := s.Skip(q); err == nil {
		t.Error("a page was skipped without an answer")
	}
	if err := s.Write(q, []string{"2"}); err != nil {
		t.Fatal(err)
	}
	if s.Choice(q) != q.Right {
		t.Fatalf("%d was chosen, %d is right", s.Choice(q), q.Right)
	}
	if err := s.Skip(q); err != nil || len(kinds(s)) >= before || !s.Skipped("ch19-a", "primers", q.Page) {
		t.Errorf("%v; %d parts before, %d after", err, before, len(kinds(s)))
	}
}

// An example runs only after its values are predicted, and the values stand beside each other.
func TestPredictedBesideObserved(t *testing.T) {
	s := mustVisit(t, "ch19-a", "primers")
	a := activity(t, s, course.Example)
	if s.Ready(a) == "" {
		t.Error("the example runs before its values are predicted")
	}
	if err := s.Write(a, []string{"vanilla", "yes"}); err != nil {
		t.Fatal(err)
	}
	if why := s.Ready(a); why != "" {
		t.Errorf("committed, and still: %s", why)
	}
	s.Performed(a, workbench.Run{Report: grader.Report{Outcome: grader.Observed, Verdict: grader.Pass,
		Output: grader.Output{Text: a.Asks[0].ID + ": \"vanilla\"\n" + a.Asks[1].ID + ": false\n"}}})
	rows := s.Rows(a)
	if len(rows) != 2 || !rows[0].As || rows[1].As || course.Differs(rows) != 1 {
		t.Errorf("%+v", rows)
	}
	if !s.Finished(a) {
		t.Error("a run example is not finished")
	}
	if err := s.Revise(a, "It is false."); err != nil || !slices.Equal(s.Revised(a), []string{"It is false."}) {
		t.Errorf("%v %v", err, s.Revised(a))
	}
}

func TestTheLineOfTheCallIsFound(t *testing.T) {
	for answer, want := range map[string]bool{"probe.go:37": true, "probe.go, line 37": true, "probe.go:3": false, "37": false} {
		s := mustVisit(t, "ch19-a", "interface")
		a := activity(t, s, course.Finding)
		if err := s.Write(a, []string{answer}); err != nil {
			t.Fatal(err)
		}
		if right, calls := s.Found(a); right != want || calls != "probe.go:37" {
			t.Errorf("%q: %v, %s", answer, right, calls)
		}
	}
}

func TestNotesAreKeptAsText(t *testing.T) {
	s := mustVisit(t, "ch19-a", "construct")
	a := activity(t, s, course.Writing)
	if err := s.Write(a, []string{"paused", "CopyInto", "UPDATE", "the backup"}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(s.Bench.Work.Path("notes/data-path.md"))
	if err != nil || !strings.Contains(string(text), "CopyInto") {
		t.Errorf("%v\n%s", err, text)
	}
}

func TestOwnCases(t *testing.T) {
	e, err := exercises.Named("manifest")
	if err != nil {
		t.Fatal(err)
	}
	const head = "cases:\n  - name: mine\n    from: a member is missing\n    changed: the name\n    args: [{a: x}, {}]\n"
	for name, test := range map[string]struct{ text, want string }{
		"one that is right":              {head + "    expected: false\n", ""},
		"none yet":                       {"cases: []\n", ""},
		"an unknown start":               {strings.Replace(head, "a member is missing", "nothing", 1) + "    expected: false\n", `from is "nothing"`},
		"no condition":                   {strings.Replace(head, "the name", `""`, 1) + "    expected: false\n", "one condition"},
		"a result of another type":       {head + "    expected: 1\n", "is no bool"},
		"a key that nobody knows":        {head + "    expected: false\n    keep: true\n", `unknown key "keep"`},
		"arguments of another signature": {strings.Replace(head, "[{a: x}, {}]", "[{a: x}]", 1) + "    expected: false\n", "1 arguments"},
	} {
		t.Run(name, func(t *testing.T) {
			s := mustVisit(t, "ch19-a", "transfer")
			if err := s.Bench.Work.Lay(course.CasesPlace(e), []byte(test.text)); err != nil {
				t.Fatal(err)
			}
			cases, err := s.OwnCases(e)
			switch {
			case test.want == "" && err != nil:
				t.Error(err)
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
				t.Errorf("%v", err)
			case test.want == "" && len(cases) == 1 && !cases[0].Expected.Equal(world.BoolValue(false)):
				t.Errorf("%+v", cases[0])
			}
		})
	}
}

func TestOwnExpectation(t *testing.T) {
	s := mustVisit(t, "ch19-a", "own-probe")
	text := "expect:\n  - {field: restore, expected: null, case: valid}\n  - {field: finish, expected: permission, case: refused, meaning: another history}\n"
	if err := s.Bench.Work.Lay(course.ExpectationPlace, []byte(text)); err != nil {
		t.Fatal(err)
	}
	fields, err := s.OwnExpectation()
	if err != nil || len(fields) != 2 || fields[1].Case != course.RefusedCase || fields[0].Expected.Kind() != world.Null {
		t.Errorf("%v %+v", err, fields)
	}
	bad := mustVisit(t, "ch19-a", "own-probe")
	if err := bad.Bench.Work.Lay(course.ExpectationPlace, []byte("expect:\n  - {field: restore, expected: 1}\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := bad.OwnExpectation(); err == nil || !strings.Contains(err.Error(), "expected.yaml:2") {
		t.Errorf("a field without a case: %v", err)
	}
}

// The program comes back to the part at which the student stopped.
func TestResumeAtAPart(t *testing.T) {
	s := mustVisit(t, "ch19-a", "primers")
	list := s.Activities(s.Unit(), s.Step())
	if at := s.Stopped(list); at != 0 {
		t.Errorf("a new student is at part %d", at)
	}
	if err := s.Stop(list[5]); err != nil {
		t.Fatal(err)
	}
	again, err := course.Open(&workbench.Bench{Work: s.Bench.Work, Units: units.All()}, now)
	if err != nil {
		t.Fatal(err)
	}
	if at := again.Stopped(again.Activities(again.Unit(), again.Step())); at != 5 {
		t.Errorf("stopped at part 5, resumed at %d", at)
	}
}
