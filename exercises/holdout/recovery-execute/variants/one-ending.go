//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-execute variant one-ending 5144a23e

package recovery

import (
	"context"

	"fieldbook/runtime/fieldnotes"
)

// Execute decides first what there is to do, and does it then.
func Execute(ctx context.Context, notes *fieldnotes.Notebook, key string, effect fieldnotes.Effect) (bool, error) {
	effects, err := notes.Effects()
	var known bool
	event := "effect_committed"
	if err == nil {
		if _, known = effects[key]; known {
			event = "effect_reused"
		}
	}
	if err == nil && !known {
		effects[key] = effect
		err = notes.WriteEffects(effects)
	}
	if err == nil {
		err = notes.Record(event, map[string]any{"idempotency_key": key})
	}
	if err == nil && !known {
		err = notes.AfterEffect()
	}
	if err != nil {
		return false, err
	}
	return known, nil
}
