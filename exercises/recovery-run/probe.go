//go:build exercise

// Package probe performs the scenarios of the field notes, each in a notebook of its own: happy with a model that writes
// credentials, crash with a second run after it, deny-tenant, and a run without budget.
package probe

import (
	"context"
	"errors"

	"fieldbook/runtime/fieldnotes"
	"fieldbook/runtime/recovery"
	"fieldbook/runtime/world"
)

// Probe leaves the notebooks happy, crash, denied and budget.
func Probe(ctx context.Context, w *world.World) (world.Observation, error) {
	var seen world.Observation
	w.Mark("before")

	happy, _ := fieldnotes.ScenarioNamed("happy", fieldnotes.DefaultBudget)
	happy.Task.Model.Says.Details = map[string]any{"headers": []any{map[string]any{"token": "tk-field-742"}}}
	said, err := run(ctx, w, "happy", happy)
	if err != nil {
		return seen, err
	}
	seen.String("happy", said)

	// The process ends after the effect. Another one opens the notebook and runs the same task.
	crash, _ := fieldnotes.ScenarioNamed("crash", fieldnotes.DefaultBudget)
	said, err = run(ctx, w, "crash", crash)
	if err != nil {
		return seen, err
	}
	seen.String("crash", said)
	after, _ := fieldnotes.ScenarioNamed("happy", fieldnotes.DefaultBudget)
	said, err = run(ctx, w, "crash", after)
	if err != nil {
		return seen, err
	}
	seen.String("after_the_crash", said)

	denied, _ := fieldnotes.ScenarioNamed("deny-tenant", fieldnotes.DefaultBudget)
	said, err = run(ctx, w, "denied", denied)
	if err != nil {
		return seen, err
	}
	seen.String("denied", said)

	exhausted, _ := fieldnotes.ScenarioNamed("happy", 0)
	said, err = run(ctx, w, "budget", exhausted)
	if err != nil {
		return seen, err
	}
	seen.String("without_budget", said)
	return seen, nil
}

// run performs a scenario as a process of its own would, and says how it ended.
func run(ctx context.Context, w *world.World, folder string, scenario fieldnotes.Scenario) (string, error) {
	notes, err := fieldnotes.Open(w.Path(folder), scenario.Options)
	if err != nil {
		return "", err
	}
	result, err := recovery.Run(ctx, notes, scenario.Task)
	w.Mark(folder + ", " + scenario.Name)
	switch {
	case errors.Is(err, fieldnotes.ErrInjectedCrash):
		return "crash", nil
	case err != nil:
		return "error", nil
	}
	return result.StopReason, nil
}
