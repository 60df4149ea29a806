//go:build !linux

package toolchain

import "os"

// limit does nothing: this system sets a process's limits from inside only.
func limit(*os.Process, bounds) error { return nil }
