//go:build exercise

package assistant

import (
	"context"

	"fieldbook/runtime/database"
	"fieldbook/runtime/exercise"
)

// Restore replaces the rows of the open shop db by those of the backup at source, and leaves the shop paused in a fresh
// epoch. A source that cannot be used is one of the refusals of package shop, and the shop is then exactly as it was.
func Restore(ctx context.Context, db *database.Database, source string) error {
	exercise.Unfinished()
	return nil
}
