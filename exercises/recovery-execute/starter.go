//go:build exercise

package recovery

import (
	"context"

	"fieldbook/runtime/exercise"
	"fieldbook/runtime/fieldnotes"
)

// Execute has the effect once for each idempotency key. A key that is known was executed before: nothing is written, and
// the first result is true. A new key is written beside the ones that there are; when it is durable, and noted in the trace, comes the
// point at which a crash may be injected, whose error is returned as it is.
func Execute(ctx context.Context, notes *fieldnotes.Notebook, key string, effect fieldnotes.Effect) (bool, error) {
	exercise.Unfinished()
	return false, nil
}
