package course

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"fieldbook/cmd/fieldbook/lang"
	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/units"
)

// Kept is a piece of evidence of a unit: there, or still to come.
type Kept struct {
	Name   string
	Detail string
	There  bool
}

// Survey is what a unit shows of a student's work in it, read from the workspace.
type Survey struct {
	Kept     []Kept
	Attempts []workspace.Attempt // at the unit's exercise, oldest first
	Last     *grader.Report      // of the last attempt
}

// Survey reads what is kept of a unit.
func (s *Session) Survey(u *units.Unit) (Survey, error) {
	var v Survey
	var err error
	if v.Attempts, err = s.Bench.Work.ListAttempts(u.Exercise); err != nil {
		return v, err
	}
	if n := len(v.Attempts); n > 0 {
		if report, err := s.Bench.Work.AttemptReport(v.Attempts[n-1].Number); err == nil {
			v.Last = &report
		}
	}
	if u.Role == units.Constructs {
		prediction, err := s.file(lang.Key("prediction"), workbench.PredictionPath(u.ID), lang.Key("short texts, before the first run"))
		if err != nil {
			return v, err
		}
		v.Kept = append(v.Kept, prediction, first(v.Attempts))
	} else {
		start := Kept{Name: "start", Detail: "a handoff, or the reference"}
		if chosen := s.Progress.Of(u.ID).Start; chosen != "" {
			start.There, start.Detail = true, labelOfStart(chosen)
		}
		v.Kept = append(v.Kept, start)
	}
	v.Kept = append(v.Kept, s.hints(u))
	written, err := s.file(lang.Key("handoff"), workbench.HandoffPath(u, u.Exercise), lang.Key("written at the first PASS"))
	v.Kept = append(v.Kept, written)
	return v, err
}

func labelOfStart(start string) string {
	if start == workspace.ReferenceStart {
		return workbench.SuppliedReference
	}
	return workbench.LearnerSelected
}

func first(attempts []workspace.Attempt) Kept {
	k := Kept{Name: "first attempt", Detail: "kept for good"}
	if len(attempts) > 0 {
		k.There, k.Detail = true, fmt.Sprintf(lang.Key("%s  kept for good"), clock(attempts[0].Time))
	}
	return k
}

func (s *Session) hints(u *units.Unit) Kept {
	e, err := exercises.Named(u.Exercise)
	if err != nil {
		return Kept{Name: "hints", Detail: "opening one is recorded"}
	}
	_, opened := s.Hint(e)
	return Kept{Name: "hints", There: opened > 0, Detail: fmt.Sprintf("%d of %d opened, recorded", opened, len(e.Hints))}
}

// file is a kept file with its time and digest.
func (s *Session) file(name, path, missing string) (Kept, error) {
	data, err := os.ReadFile(s.Bench.Work.Path(path))
	if errors.Is(err, fs.ErrNotExist) {
		return Kept{Name: name, Detail: missing}, nil
	}
	if err != nil {
		return Kept{Name: name, Detail: missing}, err
	}
	info, err := os.Stat(s.Bench.Work.Path(path))
	if err != nil {
		return Kept{Name: name, Detail: missing}, err
	}
	sum := sha256.Sum256(data)
	return Kept{Name: name, There: true, Detail: fmt.Sprintf("%s  sha256 %x…", clock(info.ModTime()), sum[:4])}, nil
}

func clock(t time.Time) string { return t.Local().Format("15:04") }
