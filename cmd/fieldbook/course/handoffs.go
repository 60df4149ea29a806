package course

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"fieldbook/cmd/fieldbook/lang"
	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/grader"
	"fieldbook/handoff"
)

// Candidate is something that a unit may start from.
type Candidate struct {
	Start   string // for Choose
	Name    string // file name, or SUPPLIED_REFERENCE
	Label   string // LEARNER_SELECTED or SUPPLIED_REFERENCE
	Detail  string // what it is, or why it cannot be used
	Refused bool
}

// Candidates are the handoffs in the workspace that the student's unit may start from, verified now, and the reference
// last. A file that fails is listed with the reason; a sound one of another exercise is none of them.
func (s *Session) Candidates() ([]Candidate, error) {
	e, err := s.Exercise()
	if err != nil {
		return nil, err
	}
	paths, err := filepath.Glob(filepath.Join(globbed(s.Bench.Work.Path(workspace.Handoffs)), "*-handoff-v1.json"))
	if err != nil {
		return nil, err
	}
	var list []Candidate
	for _, path := range paths {
		c := Candidate{Start: path, Name: filepath.Base(path), Label: workbench.LearnerSelected}
		h, err := handoff.Load(path, handoff.Expect{Exercise: e.Name})
		if other := (*handoff.Error)(nil); errors.As(err, &other) && other.Code == handoff.CodeOtherExercise {
			continue // sound, and of another exercise
		}
		if err != nil {
			c.Refused, c.Detail = true, strings.TrimPrefix(err.Error(), path+": ")
		} else {
			c.Detail = fmt.Sprintf(lang.Key("%s, made %s, sha256 %s…"), h.Unit, h.Environment.Created.Local().Format("2006-01-02 15:04"), h.Digest[:8])
		}
		list = append(list, c)
	}
	return append(list, Candidate{
		Start: workspace.ReferenceStart, Name: fmt.Sprintf(lang.Key("the course's own %s"), e.Name), Label: workbench.SuppliedReference,
		Detail: lang.Key("never called your own construction"),
	}), nil
}

// globbed escapes what filepath.Glob would read as a pattern.
func globbed(path string) string {
	return strings.NewReplacer("[", "\\[", "*", "\\*", "?", "\\?").Replace(path)
}

// OpenStart opens what the student's unit starts from.
func (s *Session) OpenStart(ctx context.Context) (*workbench.Breakage, error) {
	start := s.Start()
	e, err := s.Exercise()
	if err != nil {
		return nil, err
	}
	switch start {
	case "":
		return nil, &grader.Error{Code: "nothing_chosen", Message: "nothing is chosen to start from", Hint: "Choose a handoff in the first step of this unit.", Exit: grader.ExitUsage}
	case workspace.ReferenceStart:
		return s.Bench.BreakReference(ctx, e)
	default:
		if first := s.Bench.Constructing(e.Name); e.Name != s.Unit().Exercise && first != nil {
			// The student's own work was chosen; of another exercise of the unit that is its own handoff.
			start = s.Bench.Work.Path(workbench.HandoffPath(first, e.Name))
		}
		return s.Bench.BreakHandoff(ctx, start, e.Name)
	}
}
