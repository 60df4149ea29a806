package submit

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"fieldbook/grader"
	"fieldbook/grader/task"
	"fieldbook/handoff/archive"
	"fieldbook/handoff/canonical"
	"fieldbook/handoff/submission"
	teaching "fieldbook/runtime"
	"fieldbook/units"
)

// Document is the submission file of the unit.
func (w *Work) Document() Document {
	u := w.unit
	d := Document{
		Unit: u.ID, PlannedMinutes: u.Minutes, Prediction: []Notes{}, Explanation: []Notes{},
		Transfer: w.transfer(), Counterexample: w.counterexample(), Supplied: suppliedPackages(), Review: HumanReview,
		Baseline: w.observed(task.LabelBaseline), Injected: w.injected(),
	}
	for i := range u.Steps {
		s := &u.Steps[i]
		switch {
		case len(s.Prompts) == 0:
		case s.Kind == units.Diagnose:
			d.Diagnosis = append(d.Diagnosis, w.notes(s))
		case predicts(s):
			d.Prediction = append(d.Prediction, w.notes(s))
		default:
			d.Explanation = append(d.Explanation, w.notes(s))
		}
	}
	for _, h := range w.handoffs {
		report := w.core(h)
		if h.exercise == u.Exercise {
			d.CoreReport, d.StartingEvidence = report, h.StartingEvidence
		} else {
			d.OtherReports = append(d.OtherReports, report)
		}
	}
	if u.Role == units.Breaks {
		d.Repaired = w.lastAttempt(u.Exercise, task.LabelRepair)
	}
	return d
}

func (w *Work) core(h written) CoreReport {
	report := CoreReport{
		Exercise: h.exercise, Verdict: h.Verdict, Handoff: h.name, SHA256: h.Digest, Prediction: h.Prediction, Attempts: h.Attempts,
		Hints: len(w.progress.Hints[h.exercise]), Result: h.Result,
	}
	if first := w.firstAttempt(h.exercise); first != nil {
		if r, err := w.workspace.AttemptReport(first.Number); err == nil {
			report.FirstAttempt = observe(run{Attempt: *first, report: r})
		}
	}
	return report
}

// injected is the run of the unit's own fault; a step may inject another.
func (w *Work) injected() *Observed {
	for _, r := range w.runs {
		_, rest, _ := strings.Cut(r.Part, "/")
		id, _, _ := strings.Cut(rest, "/")
		if s := w.unit.Step(id); r.Label == task.LabelInjected && s != nil && w.unit.FaultOf(s) == w.unit.Fault {
			return observe(r)
		}
	}
	return nil
}

func (w *Work) observed(label string) *Observed {
	if r := w.labelled(label); r != nil {
		return observe(*r)
	}
	return nil
}

// lastAttempt is the last attempt at an exercise with a label.
func (w *Work) lastAttempt(exercise, label string) *Observed {
	for _, a := range slices.Backward(w.attempts) {
		if a.Exercise == exercise && a.Part == "" && a.Label == label {
			if r, err := w.workspace.AttemptReport(a.Number); err == nil {
				return observe(run{Attempt: a, report: r})
			}
		}
	}
	return nil
}

func observe(r run) *Observed {
	return &Observed{
		Evidence: r.Evidence(), Label: r.Label, Time: stamp(r.Time), Outcome: r.Outcome, Verdict: r.Verdict, Cause: r.report.Cause, Fields: r.report.Fields,
	}
}

func (w *Work) transfer() Transfer {
	t := Transfer{Status: NotRun, Rows: []Row{}}
	if r := w.labelled(labelCases); r != nil {
		t.Status, t.Evidence = string(r.Verdict), r.Evidence()
		for _, f := range r.report.Fields {
			t.Rows = append(t.Rows, Row{Case: f.Name, Expected: f.Expected, Observed: f.Observed, Passed: f.Agrees})
		}
	}
	return t
}

func (w *Work) counterexample() Counterexample {
	c := Counterexample{Status: NotRun, Rows: []Impostor{}}
	if r := w.labelled(labelImpostor); r != nil {
		c.Status, c.Evidence = string(r.Verdict), r.Evidence()
		for _, f := range r.report.Fields {
			c.Rows = append(c.Rows, Impostor{Impostor: f.Name, Rejected: f.Agrees, How: f.From})
		}
	}
	return c
}

func suppliedPackages() []Supplied {
	var list []Supplied
	for _, file := range teaching.SuppliedFiles() {
		folder := path.Dir(file)
		if len(list) == 0 || list[len(list)-1].Package != folder {
			list = append(list, Supplied{Package: folder, Digest: teaching.PackageDigest(folder)})
		}
	}
	return list
}

// Files are what the archive holds. Without the handoff of the unit's exercise there is nothing to submit.
func (w *Work) Files() ([]archive.File, error) {
	if len(w.handoffs) == 0 || w.handoffs[0].exercise != w.unit.Exercise {
		return nil, &grader.Error{
			Code:    "nothing_to_submit",
			Message: fmt.Sprintf("the unit %s has no handoff yet, so there is nothing that could be graded", w.unit.ID),
			Hint:    "A passing run writes it: fieldbook run " + w.unit.Exercise + ".",
			Exit:    grader.ExitUsage,
		}
	}
	f := folder{}
	document, err := canonical.Marshal(w.Document())
	if err != nil {
		return nil, fmt.Errorf("write the submission file of %s: %w", w.unit.ID, err)
	}
	f.add(document, submission.DocumentName(w.unit.ID))
	for _, h := range w.handoffs {
		f.add(h.data, h.name)
		for _, source := range h.Implementation {
			f.add([]byte(source.Text), submission.Sources, source.Path)
		}
	}
	for _, gather := range []func(*folder) error{w.addFirst, w.addPredictions, w.addNotes, w.addRuns, w.addEvidence} {
		if err := gather(&f); err != nil {
			return nil, err
		}
	}
	return f.files, nil
}

