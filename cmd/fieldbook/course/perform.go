package course

import (
	"context"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"fieldbook/cmd/fieldbook/lang"
	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/crash"
	"fieldbook/grader/task"
	"fieldbook/units"
)

// Result is the last run of an activity.
type Result struct {
	Evidence string // E7
	Attempt  workspace.Attempt
	Report   grader.Report
}

// Row is one value of an activity: what was predicted, what a right function gives, and what was observed.
type Row struct {
	Name      string
	Predicted string // "" when nothing was
	Expected  string // "" when nothing is
	Observed  string
	As        bool   // observed is as predicted, or where nothing was predicted, as expected
	Meaning   string // one sentence, or ""
}

// Result reads the last run of an activity, nil when there was none.
func (s *Session) Result(a *Activity) *Result {
	if cached, ok := s.results[a.part()]; ok {
		return cached
	}
	var found *Result
	if attempt, ran := s.lastRuns()[a.part()]; ran {
		if report, err := s.Bench.Work.AttemptReport(attempt.Number); err == nil {
			found = &Result{Evidence: attempt.Evidence(), Attempt: attempt, Report: report}
		}
	}
	s.remember(a, found)
	return found
}

// lastRuns are the last runs that were kept for parts of units, by part. They are listed once: what runs later is remembered.
func (s *Session) lastRuns() map[string]workspace.Attempt {
	if s.earlier == nil {
		s.earlier = map[string]workspace.Attempt{}
		attempts, err := s.Bench.Work.ListAttempts("")
		if err != nil {
			return nil // a part then counts as not run, and running it says what is wrong
		}
		for _, attempt := range attempts {
			s.earlier[attempt.Part] = attempt
		}
	}
	return s.earlier
}

func (s *Session) remember(a *Activity, r *Result) {
	if s.results == nil {
		s.results = map[string]*Result{}
	}
	s.results[a.part()] = r
}

// part names an activity among all of a workspace.
func (a *Activity) part() string { return a.unit + "/" + a.step + "/" + a.ID }

// Performed takes over what Perform returned. It is called where the session lives.
func (s *Session) Performed(a *Activity, run workbench.Run) {
	if run.Attempt.Number == 0 {
		s.remember(a, &Result{Report: run.Report})
		return
	}
	s.remember(a, &Result{Evidence: run.Attempt.Evidence(), Attempt: run.Attempt, Report: run.Report})
}

// Ready says what keeps an activity from running, "" when nothing does: values are predicted before they are observed.
func (s *Session) Ready(a *Activity) string {
	switch {
	case !a.Runs():
		return s.Words.Say("There is nothing to run here.")
	case !s.Committed(a):
		return s.Words.Say("Write what you predict first: a guess after the run predicts nothing.")
	case a.Kind == OwnProbe || a.Kind == Cases:
		u, err := units.Named(s.Bench.Units, a.unit)
		if err != nil {
			return err.Error()
		}
		for _, other := range s.Activities(u, u.Step(a.step)) {
			if other == a || other.ID == a.ID {
				break
			}
			if other.Kind == Writing && !s.Committed(other) {
				return s.Words.Say("Write your prediction first: it comes before this in the step.")
			}
		}
	}
	return ""
}

// Perform runs an activity and keeps the run. It changes nothing of the session, so that it can run beside it; Performed
// takes the result over.
func (s *Session) Perform(ctx context.Context, a *Activity) (workbench.Run, error) {
	part := workbench.Part{ID: a.part()}
	u, err := units.Named(s.Bench.Units, a.unit)
	if err != nil {
		return workbench.Run{}, err
	}
	var e *exercises.Exercise
	if a.exercise != "" {
		if e, err = exercises.Named(a.exercise); err != nil {
			return workbench.Run{}, err
		}
	}
	switch a.Kind {
	case Example:
		if err := s.Prepare(ctx, a); err != nil {
			return workbench.Run{}, err
		}
		part.Label = workbench.LabelExample
		return s.Bench.Try(ctx, part, ExamplePlace(*a.example))
	case Demonstration:
		d := a.demonstration
		text, err := u.Source(d.Source)
		if err != nil {
			return workbench.Run{}, err
		}
		part.Label = workbench.LabelDemonstration
		return s.Bench.Demonstrate(ctx, part, e, task.Source{Name: path.Base(d.Source), Text: text}, expectations(d.Observed))
	case Challenge:
		text, err := u.Source(a.challenge.Probe)
		if err != nil {
			return workbench.Run{}, err
		}
		part.Label = workbench.LabelChallenge
		return s.Bench.Probe(ctx, part, e, nil, task.Source{Path: a.challenge.Probe, Text: text}, false, expectations(a.challenge.Expect))
	case OwnProbe:
		return s.performOwnProbe(ctx, a, e)
	case Cases:
		return s.performCases(ctx, a, e)
	default:
		return s.performImpostors(ctx, a, e)
	}
}

// Question is the activity of a unit that is answered before an exercise's crash matrix shows, nil when there is none.
func (s *Session) Question(u *units.Unit, e *exercises.Exercise) *Activity {
	for i := range u.Steps {
		for _, a := range s.Activities(u, &u.Steps[i]) {
			if a.Kind == Power && a.exercise == e.Name {
				return a
			}
		}
	}
	return nil
}

// Explore looks at what a crash after each operation of the student's file leaves. Where the unit asks about it, what was
// found is kept under a, which Performed takes over.
func (s *Session) Explore(ctx context.Context, e *exercises.Exercise, a *Activity) (*crash.Matrix, workbench.Run, error) {
	o := task.Exploration{CrashesAlone: true}
	if a == nil {
		found, report, err := s.Bench.Crash(ctx, e, o)
		return found, workbench.Run{Report: report}, err
	}
	return s.Bench.CrashPart(ctx, workbench.Part{ID: a.part()}, e, o)
}

