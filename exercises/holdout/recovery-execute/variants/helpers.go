//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-execute variant helpers a292f1de

package recovery

import (
	"context"

	"fieldbook/runtime/fieldnotes"
)

// Execute either reuses or commits.
func Execute(ctx context.Context, notes *fieldnotes.Notebook, key string, effect fieldnotes.Effect) (bool, error) {
	effects, err := notes.Effects()
	if err != nil {
		return false, err
	}
	if _, known := effects[key]; !known {
		return false, commit(notes, effects, key, effect)
	}
	err = tell(notes, "effect_reused", key)
	return err == nil, err
}

func commit(notes *fieldnotes.Notebook, effects map[string]fieldnotes.Effect, key string, effect fieldnotes.Effect) error {
	effects[key] = effect
	steps := []func() error{
		func() error { return notes.WriteEffects(effects) },
		func() error { return tell(notes, "effect_committed", key) },
		notes.AfterEffect,
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func tell(notes *fieldnotes.Notebook, event, key string) error {
	return notes.Record(event, map[string]any{"idempotency_key": key})
}
