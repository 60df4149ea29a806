// Package evidence turns a report into what a person follows: the steps of an operation log with the learner's lines,
// and the cells of a world that changed from one moment to the next. It computes and draws nothing; it runs in the
// student's command and imports only the words of package grader and the runtime's log and values.
package evidence

import (
	"path"
	"strings"

	"fieldbook/grader"
	"fieldbook/runtime/operation"
)

// StepKind says who caused a step.
type StepKind string

const (
	// CallStep is one call into a supplied package, with the durable operations done for it.
	CallStep StepKind = "call"
	// MarkStep is a moment that the probe named.
	MarkStep StepKind = "mark"
	// OutsideStep is a series of durable operations that no call asked for: SQLite closing a file, for one.
	OutsideStep StepKind = "outside"
	// ProbeStep is a series of calls made by supplied code, folded into one.
	ProbeStep StepKind = "probe"
)

// Step is one line of a timeline: the entries of the log that belong together.
type Step struct {
	Kind    StepKind
	Name    string // "database.Exec"; a mark's label
	Subject string // the file it is about, relative to the world
	Detail  string // SQL, file names
	File    string // where the call is written; "" when unknown
	Line    int    // its line; 0: unknown or supplied
	Yours   bool   // File is one of the learner's
	Calls   int    // folded calls, for ProbeStep
	Changed int64  // rows, as the call returned them
	Err     string // what the call returned, or "" for nil
	Durable []operation.Entry
	Seq     int // of the first entry
}

// Place is the short name of what a step is about: "shop.sqlite", "image".
func (s Step) Place() string {
	subject := s.Subject
	if subject == "" && len(s.Durable) > 0 {
		subject = s.Durable[0].Path
	}
	return path.Base(subject)
}

// Bytes is how many bytes the step asked a disk to write.
func (s Step) Bytes() int {
	n := 0
	for _, e := range s.Durable {
		n += Written(e)
	}
	return n
}

// Written is how many bytes an entry writes. A kept report has the number where the run had the bytes.
func Written(e operation.Entry) int {
	if e.Kind == operation.Write && len(e.Data) == 0 {
		return int(e.Size)
	}
	return len(e.Data)
}

// Count is how many durable operations of a kind the step has.
func (s Step) Count(kind operation.Kind) int {
	n := 0
	for _, e := range s.Durable {
		if e.Kind == kind {
			n++
		}
	}
	return n
}

// Timeline groups a log by call, in order. Calls from the learner's files stand alone, each with its line; what supplied
// code did between them is folded into one step.
func Timeline(log []operation.Entry, learner ...string) []Step {
	var steps []Step
	at := map[int]int{} // seq of a call entry: index of its step
	for _, e := range log {
		e = visible(e)
		switch e.Kind {
		case operation.Call:
			at[e.Seq] = len(steps)
			steps = append(steps, Step{
				Kind: CallStep, Name: e.Name, Subject: e.Subject, Detail: e.Detail, File: e.File, Line: e.Line,
				Yours: e.Line > 0 && contains(learner, e.File), Calls: 1, Seq: e.Seq,
			})
		case operation.Return:
			if i, ok := at[e.Call]; ok {
				steps[i].Changed, steps[i].Err = e.Changed, e.Err
			}
		case operation.Mark:
			steps = append(steps, Step{Kind: MarkStep, Name: e.Name, Seq: e.Seq})
		default:
			i, ok := at[e.Call]
			if !ok {
				if n := len(steps); n == 0 || steps[n-1].Kind != OutsideStep {
					steps = append(steps, Step{Kind: OutsideStep, Seq: e.Seq})
				}
				i = len(steps) - 1
			}
			steps[i].Durable = append(steps[i].Durable, e)
		}
	}
	return fold(steps)
}

// visible is an entry as it may be shown: names of files and statements are the learner's.
func visible(e operation.Entry) operation.Entry {
	for _, text := range []*string{&e.Name, &e.Subject, &e.Detail, &e.File, &e.Err, &e.Path, &e.To} {
		*text = grader.Visible([]byte(*text))
	}
	return e
}

// fold joins neighbouring steps of supplied code. What no call asked for joins the step before it.
func fold(steps []Step) []Step {
	var folded []Step
	for _, s := range steps {
		if s.Kind == CallStep && !s.Yours {
			s.Kind, s.Detail, s.Subject, s.File, s.Line, s.Err, s.Changed = ProbeStep, "", "", "", 0, "", 0
		}
		last := len(folded) - 1
		if last >= 0 && (s.Kind == ProbeStep && folded[last].Kind == ProbeStep || s.Kind == OutsideStep && folded[last].Kind != MarkStep) {
			if s.Kind == ProbeStep && folded[last].Name != s.Name {
				folded[last].Name = ""
			}
			folded[last].Calls += s.Calls
			folded[last].Durable = append(folded[last].Durable, s.Durable...)
			continue
		}
		folded = append(folded, s)
	}
	return folded
}

func contains(list []string, s string) bool {
	for _, v := range list {
		if v == s {
			return true
		}
	}
	return false
}

// Folded is text with its white space folded, as SQL is shown on one line.
func Folded(text string) string { return strings.Join(strings.Fields(text), " ") }
