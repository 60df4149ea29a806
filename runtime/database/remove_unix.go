//go:build unix

package database

import (
	"errors"
	"os"

	"fieldbook/runtime/operation"
)

// removeLocked removes a lock file while it is still locked, so that no one can take it for a leftover in between.
func removeLocked(span *operation.Span, f *os.File, path string) error {
	return errors.Join(removeFile(span, path), f.Close())
}
