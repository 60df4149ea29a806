//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-execute wrong known-by-order 67ecfe31

package recovery

import (
	"context"
	"fmt"

	"fieldbook/runtime/fieldnotes"
)

// Mistake: An effect is known by its tenant and order, whatever its key.
func Execute(ctx context.Context, notes *fieldnotes.Notebook, key string, effect fieldnotes.Effect) (bool, error) {
	effects, err := notes.Effects()
	if err != nil {
		return false, fmt.Errorf("read the effects: %w", err)
	}
	known := false
	for _, there := range effects {
		known = known || there.Tenant == effect.Tenant && there.OrderID == effect.OrderID
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
