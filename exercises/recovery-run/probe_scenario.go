//go:build exercise

// Package probe performs one scenario of the field notes in the notebook that the world holds, as a process of its own would.
package probe

import (
	"context"
	"errors"

	"fieldbook/runtime/fieldnotes"
	"fieldbook/runtime/recovery"
	"fieldbook/runtime/world"
)

// Probe reads from its case which scenario it is, with which budget, and which credential the model writes although nobody
// has asked for one.
func Probe(ctx context.Context, w *world.World) (world.Observation, error) {
	var seen world.Observation
	name, _ := w.Case("scenario").AsString()
	budget, _ := w.Case("budget").AsInt()
	scenario, known := fieldnotes.ScenarioNamed(name, int(budget))
	if !known || scenario.Clean {
		return seen, errors.New("no such scenario")
	}
	credential, _ := w.Case("credential").AsString()
	scenario.Task.Model.Says.Details = map[string]any{"headers": []any{map[string]any{"token": credential}}}
	notes, err := fieldnotes.Open(w.Path("lab-output"), scenario.Options)
	if err != nil {
		return seen, err
	}
	w.Mark("before")
	result, err := recovery.Run(ctx, notes, scenario.Task)
	code, known := fieldnotes.ExitCode(result, err)
	seen.Bool("known", known)
	seen.Int("exit", int64(code))
	seen.Bool("effect_reused", result.EffectReused)
	seen.Bool("recovered", result.Recovered)
	seen.String("stop_reason", result.StopReason)
	if err != nil {
		seen.String("error", err.Error())
	}
	return seen, nil
}
