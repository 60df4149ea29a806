//go:build exercise

// Package probe runs one task four times in one notebook.
package probe

import (
	"context"

	"fieldbook/runtime/fieldnotes"
	"fieldbook/runtime/recovery"
	"fieldbook/runtime/world"
)

// Probe runs happy four times and leaves the notebook again.
func Probe(ctx context.Context, w *world.World) (world.Observation, error) {
	var seen world.Observation
	notes, err := fieldnotes.Open(w.Path("again"), fieldnotes.Options{})
	if err != nil {
		return seen, err
	}
	w.Mark("before")
	happy, _ := fieldnotes.ScenarioNamed("happy", fieldnotes.DefaultBudget)
	var last fieldnotes.Result
	for range 4 {
		if last, err = recovery.Run(ctx, notes, happy.Task); err != nil {
			return seen, err
		}
		w.Mark("ran")
	}
	seen.String("fourth", last.StopReason)
	seen.Bool("reused", last.EffectReused)
	seen.Bool("recovered", last.Recovered)
	return seen, nil
}
