//go:build linux && (amd64 || arm64)

package enter

import (
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// confine installs the filter of the profile on every thread. truncates lets truncate(2) pass in profile scratch: landlock
// forbids it outside since version 3 only.
func confine(scratch, truncates bool) (string, error) {
	program, allowed := filter(scratch, truncates, unix.Getpid())
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return "", fmt.Errorf("prctl(PR_SET_NO_NEW_PRIVS): %w", err)
	}
	header := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	// TSYNC gives the filter, and no_new_privs with it, to the other threads; which thread calls does not matter, but it
	// must be the one that set no_new_privs.
	thread, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC,
		uintptr(unsafe.Pointer(&header)))
	runtime.KeepAlive(program)
	if errno != 0 {
		return "", fmt.Errorf("installing the filter: %w", errno)
	}
	if thread != 0 {
		return "", fmt.Errorf("thread %d could not take the filter", thread)
	}
	profile := "pure"
	if scratch {
		profile = "scratch"
	}
	return fmt.Sprintf("profile %s, %d calls allowed", profile, allowed), nil
}

// filter is the program of a profile for the process pid, and how many calls it lets pass. What is not named is refused
// with EPERM: ending the process on anything unknown would end SQLite on some kernel sooner or later.
func filter(scratch, truncates bool, pid int) ([]unix.SockFilter, int) {
	var f assembler
	f.architecture()
	allowed := append([]uint32{}, callsAllowed...)
	allowed = append(allowed, callsAllowedHere...)
	if scratch {
		allowed = append(allowed, callsOnPaths...)
		allowed = append(allowed, callsOnPathsHere...)
		if truncates {
			allowed = append(allowed, unix.SYS_TRUNCATE)
		}
	}
	for _, call := range allowed {
		f.when(call, unix.SECCOMP_RET_ALLOW)
	}
	f.arguments(uint32(pid))
	for _, call := range append(append([]uint32{}, callsKilled...), callsKilledHere...) {
		f.when(call, unix.SECCOMP_RET_KILL_PROCESS)
	}
	f.when(unix.SYS_CLONE3, refused(unix.ENOSYS)) // its flags are behind a pointer; callers fall back to clone
	f.ret(refused(unix.EPERM))
	return f.program, len(allowed)
}

// arguments adds the calls that are allowed with some arguments only.
func (f *assembler) arguments(pid uint32) {
	const eperm = unix.EPERM
	// Threads yes, processes no.
	f.call(unix.SYS_CLONE, func() {
		f.load(0)
		f.whenBits(unix.CLONE_THREAD, unix.CLONE_THREAD, unix.SECCOMP_RET_ALLOW)
		f.ret(unix.SECCOMP_RET_KILL_PROCESS)
	})
	// No executable memory, and no shared memory that no file bounds.
	f.call(unix.SYS_MMAP, func() {
		f.load(2)
		f.whenBits(unix.PROT_EXEC, unix.PROT_EXEC, refused(eperm))
		f.load(3)
		f.whenBits(unix.MAP_SHARED|unix.MAP_ANONYMOUS, unix.MAP_SHARED|unix.MAP_ANONYMOUS, refused(eperm))
		f.ret(unix.SECCOMP_RET_ALLOW)
	})
	f.call(unix.SYS_MPROTECT, func() {
		f.load(2)
		f.whenBits(unix.PROT_EXEC, unix.PROT_EXEC, refused(eperm))
		f.ret(unix.SECCOMP_RET_ALLOW)
	})
	// Signals to this process only. One that stops itself loses the calling thread and meets its deadline: as first
	// process of its own namespace it could not be stopped otherwise, and would go on as if nothing had happened.
	f.call(unix.SYS_KILL, func() { f.signal(pid, 0, 1) })
	f.call(unix.SYS_TGKILL, func() { f.signal(pid, 0, 2) })
	// Names for memory areas, which the Go runtime gives; nothing else of prctl.
	f.call(unix.SYS_PRCTL, func() {
		f.load(0)
		f.whenEqual(unix.PR_SET_VMA, unix.SECCOMP_RET_ALLOW)
		f.ret(refused(eperm))
	})
	// Own limits may be read: pid 0 and no new value.
	f.call(unix.SYS_PRLIMIT64, func() {
		for _, half := range []int{f.low(0), f.low(2), f.high(2)} {
			f.loadAt(half)
			f.unlessEqual(0, refused(eperm))
		}
		f.ret(unix.SECCOMP_RET_ALLOW)
	})
	// Flags and locks of descriptors; not F_SETOWN and F_SETSIG, which send signals to others.
	f.call(unix.SYS_FCNTL, func() {
		f.load(1)
		for _, command := range fcntlAllowed {
			f.whenEqual(command, unix.SECCOMP_RET_ALLOW)
		}
		f.ret(refused(eperm))
	})
}

var fcntlAllowed = []uint32{
	unix.F_DUPFD, unix.F_DUPFD_CLOEXEC, unix.F_GETFD, unix.F_SETFD, unix.F_GETFL, unix.F_SETFL,
	unix.F_GETLK, unix.F_SETLK, unix.F_SETLKW, unix.F_OFD_GETLK, unix.F_OFD_SETLK, unix.F_OFD_SETLKW,
}

// signal allows a signal to pid, given which argument holds the target and which the signal.
func (f *assembler) signal(pid uint32, target, signal int) {
	f.load(target)
	f.unlessEqual(pid, refused(unix.EPERM))
	f.load(signal)
	f.whenEqual(uint32(unix.SIGSTOP), unix.SECCOMP_RET_KILL_THREAD)
	f.whenEqual(uint32(unix.SIGKILL), refused(unix.EPERM)) // so that a SIGKILL always comes from outside
	f.ret(unix.SECCOMP_RET_ALLOW)
}

// refused is the action that makes a call fail with errno.
func refused(errno unix.Errno) uint32 {
	return unix.SECCOMP_RET_ERRNO | uint32(errno)&unix.SECCOMP_RET_DATA
}
