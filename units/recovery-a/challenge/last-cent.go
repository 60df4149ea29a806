//go:build exercise

// Package probe crashes a run whose budget is spent by then.
package probe

import (
	"context"
	"errors"

	"fieldbook/runtime/fieldnotes"
	"fieldbook/runtime/recovery"
	"fieldbook/runtime/world"
)

// Probe runs crash with a budget of 1, then happy, in the notebook last.
func Probe(ctx context.Context,
	w *world.World) (world.Observation, error) {
	var seen world.Observation
	w.Mark("before")
	for _, name := range []string{"crash", "happy"} {
		scenario, _ := fieldnotes.ScenarioNamed(name, 1)
		notes, err := fieldnotes.Open(w.Path("last"), scenario.Options)
		if err != nil {
			return seen, err
		}
		result, err := recovery.Run(ctx, notes, scenario.Task)
		w.Mark(name)
		switch {
		case errors.Is(err, fieldnotes.ErrInjectedCrash):
			seen.String(name, "crash")
		case err != nil:
			return seen, err
		default:
			seen.String(name, result.StopReason)
		}
	}
	return seen, nil
}
