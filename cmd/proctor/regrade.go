package main

import (
	"context"
	"fmt"

	"fieldbook/cmd/proctor/examine"
	"fieldbook/exercises"
	"fieldbook/exercises/holdout"
	"fieldbook/grader"
	"fieldbook/grader/task"
	"fieldbook/handoff"
	"fieldbook/handoff/canonical"
)

// regrading is a handoff that was executed again: the visible probe, and the holdouts when they were asked for.
type regrading struct {
	handoff  *handoff.Handoff
	report   grader.Report // of the visible probe
	same     bool          // it gave the bytes that the handoff holds
	verdict  grader.Verdict
	holdouts string // digest of the set
	result   []byte // canonical, as receipts hold it; nil when no holdouts were run
	made     task.Circumstances
}

// seedRange is the seeds that the holdouts are drawn from.
type seedRange struct{ first, count uint64 }

// regrade executes a verified handoff again; seeds.count 0 leaves the holdouts out. What is wrong with the handoff is an
// error with exit code 4, and what is wrong with its implementation is in the regrading.
func (p *program) regrade(ctx context.Context, h *handoff.Handoff, seeds seedRange) (*regrading, error) {
	e, err := exercises.Named(h.Exercise)
	if err != nil {
		return nil, &grader.Error{
			Code: "handoff_other_exercise", Exit: grader.ExitInvalid, Hint: "Use the edition that wrote it.",
			Message: fmt.Sprintf("the handoff is for an exercise %q that this edition does not have", h.Exercise),
		}
	}
	t, err := p.task(e)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	if err := h.Matches(t.Expect()); err != nil {
		return nil, err
	}
	r := &regrading{handoff: h}
	if r.report, err = t.Adopt(ctx, h); err != nil {
		return nil, err
	}
	if r.report.Outcome == "" {
		if r.report, r.same, err = t.Reexecute(ctx, h); err != nil {
			return nil, err
		}
	}
	r.verdict, r.made = r.report.Verdict, t.Circumstances(r.report)
	if r.verdict == grader.Pass && !r.same {
		r.verdict = grader.Invalid
	}
	if seeds.count == 0 || r.verdict == grader.Invalid || len(t.Installed()) == 0 {
		return r, nil
	}
	return r, p.regradeHoldouts(ctx, t, r, seeds)
}

// result is what a receipt says of an execution. It names no case.
type result struct {
	Visible  caseVerdict   `json:"visible"`
	Holdouts []caseVerdict `json:"holdouts"` // by case, in the order of the set, then by seed
	Points   int           `json:"points"`
	Of       int           `json:"of"`
}

type caseVerdict struct {
	Verdict grader.Verdict `json:"verdict"`
	Result  string         `json:"result"` // digest of the canonical result, or none
}

func (p *program) regradeHoldouts(ctx context.Context, t *task.Task, r *regrading, seeds seedRange) error {
	set, err := holdout.Named(t.Exercise().Name)
	if err != nil {
		return err
	}
	if r.holdouts, err = set.Digest(); err != nil {
		return err
	}
	run := p.drawn(set, seeds)
	p.progress.begin(set.Exercise.Name, len(run.draws))
	defer p.progress.end()
	outcomes, err := run.bench.Examine(t).Run(ctx, run.draws, p.progress.step)
	if err != nil {
		return run.explain(err)
	}
	var file fileResult
	file.take(outcomes)
	out := result{
		Visible:  caseVerdict{Verdict: r.report.Verdict, Result: handoff.Digest(r.handoff.Result)},
		Holdouts: verdicts(outcomes), Points: file.Points, Of: weights(set),
	}
	if !r.same {
		out.Visible.Result = handoff.None
	}
	if file.Verdict.ExitCode() > r.verdict.ExitCode() {
		r.verdict = file.Verdict
	}
	r.result, err = canonical.Marshal(out)
	return err
}

// drawn are the cases of a set, drawn; what the solution leaves in them is kept from one handoff to the next.
func (p *program) drawn(set *holdout.Set, seeds seedRange) *holdoutRun {
	for _, run := range p.runs {
		if run.set.Exercise.Name == set.Exercise.Name && run.options.seed == seeds.first && run.options.seeds == seeds.count {
			return run
		}
	}
	run := p.holdoutRun(set, holdoutOptions{seed: seeds.first, seeds: seeds.count})
	p.runs = append(p.runs, run)
	return run
}

func verdicts(outcomes []examine.Outcome) []caseVerdict {
	list := make([]caseVerdict, len(outcomes))
	for i, o := range outcomes {
		list[i] = caseVerdict{Verdict: o.Verdict, Result: o.Result}
	}
	return list
}

// weights is the sum of a set's weights.
func weights(set *holdout.Set) int {
	sum := 0
	for _, c := range set.Cases {
		sum += c.Weight
	}
	return sum
}
