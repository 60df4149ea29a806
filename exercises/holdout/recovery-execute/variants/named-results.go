//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-execute variant named-results c6cf700b

package recovery

import (
	"context"

	"fieldbook/runtime/fieldnotes"
)

// Execute notes its event in one place, through a deferred closure.
func Execute(ctx context.Context, notes *fieldnotes.Notebook, key string, effect fieldnotes.Effect) (reused bool, err error) {
	event := ""
	defer func() {
		if err != nil || event == "" {
			return
		}
		if err = notes.Record(event, map[string]any{"idempotency_key": key}); err != nil {
			reused = false
			return
		}
		if event == "effect_committed" {
			err = notes.AfterEffect()
		}
	}()
	there, err := notes.Effects()
	if err != nil {
		return false, err
	}
	if _, reused = there[key]; reused {
		event = "effect_reused"
		return reused, nil
	}
	there[key] = effect
	if err = notes.WriteEffects(there); err != nil {
		return false, err
	}
	event = "effect_committed"
	return false, nil
}
