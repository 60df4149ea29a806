//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-run variant steps 1efa498f

package recovery

import (
	"context"
	"fmt"

	"fieldbook/runtime/fieldnotes"
)

// Run is a list of steps; each says whether the run goes on.
func Run(ctx context.Context, notes *fieldnotes.Notebook, task fieldnotes.Task) (fieldnotes.Result, error) {
	var (
		checkpoint fieldnotes.Checkpoint
		proposal   fieldnotes.Proposal
		reason     string
		recorded   bool
		reused     bool
	)
	steps := []func() error{
		func() (err error) {
			checkpoint, err = notes.Load(task)
			checkpoint.Recovered = checkpoint.Phase == fieldnotes.Prepared || checkpoint.Phase == fieldnotes.EffectObserved
			return err
		},
		func() (err error) {
			proposal, err = task.Model.Propose(ctx)
			return err
		},
		func() error {
			decision := Decide(task.Policy, proposal)
			if !decision.Allowed {
				reason = fieldnotes.PolicyDenied + string(decision.Reason)
			}
			return notes.Record("policy_decision", map[string]any{"allowed": decision.Allowed, "reason": decision.Reason, "tool": proposal.Tool})
		},
		func() error {
			effects, err := notes.Effects()
			_, recorded = effects[checkpoint.IdempotencyKey]
			if err == nil && !recorded && checkpoint.BudgetLeft <= 0 {
				reason = fieldnotes.BudgetExhausted
			}
			return err
		},
		func() error {
			if recorded {
				return nil
			}
			checkpoint.Phase, checkpoint.Step, checkpoint.StopReason = fieldnotes.Prepared, 1, ""
			checkpoint.BudgetLeft--
			return notes.Save(checkpoint)
		},
		func() (err error) {
			effect := fieldnotes.Effect{Tenant: proposal.Tenant, OrderID: proposal.OrderID, Status: fieldnotes.Written}
			reused, err = Execute(ctx, notes, checkpoint.IdempotencyKey, effect)
			return err
		},
		func() error {
			if recorded {
				return nil
			}
			checkpoint.Phase = fieldnotes.EffectObserved
			return notes.Save(checkpoint)
		},
		func() error {
			verified, err := Verify(ctx, notes, checkpoint.IdempotencyKey, task.Wanted())
			reason = fieldnotes.FinalInvalid
			if verified {
				reason = fieldnotes.Accepted
			}
			return err
		},
	}
	for i := 0; i < len(steps) && reason == ""; i++ {
		if err := steps[i](); err != nil {
			return fieldnotes.Result{}, fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	checkpoint.Phase, checkpoint.StopReason = fieldnotes.Stopped, reason
	if err := notes.Save(checkpoint); err != nil {
		return fieldnotes.Result{}, err
	}
	if err := notes.Record("outcome", map[string]any{
		"verified": reason == fieldnotes.Accepted, "recovered": checkpoint.Recovered, "reused": reused, "stop_reason": reason,
	}); err != nil {
		return fieldnotes.Result{}, err
	}
	return fieldnotes.Result{EffectReused: reused, Recovered: checkpoint.Recovered, StopReason: reason}, nil
}
