package submit

import (
	"encoding/json"
	"time"

	"fieldbook/grader"
	"fieldbook/runtime/world"
)

// Document is the submission file. Its keys are those that instructors' tools read; what a unit has none of is left out.
type Document struct {
	Unit             string         `json:"unit"`
	PlannedMinutes   int            `json:"planned_minutes"`
	StartingEvidence string         `json:"starting_evidence"`
	Prediction       []Notes        `json:"prediction"`
	Explanation      []Notes        `json:"explanation"`
	CoreReport       CoreReport     `json:"core_report"`
	OtherReports     []CoreReport   `json:"other_reports,omitempty"` // of the unit's other exercises
	Transfer         Transfer       `json:"transfer"`
	Counterexample   Counterexample `json:"counterexample"`
	Baseline         *Observed      `json:"baseline,omitempty"`
	Injected         *Observed      `json:"injected,omitempty"`
	Repaired         *Observed      `json:"repaired,omitempty"`
	Diagnosis        []Notes        `json:"diagnosis,omitempty"`
	Supplied         []Supplied     `json:"supplied"`
	Review           string         `json:"explanation_review"`
}

// HumanReview says that no program grades explanations.
const HumanReview = "HUMAN_REVIEW_REQUIRED"

// What stands in the place of what is not there.
const (
	NotWritten = "NOT_WRITTEN"
	NotRun     = "NOT_RUN"
)

// Notes are the texts of one step, in the order of its prompts.
type Notes struct {
	Step  string `json:"step"`
	Notes []Note `json:"notes"`
}

// Note is the answer to one prompt.
type Note struct {
	ID        string `json:"id"`
	Ask       string `json:"ask"`
	Text      string `json:"text"` // or NotWritten
	Time      string `json:"time,omitempty"`
	Revisions []Text `json:"revisions,omitempty"` // what was written later; the first text stands
}

// Text is something that was written at a time.
type Text struct {
	Text string `json:"text"`
	Time string `json:"time"`
}

// CoreReport is what the student's work on an exercise came to.
type CoreReport struct {
	Exercise     string          `json:"exercise"`
	Verdict      string          `json:"verdict"`
	Handoff      string          `json:"handoff"` // the file in the archive
	SHA256       string          `json:"sha256"`
	Prediction   string          `json:"prediction"` // digest of the prediction that the handoff carries, or "none"
	Attempts     int64           `json:"attempts"`
	Hints        int             `json:"hints"` // opened before submitting
	FirstAttempt *Observed       `json:"first_attempt,omitempty"`
	Result       json.RawMessage `json:"result"` // as signed
}

// Observed is a run that was kept.
type Observed struct {
	Evidence string         `json:"evidence"` // E7
	Label    string         `json:"label"`
	Time     string         `json:"time"`
	Outcome  grader.Outcome `json:"outcome"`
	Verdict  grader.Verdict `json:"verdict"`
	Cause    string         `json:"cause,omitempty"`
	Fields   []grader.Field `json:"fields,omitempty"`
}

// Transfer is the exercise in which the thought of the unit is asked for again.
type Transfer struct {
	Status   string `json:"status"` // a verdict, or NotRun
	Evidence string `json:"evidence,omitempty"`
	Rows     []Row  `json:"rows"`
}

// Row is one case. Two observed values are special: {unfinished: true}, and {raises: NAME}.
type Row struct {
	Case     string      `json:"case"`
	Expected world.Value `json:"expected"`
	Observed world.Value `json:"observed"`
	Passed   bool        `json:"passed"`
}

// Counterexample says which wrong functions the student's own cases reject.
type Counterexample struct {
	Status   string     `json:"status"` // a verdict, or NotRun
	Evidence string     `json:"evidence,omitempty"`
	Rows     []Impostor `json:"rows"`
}

// Impostor is one wrong function.
type Impostor struct {
	Impostor string `json:"impostor"`
	Rejected bool   `json:"rejected"`
	How      string `json:"how"` // what it is, and the case that tells it apart
}

// Supplied is a package that came with the course: building against it proves nothing about it.
type Supplied struct {
	Package string `json:"package"`
	Digest  string `json:"digest"`
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Truncate(time.Second).Format(time.RFC3339)
}
