//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-execute variant copied-map 77f20614

package recovery

import (
	"context"
	"errors"
	"maps"

	"fieldbook/runtime/fieldnotes"
)

// Execute leaves the map that it read alone and writes a copy with the new key.
func Execute(ctx context.Context, notes *fieldnotes.Notebook, key string, effect fieldnotes.Effect) (bool, error) {
	found, err := notes.Effects()
	if err != nil {
		return false, errors.Join(errors.New("the effects cannot be read"), err)
	}
	fields := map[string]any{"idempotency_key": key}
	for known := range found {
		if known == key {
			if err := notes.Record("effect_reused", fields); err != nil {
				return false, err
			}
			return true, nil
		}
	}
	after := maps.Clone(found)
	after[key] = effect
	if err := notes.WriteEffects(after); err != nil {
		return false, err
	}
	if err := notes.Record("effect_committed", fields); err != nil {
		return false, err
	}
	if err := notes.AfterEffect(); err != nil {
		return false, err
	}
	return false, nil
}