// Rows sets what was predicted beside what the last run of an activity shows.
func (s *Session) Rows(a *Activity) []Row {
	if a.Kind == Revision {
		return s.revised(a)
	}
	result := s.Result(a)
	if result == nil {
		return nil
	}
	texts := s.Texts(a)
	var rows []Row
	if a.Kind == Example {
		outputs := units.Outputs(result.Report.Output.Text)
		for i, ask := range a.Asks {
			observed, there := outputs[ask.ID]
			if !there {
				observed = s.Words.Say("(no such line)")
			}
			rows = append(rows, Row{Name: ask.ID, Predicted: texts[i], Observed: observed, As: same(texts[i], observed)})
		}
		return rows
	}
	for i, f := range result.Report.Fields {
		row := Row{Name: f.Name, Expected: f.Expected.String(), Observed: f.Observed.String(), As: f.Agrees, Meaning: s.meaning(a, f)}
		if a.Kind == Challenge && i < len(texts) {
			row.Predicted = texts[i]
			row.As = same(texts[i], row.Observed)
		}
		rows = append(rows, row)
	}
	return rows
}

// meaning is what a field of an activity's run says.
func (s *Session) meaning(a *Activity, f grader.Field) string {
	var declared []units.Field
	switch a.Kind {
	case Challenge:
		declared = a.challenge.Expect
	case Demonstration:
		declared = a.demonstration.Observed
	case Impostors:
		return f.From
	}
	for _, d := range declared {
		if d.Field == f.Name {
			return d.Meaning
		}
	}
	return ""
}

// same compares a written value with an observed one: quotes around it and the space beside it do not count, and none may be
// called null or nil.
func same(predicted, observed string) bool {
	plain := func(text string) string {
		text = strings.Trim(strings.TrimSpace(text), `"'`+"`")
		if low := strings.ToLower(text); low == "null" || low == "nil" || low == "<nil>" {
			return "none"
		}
		return text
	}
	return plain(predicted) == plain(observed) || strings.EqualFold(plain(predicted), plain(observed)) && isTruth(plain(observed))
}

func isTruth(text string) bool {
	_, err := strconv.ParseBool(text)
	return err == nil
}

// Differs counts the rows that are not as predicted.
func Differs(rows []Row) int {
	n := 0
	for _, r := range rows {
		if !r.As {
			n++
		}
	}
	return n
}

// Revised are the revisions of an activity's prediction, oldest first.
func (s *Session) Revised(a *Activity) []string {
	var texts []string
	for _, answer := range s.record(a).Answers {
		if answer.Kind == a.revisionKind() {
			texts = append(texts, answer.Text)
		}
	}
	return texts
}

// Revise adds a revision of an activity's prediction. The prediction stays.
func (s *Session) Revise(a *Activity, text string) error {
	if text = strings.TrimSpace(text); text == "" {
		return &grader.Error{Code: "answer_empty", Message: "nothing is written for the revision", Hint: "Say which value differed, and why.", Exit: grader.ExitUsage}
	}
	record := s.record(a)
	record.Answers = append(record.Answers, workspace.Answer{Kind: a.revisionKind(), Text: text, Time: s.now().UTC().Truncate(time.Second)})
	return s.Bench.Work.SaveProgress(s.Progress)
}

func (a *Activity) revisionKind() string { return a.ID + "/revision" }

// hasRun reports whether something ran that a step's prediction was about.
func (s *Session) hasRun(u *units.Unit, step *units.Step) bool {
	if step.OwnProbe {
		return s.Result(&Activity{ID: "own-probe", unit: u.ID, step: step.ID}) != nil
	}
	return s.lastReport(u, step) != nil
}

// lastReport is the run that the unit's prediction is compared with: the injected failure is not kept as an attempt, so a
// unit that breaks compares with its own run.
func (s *Session) lastReport(u *units.Unit, step *units.Step) *grader.Report {
	attempts, err := s.Bench.Work.ListAttempts(u.ExerciseOf(step))
	if err != nil {
		return nil
	}
	for _, a := range slices.Backward(attempts) {
		if u.Role == units.Breaks && a.Label != task.LabelRepair {
			continue
		}
		if report, err := s.Bench.Work.AttemptReport(a.Number); err == nil && len(report.Fields) > 0 {
			return &report
		}
	}
	return nil
}

// revised sets the texts of a prediction beside the fields of the run.
func (s *Session) revised(a *Activity) []Row {
	u, err := units.Named(s.Bench.Units, a.unit)
	if err != nil {
		return nil
	}
	var report *grader.Report
	if step := u.Step(a.step); step.OwnProbe {
		if result := s.Result(&Activity{ID: "own-probe", unit: u.ID, step: step.ID}); result != nil {
			report = &result.Report
		}
	} else {
		report = s.lastReport(u, step)
	}
	if report == nil {
		return nil
	}
	var rows []Row
	for _, f := range report.Fields {
		rows = append(rows, Row{Name: f.Name, Expected: f.Expected.String(), Observed: f.Observed.String(), As: f.Agrees})
	}
	return rows
}

// expectations is what the fields of a unit are for the grader.
func expectations(fields []units.Field) []exercises.Expectation {
	var list []exercises.Expectation
	for _, f := range fields {
		from := lang.Key("what the probe saw")
		if f.Artifact != "" {
			from = f.Artifact
		}
		list = append(list, exercises.Expectation{Field: f.Field, Expected: f.Value, Meaning: f.Meaning, From: from, Artifact: f.Artifact, Query: f.Query})
	}
	return list
}
