//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-execute wrong key-ignores-case 9f41f4f6

package recovery

import (
	"context"
	"fmt"
	"strings"

	"fieldbook/runtime/fieldnotes"
)

// Mistake: Keys are compared without their letter case.
func Execute(ctx context.Context, notes *fieldnotes.Notebook, key string, effect fieldnotes.Effect) (bool, error) {
	effects, err := notes.Effects()
	if err != nil {
		return false, fmt.Errorf("read the effects: %w", err)
	}
	known := false
	for there := range effects {
		known = known || strings.EqualFold(there, key)
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
