package submit

import (
	"fmt"

	"fieldbook/cmd/fieldbook/lang"
	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/grader/task"
	"fieldbook/units"
)

// Item is one thing that is submitted: there, or still to come.
type Item struct {
	ID    string `json:"id"`
	What  string `json:"what"` // in the unit's words
	There bool   `json:"there"`
	// Done and Of count what an item consists of: texts, runs, files.
	Done int `json:"done"`
	Of   int `json:"of"`
}

// Items are what the unit says that it submits, with what is there of it. An item that is called as a step is that step's
// texts and runs.
func (w *Work) Items() []Item {
	var list []Item
	for _, i := range w.unit.Submits {
		item := Item{ID: i.ID, What: i.What}
		item.Done, item.Of = w.count(i.ID)
		item.There = item.Done >= item.Of && item.Of > 0
		list = append(list, item)
	}
	return list
}

// count says how much of an item is there. The unit's reader refuses an item that is none of these.
func (w *Work) count(id string) (done, of int) {
	switch id {
	case "handoff":
		return len(w.handoffs), len(exercisesOf(w.unit))
	case "source":
		for _, exercise := range exercisesOf(w.unit) {
			if of++; w.firstAttempt(exercise) != nil {
				done++
			}
		}
		return done, of
	case "start":
		if w.progress.Of(w.unit.ID).Start != "" || len(w.handoffs) > 0 {
			done = 1
		}
		return done, 1
	case "supplied":
		return 1, 1
	case "observations":
		return w.observations()
	case "faults":
		return w.faults()
	case "predictions":
		return w.texts(predicts)
	case "diagnosis":
		return w.texts(func(s *units.Step) bool { return s.Kind == units.Diagnose })
	case "explanation":
		id = "explain"
	case "evidence":
		done, of = w.evidence()
	}
	if s := w.unit.Step(id); s != nil {
		texts, all := w.step(s)
		return done + texts, of + all
	}
	return done, max(of, 1)
}

// observations counts the three runs of a unit that breaks.
func (w *Work) observations() (done, of int) {
	for _, label := range []string{task.LabelBaseline, task.LabelInjected} {
		if w.labelled(label) != nil {
			done++
		}
	}
	if w.lastAttempt(w.unit.Exercise, task.LabelRepair) != nil {
		done++
	}
	return done, 3
}

// faults counts the steps that inject one, and which of them were run.
func (w *Work) faults() (done, of int) {
	for _, s := range w.unit.Steps {
		if s.Kind == units.Inject {
			of++
			done += min(len(w.ofStep(s.ID)), 1)
		}
	}
	return done, of
}

// texts counts the steps of a kind whose prompts are answered.
func (w *Work) texts(of func(*units.Step) bool) (done, all int) {
	for i := range w.unit.Steps {
		if s := &w.unit.Steps[i]; of(s) && len(s.Prompts) > 0 {
			if all++; w.written(s) {
				done++
			}
		}
	}
	return done, all
}

// step counts the parts of a step that are submitted: its texts, and each run that it asks for.
func (w *Work) step(s *units.Step) (done, of int) {
	if len(s.Prompts) > 0 {
		if of++; w.written(s) {
			done++
		}
	}
	runs := len(s.Challenges)
	if s.OwnProbe {
		runs++
	}
	if s.Transfer != nil {
		runs++
	}
	if s.Impostors != "" {
		runs++
	}
	return done + min(len(w.ofStep(s.ID)), runs), of + runs
}

// List is Gather followed by Items: what will be submitted, for whoever shows it.
func List(w *workspace.Workspace, u *units.Unit, p *workspace.Progress) ([]Item, error) {
	work, err := Gather(w, u, p)
	if err != nil {
		return nil, err
	}
	return work.Items(), nil
}

// State says in a word how much of an item is there.
func (i Item) State() string {
	switch {
	case i.There:
		return lang.Key("there")
	case i.Done == 0:
		return lang.Key("not there yet")
	default:
		return fmt.Sprintf(lang.Key("%d of %d there"), i.Done, i.Of)
	}
}
