package enter

import (
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// closeStrangers closes every descriptor that is not the worker's own: what a parent that did not harden itself let
// through, and the files in which the Go runtime follows the machine's CPU quota, which one fixed processor does not need.
// Descriptors without a file, such as those of the runtime's poller, stay.
func (d *Descriptors) closeStrangers() {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return
	}
	for _, entry := range entries {
		fd, err := strconv.Atoi(entry.Name())
		if err != nil || fd <= StartNumber {
			continue
		}
		var stat unix.Stat_t
		if unix.Fstat(fd, &stat) == nil && stat.Mode&unix.S_IFMT != 0 {
			_ = unix.Close(fd)
		}
	}
}
