//go:build exercise

// Package probe runs once more after a crash: it opens the notebook as a new process does, finds whatever the crash left,
// and runs the same task.
package probe

import (
	"context"

	"fieldbook/runtime/fieldnotes"
	"fieldbook/runtime/recovery"
	"fieldbook/runtime/world"
)

// Probe opens the notebook and runs.
func Probe(ctx context.Context, w *world.World) (world.Observation, error) {
	var seen world.Observation
	scenario, _ := fieldnotes.ScenarioNamed("happy", fieldnotes.DefaultBudget)
	notes, err := fieldnotes.Open(w.Path("lab-output"), scenario.Options)
	if err != nil {
		return seen, err
	}
	result, err := recovery.Run(ctx, notes, scenario.Task)
	if err != nil {
		seen.String("stopped", "error")
	} else {
		seen.String("stopped", result.StopReason)
	}
	return seen, nil
}
