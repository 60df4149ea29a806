package recovery

import (
	"context"
	"fmt"

	"fieldbook/runtime/fieldnotes"
)

// Verify reads the effects again and reports whether the one under key is exactly the wanted one, and the only one for its
// tenant and order. What a run remembers of its effect is no evidence.
func Verify(ctx context.Context, notes *fieldnotes.Notebook, key string, wanted fieldnotes.Effect) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	effects, err := notes.Effects()
	if err != nil {
		return false, fmt.Errorf("read the effects again: %w", err)
	}
	same := 0
	for _, effect := range effects {
		if effect.Tenant == wanted.Tenant && effect.OrderID == wanted.OrderID {
			same++
		}
	}
	return same == 1 && effects[key] == wanted, nil
}
