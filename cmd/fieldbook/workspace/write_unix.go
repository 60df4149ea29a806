//go:build !windows

package workspace

import "syscall"

// What the operating system says when a quota is used up, and when a file system is mounted for reading only.
const (
	errQuota    = syscall.EDQUOT
	errReadOnly = syscall.EROFS
)
