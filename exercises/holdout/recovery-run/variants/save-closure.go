//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-run variant save-closure 198f9096

package recovery

import (
	"context"
	"errors"

	"fieldbook/runtime/fieldnotes"
)

// Run moves from phase to phase through one closure, and joins errors with what it was doing.
func Run(ctx context.Context, notes *fieldnotes.Notebook, task fieldnotes.Task) (fieldnotes.Result, error) {
	doing := "load the checkpoint"
	failed := func(err error) (fieldnotes.Result, error) {
		return fieldnotes.Result{}, errors.Join(errors.New("could not "+doing), err)
	}
	now, err := notes.Load(task)
	if err != nil {
		return failed(err)
	}
	cut := map[fieldnotes.Phase]bool{fieldnotes.Prepared: true, fieldnotes.EffectObserved: true}
	now.Recovered = cut[now.Phase]
	move := func(phase fieldnotes.Phase, reason string) error {
		doing = "save the phase " + string(phase)
		now.Phase, now.StopReason = phase, reason
		return notes.Save(now)
	}
	stop := func(reason string, reused bool) (fieldnotes.Result, error) {
		if err := move(fieldnotes.Stopped, reason); err != nil {
			return failed(err)
		}
		doing = "note the outcome"
		if err := notes.Record("outcome", map[string]any{
			"stop_reason": reason, "reused": reused, "recovered": now.Recovered, "verified": reason == fieldnotes.Accepted,
		}); err != nil {
			return failed(err)
		}
		return fieldnotes.Result{StopReason: reason, Recovered: now.Recovered, EffectReused: reused}, nil
	}
	doing = "ask the model"
	wanted, err := task.Model.Propose(ctx)
	if err != nil {
		return failed(err)
	}
	doing = "note the decision"
	answer := Decide(task.Policy, wanted)
	if err := notes.Record("policy_decision", map[string]any{"allowed": answer.Allowed, "reason": answer.Reason, "tool": wanted.Tool}); err != nil {
		return failed(err)
	}
	if !answer.Allowed {
		return stop(fieldnotes.PolicyDenied+string(answer.Reason), false)
	}
	doing = "read the effects"
	there, err := notes.Effects()
	if err != nil {
		return failed(err)
	}
	_, reconcile := there[now.IdempotencyKey]
	if !reconcile {
		if now.BudgetLeft <= 0 {
			return stop(fieldnotes.BudgetExhausted, false)
		}
		now.Step = 1
		now.BudgetLeft -= 1
		if err := move(fieldnotes.Prepared, ""); err != nil {
			return failed(err)
		}
	}
	doing = "have the effect"
	reused, err := Execute(ctx, notes, now.IdempotencyKey, fieldnotes.Effect{Tenant: wanted.Tenant, OrderID: wanted.OrderID, Status: fieldnotes.Written})
	if err != nil {
		return failed(err)
	}
	if !reconcile {
		if err := move(fieldnotes.EffectObserved, ""); err != nil {
			return failed(err)
		}
	}
	doing = "read the effects again"
	switch same, err := Verify(ctx, notes, now.IdempotencyKey, task.Wanted()); {
	case err != nil:
		return failed(err)
	case !same:
		return stop(fieldnotes.FinalInvalid, reused)
	}
	return stop(fieldnotes.Accepted, reused)
}
