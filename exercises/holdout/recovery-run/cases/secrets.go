//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-run case secrets 30e97ac5

// Package probe runs with a model that writes a drawn credential into its details, at a drawn depth.
package probe

import (
	"context"
	"errors"
	"strings"

	"fieldbook/runtime/fieldnotes"
	"fieldbook/runtime/files"
	"fieldbook/runtime/recovery"
	"fieldbook/runtime/world"
)

// Probe looks for the credential in every file that the run left.
func Probe(ctx context.Context, w *world.World) (world.Observation, error) {
	var seen world.Observation
	secret, _ := w.Case("secret").AsString()
	field, _ := w.Case("field").AsString()
	depth, _ := w.Case("depth").AsInt()
	name, _ := w.Case("scenario").AsString()
	scenario, _ := fieldnotes.ScenarioNamed(name, fieldnotes.DefaultBudget)
	var detail any = map[string]any{field: secret, "name": "report"}
	for n := range depth {
		if n%2 == 0 {
			detail = []any{detail}
		} else {
			detail = map[string]any{"inner": detail}
		}
	}
	scenario.Task.Model.Says.Details = map[string]any{"headers": detail, field: secret}
	w.Mark("before")

	for range 2 { // the second process resumes, when the first one has crashed
		notes, err := fieldnotes.Open(w.Path("lab-output"), scenario.Options)
		if err != nil {
			return seen, err
		}
		if _, err := recovery.Run(ctx, notes, scenario.Task); err != nil && !errors.Is(err, fieldnotes.ErrInjectedCrash) {
			return seen, err
		}
	}
	for _, file := range []string{fieldnotes.CheckpointFile, fieldnotes.EffectsFile, fieldnotes.TraceFile} {
		data, err := files.Read(w.Path("lab-output", file))
		if err != nil && !errors.Is(err, files.ErrNotExist) {
			return seen, err
		}
		seen.Bool(strings.ReplaceAll(file, ".", "_"), strings.Contains(string(data), secret))
	}
	return seen, nil
}
