//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-policy case denied 73ab6c2d

// Package probe runs a task under the policy, first with a proposal that is wrong in one way, then with the right one.
package probe

import (
	"context"

	"fieldbook/runtime/fieldnotes"
	"fieldbook/runtime/recovery"
	"fieldbook/runtime/world"
)

// Probe leaves the notebook denied, in which nothing may have an effect, and the notebook allowed.
func Probe(ctx context.Context, w *world.World) (world.Observation, error) {
	var seen world.Observation
	w.Mark("before")
	tenant, _ := w.Case("tenant").AsString()
	order, _ := w.Case("order").AsString()
	other, _ := w.Case("other").AsString()
	wrong, _ := w.Case("wrong").AsString()
	task := fieldnotes.Task{
		RunID: "run-" + order, Tenant: tenant, OrderID: order, Budget: 2,
		Policy: fieldnotes.Policy{Tools: []string{"write_report"}, Tenant: tenant, Hosts: []string{"api.internal.example"}},
		Model:  fieldnotes.Model{Says: fieldnotes.Proposal{Tool: "write_report", Tenant: tenant, OrderID: order, URL: "https://api.internal.example/orders/" + order}},
	}
	misled := task
	switch wrong {
	case "tool":
		misled.Model.Says.Tool = other
	case "tenant":
		misled.Model.Says.Tenant = other
	case "host":
		misled.Model.Says.URL = "https://" + other + ".example/orders/" + order
	}
	for _, step := range []struct {
		folder string
		task   fieldnotes.Task
	}{{"denied", misled}, {"allowed", task}} {
		notes, err := fieldnotes.Open(w.Path(step.folder), fieldnotes.Options{})
		if err != nil {
			return seen, err
		}
		result, err := recovery.Run(ctx, notes, step.task)
		if err != nil {
			return seen, err
		}
		seen.String(step.folder, result.StopReason)
	}
	return seen, nil
}
