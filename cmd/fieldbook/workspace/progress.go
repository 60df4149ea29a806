package workspace

import (
	"errors"
	"time"

	"fieldbook/grader"
)

// Progress is how far a student has come: where they stopped, which steps are done, which hints they opened.
type Progress struct {
	Format int                      `json:"format"`
	Unit   string                   `json:"unit"` // where they stopped
	Step   string                   `json:"step"`
	Units  map[string]*UnitProgress `json:"units"`
	Hints  map[string][]time.Time   `json:"hints"` // by exercise: when each hint was opened, in order
}

// UnitProgress is how far they have come in one unit.
type UnitProgress struct {
	Step  string                   `json:"step"`            // where they stopped
	Start string                   `json:"start,omitempty"` // what a unit that breaks started from: a slash path in the workspace, or ReferenceStart
	Steps map[string]*StepProgress `json:"steps"`
}

// ReferenceStart stands for the supplied reference in UnitProgress.Start.
const ReferenceStart = "SUPPLIED_REFERENCE"

// StepProgress is the record of one step.
type StepProgress struct {
	Done  time.Time     `json:"done,omitzero"`
	Spent time.Duration `json:"spent_ns"`
	Part  string        `json:"part,omitempty"` // where they stopped in it
	// Answers holds what the student wrote in the step, with times; entries are only ever added.
	Answers []Answer `json:"answers,omitempty"`
}

// Answer is one text a student wrote: a prediction, a diagnosis, a revision.
type Answer struct {
	Kind string    `json:"kind"`
	Text string    `json:"text"`
	Time time.Time `json:"time"`
}

const progressFile = Folder + "/progress.json"

// Progress reads the progress. A file that cannot be understood is set aside in a backup and a new one begun: a damaged
// record must not keep a student from their work. aside names that backup, or is "".
func (w *Workspace) Progress() (p *Progress, aside string, err error) {
	p, err = w.ReadProgress()
	var known *grader.Error
	if err == nil || errors.As(err, &known) {
		return p, "", err
	}
	b, err := w.Backup("progress that could not be read", progressFile)
	return newProgress(), b.ID, err
}

// ReadProgress reads the progress and changes nothing.
func (w *Workspace) ReadProgress() (*Progress, error) {
	p := newProgress()
	if err := w.readJSON(progressFile, p); err != nil {
		return nil, err
	}
	p.Format = Format
	return p, nil
}

func newProgress() *Progress {
	return &Progress{Format: Format, Units: map[string]*UnitProgress{}, Hints: map[string][]time.Time{}}
}

// SaveProgress writes the progress; when it returns nil, the progress is on the disk.
func (w *Workspace) SaveProgress(p *Progress) error { return w.writeJSON(progressFile, p) }

// OpenHint records that the next hint of an exercise was opened.
func (p *Progress) OpenHint(exercise string, at time.Time) {
	if p.Hints == nil { // the file said null
		p.Hints = map[string][]time.Time{}
	}
	p.Hints[exercise] = append(p.Hints[exercise], at.UTC().Truncate(time.Second))
}

// Of returns the record of a unit, making it when there is none.
func (p *Progress) Of(unit string) *UnitProgress {
	if p.Units == nil { // the file said null
		p.Units = map[string]*UnitProgress{}
	}
	u := p.Units[unit]
	if u == nil {
		u = &UnitProgress{}
		p.Units[unit] = u
	}
	if u.Steps == nil {
		u.Steps = map[string]*StepProgress{}
	}
	return u
}

// Of returns the record of a step, making it when there is none.
func (u *UnitProgress) Of(step string) *StepProgress {
	s := u.Steps[step]
	if s == nil {
		s = &StepProgress{}
		u.Steps[step] = s
	}
	return s
}
