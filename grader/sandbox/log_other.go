//go:build !linux

package sandbox

import "os"

// makeLog makes the ends of a worker's operation log.
func (e *ends) makeLog() (reads, writes *os.File, err error) { return os.Pipe() }