// folder gathers files. What was added first under a name stays.
type folder struct{ files []archive.File }

func (f *folder) add(data []byte, name ...string) {
	joined := path.Join(name...)
	if !slices.ContainsFunc(f.files, func(g archive.File) bool { return g.Name == joined }) {
		f.files = append(f.files, archive.File{Name: joined, Data: data})
	}
}

// addFirst adds the files of the first attempt at each exercise, which is kept for good.
func (w *Work) addFirst(f *folder) error {
	for _, h := range w.handoffs {
		first := w.firstAttempt(h.exercise)
		if first == nil {
			continue
		}
		for _, source := range first.Sources {
			text, err := w.workspace.AttemptText(*first, source)
			if err != nil {
				return err
			}
			f.add(text, submission.First, source.Path)
		}
	}
	return nil
}

func (w *Work) addPredictions(f *folder) error {
	files, err := w.predictionFiles()
	for name, data := range files {
		f.add(data, submission.Predictions, name)
	}
	return err
}

// addNotes adds the files in which steps keep their notes.
func (w *Work) addNotes(f *folder) error {
	for _, s := range w.unit.Steps {
		if s.Notes == "" {
			continue
		}
		data, err := os.ReadFile(w.workspace.Path(s.Notes))
		if err == nil {
			f.add(data, submission.Own, s.Notes)
		} else if !os.IsNotExist(err) {
			return err
		}
	}
	return nil
}

// record is a run as the archive keeps it: its report without the operations and the tables, which running the sources again
// gives, and what was predicted of it.
type record struct {
	Observed
	Part        string              `json:"part"`
	Predicted   []Note              `json:"predicted"`
	Diagnostics []grader.Diagnostic `json:"diagnostics,omitempty"`
	Sources     []source            `json:"sources"`
}

type source struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
}

// addRuns adds the records of the runs, and the files beside the exercise's own that they ran: a probe, cases.
func (w *Work) addRuns(f *folder) error {
	for _, r := range w.runs {
		entry := record{Observed: *observe(r), Part: r.Part, Predicted: w.predicted(r.Part), Diagnostics: r.report.Diagnostics, Sources: []source{}}
		for _, s := range r.Sources {
			entry.Sources = append(entry.Sources, source{Path: s.Path, SHA256: s.SHA256})
			if r.Label == labelImpostor || r.Label == task.LabelBaseline || r.Label == task.LabelInjected {
				continue // what these ran is supplied, or in the handoff
			}
			text, err := w.workspace.AttemptText(r.Attempt, s)
			if err != nil {
				return err
			}
			if strings.HasPrefix(s.Path, "runtime/") {
				f.add(text, submission.Sources, s.Path)
			} else {
				f.add(text, submission.Own, s.Path)
			}
		}
		data, err := canonical.Marshal(entry)
		if err != nil {
			return fmt.Errorf("write the record of %s: %w", r.Evidence(), err)
		}
		f.add(data, submission.Runs, r.Evidence()+".json")
	}
	return nil
}

// predicted are the texts that were committed for a part before it ran.
func (w *Work) predicted(part string) []Note {
	list := []Note{}
	rest, ok := strings.CutPrefix(part, w.unit.ID+"/")
	step, activity, _ := strings.Cut(rest, "/")
	if !ok {
		return list
	}
	for _, a := range w.progress.Of(w.unit.ID).Of(step).Answers {
		if id, ok := strings.CutPrefix(a.Kind, activity+"/"); ok {
			list = append(list, Note{ID: id, Text: a.Text, Time: stamp(a.Time)})
		}
	}
	return list
}

// Archive is the submission's bytes, read back and checked as the instructor's program will.
func (w *Work) Archive() (data []byte, files []archive.File, err error) {
	if files, err = w.Files(); err != nil {
		return nil, nil, err
	}
	if data, err = archive.Encode(archive.Submission, files); err != nil {
		return nil, nil, err
	}
	slices.SortFunc(files, func(a, b archive.File) int { return strings.Compare(a.Name, b.Name) })
	_, err = submission.Read(data)
	return data, files, err
}

// CourseReport is the line by which scripts learn what a unit came to.
type CourseReport struct {
	Unit             string `json:"unit"`
	TransferPassed   bool   `json:"transfer_passed"`
	StartingEvidence string `json:"starting_evidence"`
	Edition          string `json:"edition"`
}

// CourseReport says what the unit came to.
func (w *Work) CourseReport() CourseReport {
	d := w.Document()
	return CourseReport{Unit: w.unit.ID, TransferPassed: d.Transfer.Status == string(grader.Pass), StartingEvidence: d.StartingEvidence, Edition: units.Edition}
}

// Line is the report as it is printed.
func (r CourseReport) Line() string {
	data, err := json.Marshal(r)
	if err != nil {
		return "" // texts and a bool: they have a form
	}
	return "COURSE_REPORT=" + string(data)
}
