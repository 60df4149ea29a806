//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-execute wrong event-without-key 554ffb2b

package recovery

import (
	"context"
	"fmt"

	"fieldbook/runtime/fieldnotes"
)

// Mistake: The event does not name the key.
func Execute(ctx context.Context, notes *fieldnotes.Notebook, key string, effect fieldnotes.Effect) (bool, error) {
	effects, err := notes.Effects()
	if err != nil {
		return false, fmt.Errorf("read the effects: %w", err)
	}
	if _, known := effects[key]; known {
		if err := notes.Record("effect_reused", map[string]any{"idempotency_key": key}); err != nil {
			return false, fmt.Errorf("note the reuse: %w", err)
		}
		return true, nil
	}
	effects[key] = effect
	if err := notes.WriteEffects(effects); err != nil {
		return false, fmt.Errorf("write the effect: %w", err)
	}
	if err := notes.Record("effect_committed", nil); err != nil {
		return false, fmt.Errorf("note the effect: %w", err)
	}
	return false, notes.AfterEffect()
}
