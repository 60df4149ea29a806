//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-execute case broken f3a05c29

// Package probe executes where the effects cannot be read, or where nobody waits for the answer any more.
package probe

import (
	"context"
	"errors"

	"fieldbook/runtime/fieldnotes"
	"fieldbook/runtime/files"
	"fieldbook/runtime/recovery"
	"fieldbook/runtime/world"
)

// Probe leaves a notebook whose effects are broken exactly as it was, and an empty one empty.
func Probe(ctx context.Context, w *world.World) (world.Observation, error) {
	var seen world.Observation
	key, _ := w.Case("key").AsString()
	text, _ := w.Case("text").AsString()
	notes, err := fieldnotes.Open(w.Path("broken"), fieldnotes.Options{})
	if err != nil {
		return seen, err
	}
	if err := files.Replace(notes.Path(fieldnotes.EffectsFile), []byte(text+key)); err != nil {
		return seen, err
	}
	w.Mark("before")
	effect := fieldnotes.Effect{Tenant: fieldnotes.Tenant, OrderID: "1", Status: fieldnotes.Written}
	reused, err := recovery.Execute(ctx, notes, key, effect)
	seen.Bool("broken_is_an_error", errors.Is(err, fieldnotes.ErrBroken))
	seen.Bool("reused", reused)
	after, err := files.Read(notes.Path(fieldnotes.EffectsFile))
	if err != nil {
		return seen, err
	}
	seen.Bool("file_as_it_was", string(after) == text+key)
	events, err := notes.Trace()
	if err != nil {
		return seen, err
	}
	seen.Int("events", int64(len(events)))
	return seen, nil
}
