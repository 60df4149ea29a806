//go:build exercise

// Package probe runs the task of the field notes three times under your policy, each time in a notebook of its own, and asks it
// about two more proposals.
package probe

import (
	"context"

	"fieldbook/runtime/fieldnotes"
	"fieldbook/runtime/recovery"
	"fieldbook/runtime/world"
)

// Probe performs the scenarios happy, deny-tenant and deny-egress.
func Probe(ctx context.Context, w *world.World) (world.Observation, error) {
	var seen world.Observation
	w.Mark("before")
	for _, name := range []string{"happy", "deny-tenant", "deny-egress"} {
		scenario, _ := fieldnotes.ScenarioNamed(name, fieldnotes.DefaultBudget)
		notes, err := fieldnotes.Open(w.Path(name), scenario.Options)
		if err != nil {
			return seen, err
		}
		// Run asks your Decide before anything else happens.
		if _, err := recovery.Run(ctx, notes, scenario.Task); err != nil {
			return seen, err
		}
		w.Mark(name)
	}

	happy, _ := fieldnotes.ScenarioNamed("happy", fieldnotes.DefaultBudget)
	lookalike := happy.Task.Model.Says
	lookalike.URL = "https://api.internal.example.evil/orders/742/report"
	decision := recovery.Decide(happy.Task.Policy, lookalike)
	seen.Bool("lookalike_allowed", decision.Allowed)

	other := happy.Task.Model.Says
	other.Tool = "delete_report"
	decision = recovery.Decide(happy.Task.Policy, other)
	seen.String("other_tool", string(decision.Reason))
	return seen, nil
}
