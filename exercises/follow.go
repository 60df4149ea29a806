package exercises

import (
	"slices"
	"strings"

	"fieldbook/runtime/operation"
)

// Progress says how far an operation log shows a rule of the contract.
type Progress string

// The states of a rule.
const (
	NotYet  Progress = "not yet"
	Seen    Progress = "seen"
	TooLate Progress = "seen too late"
)

// Step is a rule of the contract as one operation log shows it.
type Step struct {
	Rule     Rule     `json:"rule"`
	Progress Progress `json:"progress"`
	Seq      int      `json:"seq,omitempty"`  // the log entry that shows it; 0: not yet
	File     string   `json:"file,omitempty"` // of the call that made the entry
	Line     int      `json:"line,omitempty"` // 0: unknown
}

// Follow reads an operation log by rules, the exercise's Contract or those of a holdout: one step a rule, in their order.
// Only what the learner's files asked for counts, durable operations included; the probe's own calls and those of other
// functions of the runtime do not. It never looks at the source.
func (e *Exercise) Follow(rules []Rule, log []operation.Entry) []Step {
	own := e.asked(log)
	steps := make([]Step, len(rules))
	first := make(map[string]int, len(rules)) // Seq of what shows a rule, by id
	for i, rule := range rules {
		steps[i] = Step{Rule: rule, Progress: NotYet}
		if at := slices.IndexFunc(own, func(o owned) bool { return rule.matches(o.entry) }); at >= 0 {
			entry, call := own[at].entry, own[at].call
			steps[i] = Step{Rule: rule, Progress: Seen, Seq: entry.Seq, File: call.File, Line: call.Line}
			first[rule.ID] = entry.Seq
		}
	}
	for i, step := range steps {
		if limit, seen := first[step.Rule.Before]; seen && limit < step.Seq {
			steps[i].Progress = TooLate
		}
	}
	return steps
}

// owned is an entry that the learner's source asked for, with the call that asked.
type owned struct{ entry, call operation.Entry }

// asked picks the entries that come from the learner's files: their calls, and whatever happened inside those. An entry
// without a line of its own belongs to the call that encloses it.
func (e *Exercise) asked(log []operation.Entry) []owned {
	calls := map[int]operation.Entry{} // the learner's, by Seq of the entry that they explain
	var own []owned
	for _, entry := range log {
		call := entry
		if entry.Kind != operation.Call || entry.File == "" {
			call = calls[entry.Call]
		}
		if slices.ContainsFunc(e.Replaces, func(r Replaced) bool { return r.File == call.File }) {
			calls[entry.Seq] = call
			own = append(own, owned{entry, call})
		}
	}
	return own
}

func (r Rule) matches(entry operation.Entry) bool {
	return slices.ContainsFunc(r.Seen, func(m Match) bool { return m.matches(entry) })
}

func (m Match) matches(entry operation.Entry) bool {
	contains := func(text, part string) bool { return strings.Contains(strings.ToLower(text), strings.ToLower(part)) }
	return (m.Kind == "" || m.Kind == string(entry.Kind)) &&
		(m.Name == "" || m.Name == entry.Name) &&
		contains(entry.Path, m.Path) && contains(entry.Subject, m.Subject) && contains(entry.Detail, m.Detail)
}
