//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-execute wrong crash-before-the-effect d1437462

package recovery

import (
	"context"
	"fmt"

	"fieldbook/runtime/fieldnotes"
)

// Mistake: The crash comes before the effect is written.
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
	if err := notes.AfterEffect(); err != nil {
		return false, err
	}
	effects[key] = effect
	if err := notes.WriteEffects(effects); err != nil {
		return false, fmt.Errorf("write the effect: %w", err)
	}
	if err := notes.Record("effect_committed", map[string]any{"idempotency_key": key}); err != nil {
		return false, fmt.Errorf("note the effect: %w", err)
	}
	return false, nil
}
