// Package course walks a student through the units: where they are, what each step asks of them, what they have opened,
// written and finished. The app and the line mode show the same session in two ways. What the student does is done by
// package workbench; the session records it, and nothing counts as recorded before it is on the disk. It runs in the
// parent and draws nothing.
//
// A step is a list of activities: a text, a question, an example, a challenge, the student's own probe. Whatever kind one
// has, its texts are committed together and stay as they are, what it runs is kept as an attempt under an evidence id, and
// what was predicted stands beside what was observed. The files that a student edits for one lie in the workspace.
package course

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"fieldbook/cmd/fieldbook/lang"
	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/exercises"
	"fieldbook/units"
)

// Session is one student at work in one workspace.
type Session struct {
	Bench    *workbench.Bench
	Progress *workspace.Progress
	Language lang.Language // asked for; the units are in it where they exist in it
	Words    lang.Texts    // of the interface, in that language
	Aside    string        // backup of a record of progress that could not be read, or ""

	now     func() time.Time
	results map[string]*Result           // the last run of each activity that was asked for
	earlier map[string]workspace.Attempt // the last run of each part when the session began; nil before it is asked for
}

// Open reads how far the student has come. The caller holds the workspace's lock.
func Open(b *workbench.Bench, now func() time.Time) (*Session, error) {
	progress, aside, err := b.Work.Progress()
	if err != nil {
		return nil, err
	}
	s := &Session{Bench: b, Progress: progress, Aside: aside, now: now}
	if s.Unit() == nil && len(b.Units) > 0 {
		// A new student, or an edition that renamed the unit: begin at the first.
		progress.Unit, progress.Step = b.Units[0].ID, b.Units[0].Steps[0].ID
	}
	return s, nil
}

// Unit is the unit in which the student is.
func (s *Session) Unit() *units.Unit {
	u, err := units.Named(s.Bench.Units, s.Progress.Unit)
	if err != nil {
		return nil
	}
	return u
}

// Step is the step at which the student is: the first one when theirs is no longer there.
func (s *Session) Step() *units.Step {
	u := s.Unit()
	if step := u.Step(s.Progress.Step); step != nil {
		return step
	}
	return &u.Steps[0]
}

// Exercise is the exercise that the student's step works on.
func (s *Session) Exercise() (*exercises.Exercise, error) {
	return exercises.Named(s.Unit().ExerciseOf(s.Step()))
}

// Visit makes a step the student's own place and records that.
func (s *Session) Visit(unit, step string) error {
	s.Progress.Unit, s.Progress.Step = unit, step
	s.Progress.Of(unit).Step = step
	return s.Bench.Work.SaveProgress(s.Progress)
}

// Resume is the step of a unit at which the student stopped, the first when they have not begun.
func (s *Session) Resume(u *units.Unit) string {
	if step := u.Step(s.Progress.Of(u.ID).Step); step != nil {
		return step.ID
	}
	return u.Steps[0].ID
}

// Next is the step after the student's, nil at the end of a unit.
func (s *Session) Next() *units.Step { return s.neighbour(1) }

// Back is the step before the student's, nil at the beginning of a unit.
func (s *Session) Back() *units.Step { return s.neighbour(-1) }

func (s *Session) neighbour(by int) *units.Step {
	u := s.Unit()
	i := slices.IndexFunc(u.Steps, func(step units.Step) bool { return step.ID == s.Step().ID }) + by
	if i < 0 || i >= len(u.Steps) {
		return nil
	}
	return &u.Steps[i]
}

// Done reports whether a step is finished.
func (s *Session) Done(unit, step string) bool { return !s.Progress.Of(unit).Of(step).Done.IsZero() }

// Finish records that the student's step is finished. The first time counts.
func (s *Session) Finish() error {
	record := s.Progress.Of(s.Unit().ID).Of(s.Step().ID)
	if !record.Done.IsZero() {
		return nil
	}
	record.Done = s.now().UTC().Truncate(time.Second)
	return s.Bench.Work.SaveProgress(s.Progress)
}

// Save records everything that has no record yet: the time spent.
func (s *Session) Save() error { return s.Bench.Work.SaveProgress(s.Progress) }

// Spend adds time to the student's step. It is kept with the next record that is written: losing a minute of it is no loss.
func (s *Session) Spend(d time.Duration) { s.Progress.Of(s.Unit().ID).Of(s.Step().ID).Spent += d }

// Hint is the last hint of an exercise that the student has opened, with its number from 1; 0 when none is open.
func (s *Session) Hint(e *exercises.Exercise) (hint exercises.Hint, number int) {
	number = min(len(s.Progress.Hints[e.Name]), len(e.Hints))
	if number == 0 {
		return exercises.Hint{}, 0
	}
	return e.Hints[number-1], number
}

// OpenHint opens the next hint of an exercise and records that. After the last one it changes nothing.
func (s *Session) OpenHint(e *exercises.Exercise) error {
	if len(s.Progress.Hints[e.Name]) >= len(e.Hints) {
		return nil
	}
	s.Progress.OpenHint(e.Name, s.now())
	return s.Bench.Work.SaveProgress(s.Progress)
}

// Answers are the texts that the student has committed in a step, one for each prompt; missing ones are "".
func (s *Session) Answers(unit string, step *units.Step) []string {
	texts := make([]string, len(step.Prompts))
	for _, a := range s.Progress.Of(unit).Of(step.ID).Answers {
		for i, p := range step.Prompts {
			if a.Kind == p.ID && texts[i] == "" {
				texts[i] = a.Text // the first one stands; later ones are revisions
			}
		}
	}
	return texts
}

// Answered reports whether every prompt of a step has a committed text.
func (s *Session) Answered(unit string, step *units.Step) bool {
	return !slices.Contains(s.Answers(unit, step), "")
}

func (s *Session) writePrediction(place string, answers []workspace.Answer) error {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(answers); err != nil {
		return err
	}
	_, err := s.Bench.Work.Overwrite(place, "a new prediction", text.Bytes())
	return err
}

// Insists says why the student's step cannot be left forwards yet, "" when it can.
func (s *Session) Insists() string {
	u, step := s.Unit(), s.Step()
	switch step.Kind {
	case units.Predict, units.Diagnose:
		if !s.Answered(u.ID, step) {
			return lang.Key("Write the texts first: a guess after the run predicts nothing.")
		}
	case units.Construct, units.Repair:
		if !s.Done(u.ID, step.ID) {
			return lang.Key("This step ends with a PASS. The map, m, lets you go anywhere.")
		}
	}
	return ""
}

// Start is what the student's unit starts from: a path, workspace.ReferenceStart, or "" when nothing is chosen.
func (s *Session) Start() string {
	start := s.Progress.Of(s.Unit().ID).Start
	if start == "" || start == workspace.ReferenceStart {
		return start
	}
	return s.Bench.Work.Located(start)
}

// Choose records what the student's unit starts from.
func (s *Session) Choose(start string) error {
	if start != "" && start != workspace.ReferenceStart {
		start = s.Bench.Work.Relative(start)
	}
	s.Progress.Of(s.Unit().ID).Start = start
	return s.Bench.Work.SaveProgress(s.Progress)
}
