//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-run variant one-ending 1183254d

package recovery

import (
	"context"

	"fieldbook/runtime/fieldnotes"
)

// Run finds its stop reason first and has one place in which it ends.
func Run(ctx context.Context, notes *fieldnotes.Notebook, task fieldnotes.Task) (fieldnotes.Result, error) {
	state, err := notes.Load(task)
	if err != nil {
		return fieldnotes.Result{}, err
	}
	state.Recovered = state.Phase != fieldnotes.New && state.Phase != fieldnotes.Stopped
	result := fieldnotes.Result{Recovered: state.Recovered}
	proposal, err := task.Model.Propose(ctx)
	if err != nil {
		return fieldnotes.Result{}, err
	}
	verdict := Decide(task.Policy, proposal)
	if err := notes.Record("policy_decision", map[string]any{"tool": proposal.Tool, "reason": verdict.Reason, "allowed": verdict.Allowed}); err != nil {
		return fieldnotes.Result{}, err
	}
	verified := false
	if !verdict.Allowed {
		result.StopReason = fieldnotes.PolicyDenied + string(verdict.Reason)
	} else {
		effects, err := notes.Effects()
		if err != nil {
			return fieldnotes.Result{}, err
		}
		_, old := effects[state.IdempotencyKey]
		if !old && state.BudgetLeft <= 0 {
			result.StopReason = fieldnotes.BudgetExhausted
		} else {
			if !old {
				state.Phase, state.StopReason = fieldnotes.Prepared, ""
				state.Step, state.BudgetLeft = 1, state.BudgetLeft-1
				if err := notes.Save(state); err != nil {
					return fieldnotes.Result{}, err
				}
			}
			effect := fieldnotes.Effect{Tenant: proposal.Tenant, OrderID: proposal.OrderID, Status: fieldnotes.Written}
			if result.EffectReused, err = Execute(ctx, notes, state.IdempotencyKey, effect); err != nil {
				return fieldnotes.Result{}, err
			}
			if !old {
				state.Phase = fieldnotes.EffectObserved
				if err := notes.Save(state); err != nil {
					return fieldnotes.Result{}, err
				}
			}
			if verified, err = Verify(ctx, notes, state.IdempotencyKey, task.Wanted()); err != nil {
				return fieldnotes.Result{}, err
			}
			result.StopReason = fieldnotes.FinalInvalid
			if verified {
				result.StopReason = fieldnotes.Accepted
			}
		}
	}
	state.Phase, state.StopReason = fieldnotes.Stopped, result.StopReason
	if err := notes.Save(state); err != nil {
		return fieldnotes.Result{}, err
	}
	if err := notes.Record("outcome", map[string]any{
		"verified": verified, "recovered": result.Recovered, "reused": result.EffectReused, "stop_reason": result.StopReason,
	}); err != nil {
		return fieldnotes.Result{}, err
	}
	return result, nil
}
