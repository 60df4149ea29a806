//go:build exercise

package recovery

import (
	"context"
	"fmt"

	"fieldbook/runtime/fieldnotes"
)

// Run is the naive baseline: what the model proposes is executed, and the work is done. It asks no policy, saves no state,
// notes nothing, and every run is the first one that it knows of, so that its effect has a key of its own.
func Run(ctx context.Context, notes *fieldnotes.Notebook, task fieldnotes.Task) (fieldnotes.Result, error) {
	var none fieldnotes.Result
	proposal, err := task.Model.Propose(ctx)
	if err != nil {
		return none, err
	}
	effects, err := notes.Effects()
	if err != nil {
		return none, err
	}
	effects[fmt.Sprintf("report-%d", len(effects)+1)] = fieldnotes.Effect{
		Tenant: proposal.Tenant, OrderID: proposal.OrderID, Status: fieldnotes.Written,
	}
	if err := notes.WriteEffects(effects); err != nil {
		return none, err
	}
	if err := notes.AfterEffect(); err != nil {
		return none, err
	}
	return fieldnotes.Result{StopReason: "done"}, nil
}
