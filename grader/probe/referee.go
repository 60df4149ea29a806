package probe

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"fieldbook/grader"
	"fieldbook/grader/engine"
	"fieldbook/grader/probe/worker"
	"fieldbook/runtime/operation"
)

// refereed runs a program by the other engine as well. The two must agree on the outcome, the observation, the world that
// is left, the kinds of durable operations, the rows of a table, what a main program printed, and on a panic's kind and place.
// The execution is the first engine's; when the engines disagree, that is its outcome. A program that does not even
// agree with itself is left to whoever runs it twice.
func (r *Runner) refereed(ctx context.Context, run Run, message worker.Request) (*Execution, error) {
	first, err := r.by(ctx, run, run.Program, message)
	if err != nil {
		return nil, err
	}
	second, err := r.by(ctx, run, run.Program.Other, message)
	if err != nil {
		first.Close()
		return nil, err
	}
	defer second.Close()
	first.Engine = run.Program.Engine()
	where, err := r.apart(ctx, run, message, first, second)
	if err != nil {
		first.Close()
		return nil, err
	}
	if where != "" {
		first.end(grader.EnginesDisagree, fmt.Sprintf("%s and %s run this program differently: %s.", engineName(run.Program), engineName(run.Program.Other), where),
			"One of them is wrong. That is a fault of Fieldbook's, never yours: nothing is scored. Send this report to your instructor.")
		first.Crash = nil
	}
	return first, nil
}

func engineName(p *engine.Prepared) string {
	if p.Binary != "" {
		return "Go"
	}
	return "the interpreter"
}

// apart says in what two executions by different engines differ, "" for nothing. A difference counts only when each engine
// does the same thing a second time.
func (r *Runner) apart(ctx context.Context, run Run, message worker.Request, first, second *Execution) (string, error) {
	c := engineComparison{texts: texts(run.Program), printed: message.Mode == worker.Main}
	where, err := c.differ(ctx, first, second)
	if err != nil || where == "" {
		return "", err
	}
	for _, before := range []*Execution{first, second} {
		stable, err := r.repeats(ctx, run, message, c, before)
		if err != nil || !stable {
			return "", err
		}
	}
	return where, nil
}

// repeats reports whether a program does the same thing again.
func (r *Runner) repeats(ctx context.Context, run Run, message worker.Request, c engineComparison, before *Execution) (bool, error) {
	again, err := r.by(ctx, run, before.program, message)
	if err != nil {
		return false, err
	}
	defer again.Close()
	where, err := c.differ(ctx, before, again)
	return where == "", err
}

// texts are the files of a program that was built, by path.
func texts(p *engine.Prepared) map[string][]byte {
	if p.Copy == nil {
		p = p.Other
	}
	files := map[string][]byte{}
	for _, f := range p.Copy.Files {
		files[f.Path] = f.Text
	}
	return files
}

// engineComparison compares what one program did under two engines.
type engineComparison struct {
	texts   map[string][]byte
	printed bool // what was printed is all that there is
}

func (c engineComparison) differ(ctx context.Context, a, b *Execution) (string, error) {
	switch {
	case a.endless() && b.endless():
		return "", nil // engines differ in speed, and in what they run out of first
	case a.Outcome != b.Outcome:
		return fmt.Sprintf("one ends as %s, the other as %s", a.Outcome, b.Outcome), nil
	case a.Crash != nil && b.Crash != nil:
		return c.crashes(*a.Crash, *b.Crash), nil
	case a.Outcome != grader.Observed:
		return "", nil
	case !slices.EqualFunc(a.rows, b.rows, c.sameRow):
		return "a call of the table ends differently", nil
	case c.printed && a.Output.Text != b.Output.Text:
		return "they print different text", nil
	}
	if where := observations(a, b); where != "" {
		return where, nil
	}
	if !slices.Equal(durable(a.Operations), durable(b.Operations)) {
		return "they ask the disk for different operations", nil
	}
	return worlds(ctx, a, b)
}

// endless reports whether a run came to no end of its own: it ran out of time or memory, or of stack.
func (e *Execution) endless() bool {
	switch e.Outcome {
	case grader.Timeout, grader.CPULimit, grader.MemoryLimit:
		return true
	case grader.NoResult:
		return !e.replied
	default:
		return false
	}
}

func (c engineComparison) crashes(a, b grader.Crash) string {
	switch {
	case a.Kind != b.Kind:
		return fmt.Sprintf("one panics with %q, the other with %q", a.Kind, b.Kind)
	case a.File != b.File || !sameStatement(c.texts[a.File], a.Line, b.Line):
		return fmt.Sprintf("one panics at %s:%d, the other at %s:%d", a.File, a.Line, b.File, b.Line)
	default:
		return ""
	}
}

func (c engineComparison) sameRow(a, b Row) bool {
	if a.Crash != nil && b.Crash != nil {
		return c.crashes(*a.Crash, *b.Crash) == ""
	}
	return a.Crash == nil && b.Crash == nil && a.Value.Equal(b.Value) && a.Raises == b.Raises && a.Unfinished == b.Unfinished && a.Changed == b.Changed
}

// observations names the first field in which two observations differ.
func observations(a, b *Execution) string {
	if a.Observation == nil || b.Observation == nil {
		return ""
	}
	one, other := a.Observation.Fields(), b.Observation.Fields()
	var names []string
	for name := range one {
		names = append(names, name)
	}
	for name := range other {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if !one[name].Equal(other[name]) {
			return fmt.Sprintf("the field %s is %s for one, and %s for the other", name, one[name], other[name])
		}
	}
	return ""
}

// durable are the kinds of the durable operations of a log, and its marks.
func durable(entries []operation.Entry) []string {
	var kinds []string
	for _, e := range entries {
		switch {
		case e.Kind == operation.Mark:
			kinds = append(kinds, "mark "+e.Name)
		case e.Kind.Durable():
			kinds = append(kinds, string(e.Kind))
		}
	}
	return kinds
}

// worlds names the first place in which two worlds differ.
func worlds(ctx context.Context, a, b *Execution) (string, error) {
	var snapshots [2]grader.Snapshot
	var unread [2]bool
	for i, e := range []*Execution{a, b} {
		if e.Folder == "" {
			continue
		}
		var err error
		snapshots[i], err = ReadSnapshot(ctx, e.Folder)
		if unreadable := (*UnreadableError)(nil); errors.As(err, &unreadable) {
			unread[i] = true
		} else if err != nil {
			return "", fmt.Errorf("read what the run left: %w", err)
		}
	}
	if unread[0] != unread[1] {
		return "one leaves a database that cannot be read", nil
	}
	same := Comparison{Known: IDs(snapshots[0]), Contents: true} // both runs draw the same ids
	for _, d := range same.Compare(snapshots[0], snapshots[1]) {
		return fmt.Sprintf("%s is %s for one, and %s for the other", d.Place, d.Want, d.Got), nil
	}
	return "", nil
}
