//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-execute wrong written-in-place 1445ef2f

package recovery

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"fieldbook/runtime/fieldnotes"
	"fieldbook/runtime/files"
)

// Mistake: The file of effects is removed and written again under its own name.
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
	data, err := json.Marshal(effects)
	if err != nil {
		return false, err
	}
	path := notes.Path(fieldnotes.EffectsFile)
	if err := files.Remove(path); err != nil && !errors.Is(err, files.ErrNotExist) {
		return false, err
	}
	file, err := files.CreateExclusive(path, 0o600)
	if err != nil {
		return false, err
	}
	if _, err := file.Write(data); err != nil {
		return false, err
	}
	if err := errors.Join(file.Sync(), file.Close()); err != nil {
		return false, err
	}
	if err := notes.Record("effect_committed", map[string]any{"idempotency_key": key}); err != nil {
		return false, fmt.Errorf("note the effect: %w", err)
	}
	return false, notes.AfterEffect()
}
