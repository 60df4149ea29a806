package recovery

import (
	"context"
	"fmt"

	"fieldbook/runtime/fieldnotes"
)

// Execute has the effect once for each idempotency key. A key that is known was executed before: nothing is written, and
// reused is true. A new key is written beside the ones that there are; when it is durable, and noted in the trace, comes the
// point at which a crash may be injected, whose error is returned as it is.
//
// Nothing else in this package has effects. Execute does not look at the checkpoint, and a known key is enough: it does not
// compare effects, which is Verify's part.
func Execute(ctx context.Context, notes *fieldnotes.Notebook, key string, effect fieldnotes.Effect) (reused bool, err error) {
	effects, err := notes.Effects()
	if err != nil {
		return false, fmt.Errorf("read the effects: %w", err)
	}
	if _, known := effects[key]; known {
		if err := notes.Record("effect_reused", map[string]any{"idempotency_key": key}); err != nil {
			return false, fmt.Errorf("note the effect that was there: %w", err)
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
