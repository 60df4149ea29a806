//go:build exercise

// Package probe makes the run whose crashes are explored: one task in an empty notebook, from its first durable operation to
// its last.
package probe

import (
	"context"

	"fieldbook/runtime/fieldnotes"
	"fieldbook/runtime/files"
	"fieldbook/runtime/recovery"
	"fieldbook/runtime/world"
)

// Probe runs the task of the scenario happy.
func Probe(ctx context.Context, w *world.World) (world.Observation, error) {
	var seen world.Observation
	scenario, _ := fieldnotes.ScenarioNamed("happy", fieldnotes.DefaultBudget)
	folder := w.Path("lab-output")
	notes, err := fieldnotes.Open(folder, scenario.Options)
	if err != nil {
		return seen, err
	}
	if err := files.SyncFolder(files.Folder(folder)); err != nil {
		return seen, err
	}
	w.Mark("begin")
	result, err := recovery.Run(ctx, notes, scenario.Task)
	w.Mark("end")
	if err != nil {
		seen.String("stopped", "error")
	} else {
		seen.String("stopped", result.StopReason)
	}
	return seen, nil
}
