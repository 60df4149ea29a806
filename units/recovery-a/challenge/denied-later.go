//go:build exercise

// Package probe denies a proposal in a notebook that holds an effect.
package probe

import (
	"context"

	"fieldbook/runtime/fieldnotes"
	"fieldbook/runtime/recovery"
	"fieldbook/runtime/world"
)

// Probe runs happy and then deny-tenant in the notebook later.
func Probe(ctx context.Context,
	w *world.World) (world.Observation, error) {
	var seen world.Observation
	w.Mark("before")
	for _, name := range []string{"happy", "deny-tenant"} {
		scenario, _ := fieldnotes.ScenarioNamed(name, 3)
		notes, err := fieldnotes.Open(w.Path("later"), scenario.Options)
		if err != nil {
			return seen, err
		}
		result, err := recovery.Run(ctx, notes, scenario.Task)
		if err != nil {
			return seen, err
		}
		w.Mark(name)
		if name == "happy" {
			seen.String("first", result.StopReason)
			continue
		}
		seen.String("second", result.StopReason)
		seen.Bool("second_reused", result.EffectReused)
	}
	return seen, nil
}
