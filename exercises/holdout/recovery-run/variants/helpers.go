//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-run variant helpers 9e2feefe

package recovery

import (
	"context"

	"fieldbook/runtime/fieldnotes"
)

// Run leaves the policy, the effect and the end to three functions.
func Run(ctx context.Context, notes *fieldnotes.Notebook, task fieldnotes.Task) (fieldnotes.Result, error) {
	c, err := notes.Load(task)
	if err != nil {
		return fieldnotes.Result{}, err
	}
	switch c.Phase {
	case fieldnotes.Prepared, fieldnotes.EffectObserved:
		c.Recovered = true
	default:
		c.Recovered = false
	}
	proposal, reason, err := ask(ctx, notes, task)
	if err != nil {
		return fieldnotes.Result{}, err
	}
	if reason != "" {
		return end(notes, c, reason, false)
	}
	c, reused, reason, err := act(ctx, notes, c, proposal)
	if err != nil {
		return fieldnotes.Result{}, err
	}
	if reason != "" {
		return end(notes, c, reason, false)
	}
	ok, err := Verify(ctx, notes, c.IdempotencyKey, task.Wanted())
	if err != nil {
		return fieldnotes.Result{}, err
	}
	reason = fieldnotes.FinalInvalid
	if ok {
		reason = fieldnotes.Accepted
	}
	return end(notes, c, reason, reused)
}

// ask returns a proposal, and the stop reason when it is denied.
func ask(ctx context.Context, notes *fieldnotes.Notebook, task fieldnotes.Task) (fieldnotes.Proposal, string, error) {
	proposal, err := task.Model.Propose(ctx)
	if err != nil {
		return proposal, "", err
	}
	d := Decide(task.Policy, proposal)
	err = notes.Record("policy_decision", map[string]any{"allowed": d.Allowed, "reason": string(d.Reason), "tool": proposal.Tool})
	if d.Allowed {
		return proposal, "", err
	}
	return proposal, fieldnotes.PolicyDenied + string(d.Reason), err
}

// act has the effect, unless it is there, and returns the checkpoint after it.
func act(ctx context.Context, notes *fieldnotes.Notebook, c fieldnotes.Checkpoint, p fieldnotes.Proposal) (fieldnotes.Checkpoint, bool, string, error) {
	effects, err := notes.Effects()
	if err != nil {
		return c, false, "", err
	}
	effect := fieldnotes.Effect{Tenant: p.Tenant, OrderID: p.OrderID, Status: fieldnotes.Written}
	if _, ok := effects[c.IdempotencyKey]; ok {
		reused, err := Execute(ctx, notes, c.IdempotencyKey, effect)
		return c, reused, "", err
	}
	if c.BudgetLeft < 1 {
		return c, false, fieldnotes.BudgetExhausted, nil
	}
	c.Phase, c.Step, c.BudgetLeft, c.StopReason = fieldnotes.Prepared, 1, c.BudgetLeft-1, ""
	if err := notes.Save(c); err != nil {
		return c, false, "", err
	}
	reused, err := Execute(ctx, notes, c.IdempotencyKey, effect)
	if err != nil {
		return c, false, "", err
	}
	c.Phase = fieldnotes.EffectObserved
	return c, reused, "", notes.Save(c)
}

func end(notes *fieldnotes.Notebook, c fieldnotes.Checkpoint, reason string, reused bool) (fieldnotes.Result, error) {
	c.Phase, c.StopReason = fieldnotes.Stopped, reason
	if err := notes.Save(c); err != nil {
		return fieldnotes.Result{}, err
	}
	err := notes.Record("outcome", map[string]any{
		"verified": reason == fieldnotes.Accepted, "recovered": c.Recovered, "reused": reused, "stop_reason": reason,
	})
	if err != nil {
		return fieldnotes.Result{}, err
	}
	return fieldnotes.Result{EffectReused: reused, Recovered: c.Recovered, StopReason: reason}, nil
}
