package submit

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/grader"
	"fieldbook/handoff"
	"fieldbook/units"
)

// Work is what a workspace holds of one unit.
type Work struct {
	workspace *workspace.Workspace
	unit      *units.Unit
	progress  *workspace.Progress
	handoffs  []written
	attempts  []workspace.Attempt // all that were kept, oldest first
	runs      []run               // the last one for each part of the unit, in the order of their numbers
}

// written is a handoff of the unit.
type written struct {
	exercise string
	name     string
	data     []byte
	*handoff.Handoff
}

// run is the last run for a part of the unit.
type run struct {
	workspace.Attempt
	report grader.Report
}

// Gather reads what a workspace holds of a unit. A handoff that fails verification is an error: it would be refused wherever it
// arrives.
func Gather(w *workspace.Workspace, u *units.Unit, p *workspace.Progress) (*Work, error) {
	work := &Work{workspace: w, unit: u, progress: p}
	for _, exercise := range exercisesOf(u) {
		if err := work.gatherHandoff(exercise); err != nil {
			return nil, err
		}
	}
	var err error
	if work.attempts, err = w.ListAttempts(""); err != nil {
		return nil, err
	}
	return work, work.gatherRuns()
}

// exercisesOf are the exercises whose handoffs a unit writes, its own first.
func exercisesOf(u *units.Unit) []string {
	list := []string{u.Exercise}
	for i := range u.Steps {
		if name := u.ExerciseOf(&u.Steps[i]); !slices.Contains(list, name) && u.HandoffOf(name) != "" {
			list = append(list, name)
		}
	}
	return list
}

func (w *Work) gatherHandoff(exercise string) error {
	name := w.unit.HandoffOf(exercise)
	if name == "" {
		return nil
	}
	file := w.workspace.Path(workspace.Handoffs + "/" + name)
	if _, err := os.Lstat(file); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	h, err := handoff.Load(file, handoff.Expect{Unit: w.unit.ID, Exercise: exercise})
	if err != nil {
		return err
	}
	data, err := handoff.ReadFile(file)
	if err != nil {
		return err
	}
	w.handoffs = append(w.handoffs, written{exercise: exercise, name: name, data: data, Handoff: h})
	return nil
}

// gatherRuns finds the last run for each part of the unit. An example is no evidence: it is supplied.
func (w *Work) gatherRuns() error {
	seen := map[string]bool{}
	for _, a := range slices.Backward(w.attempts) {
		if !strings.HasPrefix(a.Part, w.unit.ID+"/") || seen[a.Part] || slices.Contains([]string{labelExample, labelDemonstration}, a.Label) {
			continue
		}
		seen[a.Part] = true
		report, err := w.workspace.AttemptReport(a.Number)
		if err != nil {
			continue // somebody edited the record: there is nothing to cite
		}
		w.runs = append(w.runs, run{Attempt: a, report: report})
	}
	slices.Reverse(w.runs)
	return nil
}

// labelled is the last run with a label, nil when there is none.
func (w *Work) labelled(label string) *run {
	for i := range slices.Backward(w.runs) {
		if w.runs[i].Label == label {
			return &w.runs[i]
		}
	}
	return nil
}

// ofStep are the runs for parts of a step.
func (w *Work) ofStep(step string) []run {
	var list []run
	for _, r := range w.runs {
		if strings.HasPrefix(r.Part, w.unit.ID+"/"+step+"/") {
			list = append(list, r)
		}
	}
	return list
}

// firstAttempt is the first attempt at an exercise, nil when there is none.
func (w *Work) firstAttempt(exercise string) *workspace.Attempt {
	for i, a := range w.attempts {
		if a.Exercise == exercise && a.Part == "" {
			return &w.attempts[i]
		}
	}
	return nil
}

// notes are the answers to the prompts of a step.
func (w *Work) notes(s *units.Step) Notes {
	list := Notes{Step: s.ID, Notes: []Note{}}
	answers := w.progress.Of(w.unit.ID).Of(s.ID).Answers
	asked := slices.Clone(s.Prompts)
	if s.Revision != "" {
		asked = append(asked, units.Prompt{ID: "revision", Ask: s.Revision})
	}
	for _, p := range asked {
		note := Note{ID: p.ID, Ask: strings.Join(strings.Fields(p.Ask), " "), Text: NotWritten}
		for _, a := range answers {
			switch {
			case a.Kind != p.ID:
			case note.Text == NotWritten:
				note.Text, note.Time = a.Text, stamp(a.Time)
			default:
				note.Revisions = append(note.Revisions, Text{Text: a.Text, Time: stamp(a.Time)})
			}
		}
		list.Notes = append(list.Notes, note)
	}
	return list
}

// written reports whether every prompt of a step has an answer. A revision is asked for only where something differed.
func (w *Work) written(s *units.Step) bool {
	for _, n := range w.notes(s).Notes[:len(s.Prompts)] {
		if n.Text == NotWritten {
			return false
		}
	}
	return len(s.Prompts) > 0
}

// predicts reports whether a step's prompts are a prediction.
func predicts(s *units.Step) bool { return s.Kind == units.Predict || s.OwnProbe }

// predictionFiles are the files that keep the unit's predictions, by their names in the workspace's folder of predictions.
func (w *Work) predictionFiles() (map[string][]byte, error) {
	entries, err := os.ReadDir(w.workspace.Path(workspace.Predictions))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, e := range entries {
		base := strings.TrimSuffix(e.Name(), path.Ext(e.Name()))
		if !e.Type().IsRegular() || base != w.unit.ID && !strings.HasPrefix(base, w.unit.ID+"-") {
			continue
		}
		if files[e.Name()], err = os.ReadFile(w.workspace.Path(workspace.Predictions + "/" + e.Name())); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// Labels of the runs that a submission tells apart. Package workbench makes the runs.
const (
	labelExample       = "EXAMPLE"
	labelDemonstration = "DEMONSTRATION"
	labelChallenge     = "CHALLENGE"
	labelCases         = "MY_CASES"
	labelImpostor      = "IMPOSTOR"
)
