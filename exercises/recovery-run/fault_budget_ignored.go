//go:build exercise

package recovery

import (
	"context"
	"fmt"

	"fieldbook/runtime/fieldnotes"
)

// Run is the author's broken version, injected as SUPPLIED_FAULT: it counts the budget down and never looks at it.
func Run(ctx context.Context, notes *fieldnotes.Notebook, task fieldnotes.Task) (fieldnotes.Result, error) {
	var none fieldnotes.Result

	// 1. What the last run left. One that ended between prepared and stopped was cut short.
	checkpoint, err := notes.Load(task)
	if err != nil {
		return none, fmt.Errorf("load the checkpoint: %w", err)
	}
	checkpoint.Recovered = checkpoint.Phase == fieldnotes.Prepared || checkpoint.Phase == fieldnotes.EffectObserved
	key := checkpoint.IdempotencyKey

	stop := func(reason string, verified, reused bool) (fieldnotes.Result, error) {
		checkpoint.Phase, checkpoint.StopReason = fieldnotes.Stopped, reason
		if err := notes.Save(checkpoint); err != nil {
			return none, fmt.Errorf("save the end: %w", err)
		}
		err := notes.Record("outcome", map[string]any{
			"verified": verified, "recovered": checkpoint.Recovered, "reused": reused, "stop_reason": reason,
		})
		if err != nil {
			return none, fmt.Errorf("note the outcome: %w", err)
		}
		return fieldnotes.Result{EffectReused: reused, Recovered: checkpoint.Recovered, StopReason: reason}, nil
	}

	// 2. The model proposes, the policy decides.
	proposal, err := task.Model.Propose(ctx)
	if err != nil {
		return none, fmt.Errorf("ask the model: %w", err)
	}
	decision := Decide(task.Policy, proposal)
	err = notes.Record("policy_decision", map[string]any{
		"allowed": decision.Allowed, "reason": decision.Reason, "tool": proposal.Tool,
	})
	if err != nil {
		return none, fmt.Errorf("note the decision: %w", err)
	}
	if !decision.Allowed {
		return stop(fieldnotes.PolicyDenied+string(decision.Reason), false, false)
	}

	// 3. An effect that is there already needs no budget and no preparation.
	effects, err := notes.Effects()
	if err != nil {
		return none, fmt.Errorf("read the effects: %w", err)
	}
	_, recorded := effects[key]
	if !recorded {
		// 4. Saved before: whoever finds this phase knows that an effect may be there, and under which key.
		checkpoint.Phase, checkpoint.Step, checkpoint.StopReason = fieldnotes.Prepared, 1, ""
		checkpoint.BudgetLeft--
		if err := notes.Save(checkpoint); err != nil {
			return none, fmt.Errorf("save before the effect: %w", err)
		}
	}

	// 5. The executor alone has effects.
	effect := fieldnotes.Effect{Tenant: proposal.Tenant, OrderID: proposal.OrderID, Status: fieldnotes.Written}
	reused, err := Execute(ctx, notes, key, effect)
	if err != nil {
		return none, fmt.Errorf("execute: %w", err)
	}
	if !recorded {
		checkpoint.Phase = fieldnotes.EffectObserved
		if err := notes.Save(checkpoint); err != nil {
			return none, fmt.Errorf("save after the effect: %w", err)
		}
	}

	// 6. What was asked for is compared with what is there, read again.
	verified, err := Verify(ctx, notes, key, task.Wanted())
	if err != nil {
		return none, fmt.Errorf("verify: %w", err)
	}
	if !verified {
		return stop(fieldnotes.FinalInvalid, false, reused)
	}
	return stop(fieldnotes.Accepted, true, reused)
}
