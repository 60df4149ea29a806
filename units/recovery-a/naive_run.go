//go:build exercise

package recovery

import (
	"context"
	"fmt"

	"fieldbook/runtime/fieldnotes"
)

// Run is a reasonable first idea: do what the model proposes, and say that
// it is done.
func Run(ctx context.Context, notes *fieldnotes.Notebook,
	task fieldnotes.Task) (fieldnotes.Result, error) {
	var none fieldnotes.Result
	proposal, err := task.Model.Propose(ctx)
	if err != nil {
		return none, err
	}
	effects, err := notes.Effects()
	if err != nil {
		return none, err
	}
	key := fmt.Sprintf("report-%d", len(effects)+1)
	effects[key] = fieldnotes.Effect{
		Tenant: proposal.Tenant, OrderID: proposal.OrderID,
		Status: fieldnotes.Written,
	}
	if err := notes.WriteEffects(effects); err != nil {
		return none, err
	}
	if err := notes.AfterEffect(); err != nil {
		return none, err
	}
	return fieldnotes.Result{StopReason: "done"}, nil
}
