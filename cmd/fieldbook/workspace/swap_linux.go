package workspace

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// exchange gives two files or folders each other's name, at once. A file system that cannot is errors.ErrUnsupported.
func exchange(a, b string) error {
	err := unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
	for _, lacking := range []error{unix.ENOSYS, unix.EINVAL, unix.EOPNOTSUPP} {
		if errors.Is(err, lacking) {
			return fmt.Errorf("%w: %w", errors.ErrUnsupported, err)
		}
	}
	return err
}
