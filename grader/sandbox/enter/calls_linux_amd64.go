package enter

import "golang.org/x/sys/unix"

const (
	architecture = unix.AUDIT_ARCH_X86_64
	foreignBit   = 0x40000000 // x32: the same architecture number, other calls
)

// The calls that only this architecture still has beside their newer forms.
var (
	callsAllowedHere = []uint32{unix.SYS_EPOLL_WAIT, unix.SYS_TIME, unix.SYS_DUP2}
	callsOnPathsHere = []uint32{
		unix.SYS_OPEN, unix.SYS_STAT, unix.SYS_LSTAT, unix.SYS_NEWFSTATAT, unix.SYS_ACCESS, unix.SYS_UNLINK, unix.SYS_RENAME,
		unix.SYS_RENAMEAT, unix.SYS_MKDIR, unix.SYS_RMDIR, unix.SYS_READLINK, unix.SYS_GETDENTS,
	}
	callsKilledHere = []uint32{unix.SYS_FORK, unix.SYS_VFORK}
)
