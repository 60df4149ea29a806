//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-execute case full 7c19be60

// Package probe executes in a notebook that cannot be written, because a folder has the name of one of its files.
package probe

import (
	"context"

	"fieldbook/runtime/fieldnotes"
	"fieldbook/runtime/files"
	"fieldbook/runtime/recovery"
	"fieldbook/runtime/world"
)

// Probe makes the write of the effects, or that of the trace, fail.
func Probe(ctx context.Context, w *world.World) (world.Observation, error) {
	var seen world.Observation
	key, _ := w.Case("key").AsString()
	file, _ := w.Case("file").AsString()
	known, _ := w.Case("known").AsBool()
	notes, err := fieldnotes.Open(w.Path("lab-output"), fieldnotes.Options{})
	if err != nil {
		return seen, err
	}
	effect := fieldnotes.Effect{Tenant: fieldnotes.Tenant, OrderID: "1", Status: fieldnotes.Written}
	if known {
		if err := notes.WriteEffects(map[string]fieldnotes.Effect{key: effect}); err != nil {
			return seen, err
		}
	}
	if file == fieldnotes.EffectsFile {
		// Every temporary name is taken by a folder, so no effect can be written.
		file = fieldnotes.EffectsFile + ".tmp-1"
	}
	if err := files.MakeFolder(notes.Path(file)); err != nil {
		return seen, err
	}
	w.Mark("before")
	reused, err := recovery.Execute(ctx, notes, key, effect)
	seen.Bool("failed", err != nil)
	seen.Bool("reused_and_failed", reused && err != nil)
	return seen, nil
}
