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
	Step  string                   `json:"step"` // where they stopped
	Steps map[string]*StepProgress `json:"steps"`
}

// StepProgress is the record of one step.
type StepProgress struct {
	Done  time.Time     `json:"done,omitzero"`
	Spent time.Duration `json:"spent_ns"`
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
	p = &Progress{}
	if err := w.readJSON(progressFile, p); err != nil {
		var known *grader.Error
		if errors.As(err, &known) {
			return nil, "", err
		}
		b, err := w.Backup("progress that could not be read", progressFile)
		if err != nil {
			return nil, "", err
		}
		p, aside = &Progress{}, b.ID
	}
	p.Format = Format
	if p.Units == nil {
		p.Units = map[string]*UnitProgress{}
	}
	if p.Hints == nil {
		p.Hints = map[string][]time.Time{}
	}
	return p, aside, nil
}

// SaveProgress writes the progress; when it returns nil, the progress is on the disk.
func (w *Workspace) SaveProgress(p *Progress) error { return w.writeJSON(progressFile, p) }

// Of returns the record of a unit, making it when there is none.
func (p *Progress) Of(unit string) *UnitProgress {
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
