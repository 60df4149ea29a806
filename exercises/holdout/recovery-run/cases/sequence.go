//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-run case sequence d5c80b1f

// Package probe performs scenarios one after the other in one notebook, each in a process of its own.
package probe

import (
	"context"
	"errors"
	"strings"

	"fieldbook/runtime/fieldnotes"
	"fieldbook/runtime/recovery"
	"fieldbook/runtime/world"
)

// Probe says of each run how it stopped, with r for recovered and u for a reused effect.
func Probe(ctx context.Context, w *world.World) (world.Observation, error) {
	var seen world.Observation
	plan, _ := w.Case("plan").AsString()
	budget, _ := w.Case("budget").AsInt()
	order, _ := w.Case("order").AsString()
	w.Mark("before")
	var ends []world.Value
	for _, name := range strings.Fields(plan) {
		scenario, _ := fieldnotes.ScenarioNamed(name, int(budget))
		scenario.Task.OrderID, scenario.Task.Model.Says.OrderID, scenario.Task.RunID = order, order, "run-"+order
		notes, err := fieldnotes.Open(w.Path("lab-output"), scenario.Options)
		if err != nil {
			return seen, err
		}
		result, err := recovery.Run(ctx, notes, scenario.Task)
		end := result.StopReason
		if result.Recovered {
			end += " r"
		}
		if result.EffectReused {
			end += " u"
		}
		switch {
		case errors.Is(err, fieldnotes.ErrInjectedCrash):
			end = "crash"
		case err != nil:
			end = "error"
		}
		ends = append(ends, world.StringValue(end))
	}
	seen.List("ends", ends...)
	return seen, nil
}
