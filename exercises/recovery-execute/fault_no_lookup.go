//go:build exercise

package recovery

import (
	"context"

	"fieldbook/runtime/fieldnotes"
)

// Execute is the author's broken version, injected as SUPPLIED_FAULT: it writes at every call, whether the key is known or not.
func Execute(ctx context.Context, notes *fieldnotes.Notebook, key string, effect fieldnotes.Effect) (bool, error) {
	effects, err := notes.Effects()
	if err != nil {
		return false, err
	}
	effects[key] = effect
	if err := notes.WriteEffects(effects); err != nil {
		return false, err
	}
	if err := notes.Record("effect_committed", map[string]any{"idempotency_key": key}); err != nil {
		return false, err
	}
	return false, notes.AfterEffect()
}
