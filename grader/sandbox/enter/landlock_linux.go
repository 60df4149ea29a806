package enter

import (
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// landlockRuleset is struct landlock_ruleset_attr of linux/landlock.h as of ABI 6; older kernels take its first fields.
type landlockRuleset struct {
	handledFS, handledNet, scoped uint64
}

// landlockBeneath is struct landlock_path_beneath_attr, which is packed: 12 bytes, then padding that the kernel ignores.
type landlockBeneath struct {
	allowed uint64
	parent  int32
}

// landlock forbids every access to paths outside folder ("": to any path), TCP, abstract Unix sockets and signals to
// other processes, as far as this kernel's version of it goes. It is written out here, over four system calls, because
// the best-effort mode of the usual library succeeds in silence where there is no landlock at all.
func landlock(folder string) (version int, err error) {
	known, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0, fmt.Errorf("this kernel has no landlock: %w", errno)
	}
	version = int(known)
	rules := landlockRuleset{handledFS: landlockPaths(version)}
	size := unsafe.Sizeof(rules.handledFS)
	if version >= 4 {
		rules.handledNet = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
		size += unsafe.Sizeof(rules.handledNet)
	}
	if version >= 6 {
		rules.scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET
		size += unsafe.Sizeof(rules.scoped)
	}
	if version >= 7 {
		// Each thread has its own domain here. Before Linux 6.15 this scope also forbade signals between threads of one
		// process, by which Go preempts.
		rules.scoped |= unix.LANDLOCK_SCOPE_SIGNAL
	}
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&rules)), size, 0)
	runtime.KeepAlive(&rules)
	if errno != 0 {
		return 0, fmt.Errorf("creating rules: %w", errno)
	}
	defer unix.Close(int(fd))
	if folder != "" {
		if err := landlockAllow(int(fd), folder, rules.handledFS&^unix.LANDLOCK_ACCESS_FS_EXECUTE); err != nil {
			return 0, err
		}
	}
	if err := onAllThreads("prctl(PR_SET_NO_NEW_PRIVS)", unix.SYS_PRCTL, unix.PR_SET_NO_NEW_PRIVS, 1, 0); err != nil {
		return 0, err
	}
	if err := onAllThreads("landlock_restrict_self", unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0, 0); err != nil {
		return 0, err
	}
	return version, nil
}

// landlockPaths is every right on paths that the given version knows: what is not handled is not forbidden.
func landlockPaths(version int) uint64 {
	const first = unix.LANDLOCK_ACCESS_FS_MAKE_SYM<<1 - 1 // version 1 knows all rights up to this one
	paths := uint64(first)
	if version >= 2 {
		paths |= unix.LANDLOCK_ACCESS_FS_REFER // else a rename between subfolders of scratch fails with EXDEV
	}
	if version >= 3 {
		paths |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if version >= 5 {
		paths |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	return paths
}

func landlockAllow(rules int, folder string, rights uint64) error {
	dir, err := unix.Open(folder, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("opening scratch: %w", err)
	}
	defer unix.Close(dir)
	// No devices, sockets, pipes or links in scratch: nothing that the parent would have to step around afterwards.
	rights &^= unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_SYM | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	rule := landlockBeneath{allowed: rights, parent: int32(dir)}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(rules), unix.LANDLOCK_RULE_PATH_BENEATH,
		uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	runtime.KeepAlive(&rule)
	if errno != 0 {
		return fmt.Errorf("allowing scratch: %w", errno)
	}
	return nil
}
