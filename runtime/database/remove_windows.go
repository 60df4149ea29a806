package database

import (
	"errors"
	"os"

	"fieldbook/runtime/operation"
)

// removeLocked removes a lock file after unlocking it: Windows removes no open file.
func removeLocked(span *operation.Span, f *os.File, path string) error {
	return errors.Join(f.Close(), removeFile(span, path))
}
