package course

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/grader"
	"fieldbook/units"
)

// skipped is the kind of the record that a page was skipped by a right answer.
const skipped = "skipped"

// Texts are what the student has committed in an activity, one for each ask; missing ones are "".
func (s *Session) Texts(a *Activity) []string {
	texts := make([]string, len(a.Asks))
	for _, answer := range s.record(a).Answers {
		for i, ask := range a.Asks {
			if answer.Kind == a.kind(ask) && texts[i] == "" {
				texts[i] = answer.Text // the first one stands; later ones are revisions
			}
		}
	}
	return texts
}

// Committed reports whether an activity's texts are committed. An activity that asks for none counts as committed.
func (s *Session) Committed(a *Activity) bool { return !slices.Contains(s.Texts(a), "") }

// Choice is the number of the choice that was committed, from 1; 0 for none.
func (s *Session) Choice(a *Activity) int {
	if len(a.Choices) == 0 {
		return 0
	}
	n, _ := strconv.Atoi(s.Texts(a)[0])
	return n
}

// Write commits the texts of an activity, in the order of its asks. None may be empty, and after it they stay as they are.
func (s *Session) Write(a *Activity, texts []string) error {
	if len(texts) != len(a.Asks) {
		return fmt.Errorf("%d texts for %d asks", len(texts), len(a.Asks))
	}
	if s.Committed(a) {
		return &grader.Error{Code: "committed", Message: "these texts are committed and stay as they are", Hint: "What you learn later is a revision.", Exit: grader.ExitUsage}
	}
	at := s.now().UTC().Truncate(time.Second)
	var added []workspace.Answer
	for i, ask := range a.Asks {
		text := strings.TrimSpace(texts[i])
		if text == "" {
			return &grader.Error{Code: "answer_empty", Message: "nothing is written for: " + ask.Text, Hint: "Write a guess; it may be wrong.", Exit: grader.ExitUsage}
		}
		added = append(added, workspace.Answer{Kind: a.kind(ask), Text: text, Time: at})
	}
	if err := s.writeFiles(a, added); err != nil {
		return err
	}
	record := s.record(a)
	record.Answers = append(record.Answers, added...)
	return s.Bench.Work.SaveProgress(s.Progress)
}

// writeFiles writes what else keeps the texts: the prediction's own file, whose digest the handoff carries, and notes.
func (s *Session) writeFiles(a *Activity, added []workspace.Answer) error {
	u, err := units.Named(s.Bench.Units, a.unit)
	if err != nil {
		return err
	}
	step := u.Step(a.step)
	if a.Kind != Writing || step == nil {
		return nil
	}
	if step.Kind == units.Predict {
		return s.writePrediction(workbench.PredictionPath(u.ID), added)
	}
	if step.OwnProbe {
		return s.writePrediction(workbench.PredictionPath(u.ID+"-"+step.ID), added)
	}
	if step.Notes == "" {
		return nil
	}
	var text strings.Builder
	fmt.Fprintf(&text, "# %s\n", step.Title)
	for i, answer := range added {
		fmt.Fprintf(&text, "\n%s\n\n%s\n", a.Asks[i].Text, answer.Text)
	}
	_, err = s.Bench.Work.Overwrite(step.Notes, "new notes", []byte(text.String()))
	return err
}

// Skip records that a page is skipped, which a right answer to its question allows.
func (s *Session) Skip(a *Activity) error {
	if !a.Skip || s.Choice(a) != a.Right {
		return &grader.Error{Code: "no_skip", Message: "this page is not skipped", Hint: "A right answer to its question allows it, where the page says so.", Exit: grader.ExitUsage}
	}
	record := s.record(a)
	record.Answers = append(record.Answers, workspace.Answer{Kind: a.Page + "/" + skipped, Text: skipped, Time: s.now().UTC().Truncate(time.Second)})
	return s.Bench.Work.SaveProgress(s.Progress)
}

// Skipped reports whether a page was skipped.
func (s *Session) Skipped(unit, step, page string) bool {
	return slices.ContainsFunc(s.Progress.Of(unit).Of(step).Answers, func(a workspace.Answer) bool { return a.Kind == page+"/"+skipped })
}

// Finished reports whether nothing is left to do in an activity.
func (s *Session) Finished(a *Activity) bool {
	switch a.Kind {
	case Reading, Work:
		return true // the step itself says
	case Fresh:
		return s.started(a)
	}
	if !s.Committed(a) {
		return false
	}
	if a.Kind == Power {
		return s.Result(a) != nil
	}
	if !a.Runs() {
		return true
	}
	result := s.Result(a)
	return result != nil && (result.Report.Verdict == grader.Pass || a.Kind == Example || a.Kind == Demonstration) && s.kept(a) == ""
}

// Left are the activities of the student's step that are not finished.
func (s *Session) Left() []*Activity {
	var left []*Activity
	for _, a := range s.Activities(s.Unit(), s.Step()) {
		if !s.Finished(a) {
			left = append(left, a)
		}
	}
	return left
}

func (s *Session) record(a *Activity) *workspace.StepProgress {
	return s.Progress.Of(a.unit).Of(a.step)
}

// backup is the backup into which the first solution went, "" when the student has not begun again.
func (s *Session) backup(a *Activity) string {
	for _, answer := range s.record(a).Answers {
		if answer.Kind == a.ID {
			return answer.Text
		}
	}
	return ""
}

// started reports whether the first solution was put aside.
func (s *Session) started(a *Activity) bool { return s.backup(a) != "" }

// Stop records the activity at which the student is, so that they resume there.
func (s *Session) Stop(a *Activity) error {
	record := s.record(a)
	if a.unit != s.Unit().ID || a.step != s.Step().ID || record.Part == a.ID {
		return nil // a revision is recorded with the prediction, in another step
	}
	record.Part = a.ID
	return s.Bench.Work.SaveProgress(s.Progress)
}

// Stopped is the place in a list of activities at which the student stopped, 0 when they have not begun.
func (s *Session) Stopped(list []*Activity) int {
	for i, a := range list {
		if a.ID != "" && s.record(a).Part == a.ID {
			return i
		}
	}
	return 0
}
