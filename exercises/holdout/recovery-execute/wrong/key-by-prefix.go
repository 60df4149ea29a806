//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-execute wrong key-by-prefix 1d54cafe

package recovery

import (
	"context"
	"fmt"
	"strings"

	"fieldbook/runtime/fieldnotes"
)

// Mistake: A key that another one begins with is known.
func Execute(ctx context.Context, notes *fieldnotes.Notebook, key string, effect fieldnotes.Effect) (bool, error) {
	effects, err := notes.Effects()
	if err != nil {
		return false, fmt.Errorf("read the effects: %w", err)
	}
	known := false
	for there := range effects {
		known = known || strings.HasPrefix(there, key)
	}
	if known {
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
