//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-execute wrong refuses-an-empty-key b2f3883f

package recovery

import (
	"context"
	"errors"
	"fmt"

	"fieldbook/runtime/fieldnotes"
)

// Mistake: An empty key is an error.
func Execute(ctx context.Context, notes *fieldnotes.Notebook, key string, effect fieldnotes.Effect) (bool, error) {
	if key == "" {
		return false, errors.New("a key is required")
	}
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
	if err := notes.Record("effect_committed", map[string]any{"idempotency_key": key}); err != nil {
		return false, fmt.Errorf("note the effect: %w", err)
	}
	return false, notes.AfterEffect()
}
