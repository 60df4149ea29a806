package workspace

import "syscall"

// ERROR_DISK_FULL and ERROR_WRITE_PROTECT.
const (
	errQuota    = syscall.Errno(112)
	errReadOnly = syscall.Errno(19)
)
