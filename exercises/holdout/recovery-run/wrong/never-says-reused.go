//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-run wrong never-says-reused a08605dc

package recovery

import (
	"context"
	"fmt"

	"fieldbook/runtime/fieldnotes"
)

// Mistake: The result does not say that an effect was reused.
func Run(ctx context.Context, notes *fieldnotes.Notebook, task fieldnotes.Task) (fieldnotes.Result, error) {
	checkpoint, err := notes.Load(task)
	if err != nil {
		return fieldnotes.Result{}, fmt.Errorf("load: %w", err)
	}
	recovered := checkpoint.Phase == fieldnotes.Prepared || checkpoint.Phase == fieldnotes.EffectObserved
	checkpoint.Recovered = recovered
	key := checkpoint.IdempotencyKey

	stop := func(reason string, verified, reused bool) (fieldnotes.Result, error) {
		checkpoint.Phase = fieldnotes.Stopped
		checkpoint.StopReason = reason
		if err := notes.Save(checkpoint); err != nil {
			return fieldnotes.Result{}, fmt.Errorf("save the end: %w", err)
		}
		outcome := map[string]any{"verified": verified, "recovered": recovered, "reused": reused, "stop_reason": reason}
		if err := notes.Record("outcome", outcome); err != nil {
			return fieldnotes.Result{}, fmt.Errorf("note the outcome: %w", err)
		}
		return fieldnotes.Result{Recovered: recovered, StopReason: reason}, nil
	}

	proposal, err := task.Model.Propose(ctx)
	if err != nil {
		return fieldnotes.Result{}, fmt.Errorf("propose: %w", err)
	}
	decision := Decide(task.Policy, proposal)
	said := map[string]any{"allowed": decision.Allowed, "reason": decision.Reason, "tool": proposal.Tool}
	if err := notes.Record("policy_decision", said); err != nil {
		return fieldnotes.Result{}, fmt.Errorf("note the decision: %w", err)
	}
	if !decision.Allowed {
		return stop(fieldnotes.PolicyDenied+string(decision.Reason), false, false)
	}

	effects, err := notes.Effects()
	if err != nil {
		return fieldnotes.Result{}, fmt.Errorf("look for the effect: %w", err)
	}
	_, there := effects[key]
	if !there && checkpoint.BudgetLeft <= 0 {
		return stop(fieldnotes.BudgetExhausted, false, false)
	}
	if !there {
		checkpoint.Phase = fieldnotes.Prepared
		checkpoint.Step = 1
		checkpoint.BudgetLeft--
		checkpoint.StopReason = ""
		if err := notes.Save(checkpoint); err != nil {
			return fieldnotes.Result{}, fmt.Errorf("prepare: %w", err)
		}
	}
	effect := fieldnotes.Effect{Tenant: proposal.Tenant, OrderID: proposal.OrderID, Status: fieldnotes.Written}
	reused, err := Execute(ctx, notes, key, effect)
	if err != nil {
		return fieldnotes.Result{}, fmt.Errorf("execute: %w", err)
	}
	if !there {
		checkpoint.Phase = fieldnotes.EffectObserved
		if err := notes.Save(checkpoint); err != nil {
			return fieldnotes.Result{}, fmt.Errorf("save what was observed: %w", err)
		}
	}
	verified, err := Verify(ctx, notes, key, task.Wanted())
	if err != nil {
		return fieldnotes.Result{}, fmt.Errorf("verify: %w", err)
	}
	if !verified {
		return stop(fieldnotes.FinalInvalid, false, reused)
	}
	return stop(fieldnotes.Accepted, true, reused)
}
