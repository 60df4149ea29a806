package sandbox

import (
	"syscall"

	"golang.org/x/sys/unix"

	"fieldbook/grader"
)

// kernelAttacks are calls of Linux that a way out would begin with. Each has arguments that do nothing where it is allowed.
func kernelAttacks() map[string]attack {
	call := func(number uintptr, arguments ...uintptr) attack {
		arguments = append(arguments, make([]uintptr, 6)...)
		return attack{
			profile: Scratch, layers: []string{"seccomp"}, ends: outcomesOf(grader.SandboxViolation),
			run: func(Session, grounds) error {
				_, _, errno := unix.Syscall6(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5])
				if errno == 0 || errno == unix.EFAULT || errno == unix.EINVAL {
					return nil // the kernel has looked at the arguments: the call itself is allowed
				}
				return errno
			},
		}
	}
	return map[string]attack{
		"fork": {
			profile: Scratch, layers: []string{"seccomp"}, ends: outcomesOf(grader.SandboxViolation),
			run: func(Session, grounds) error {
				pid, _, errno := syscall.RawSyscall6(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
				if errno != 0 {
					return errno
				}
				if pid == 0 {
					for { // nothing of Go's works in the copy; it ends at once
						_, _, _ = syscall.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
					}
				}
				_, err := unix.Wait4(int(pid), nil, 0, nil)
				return err
			},
		},
		"make namespaces":       call(unix.SYS_UNSHARE, unix.CLONE_NEWUTS),
		"use io_uring":          call(unix.SYS_IO_URING_SETUP, 1),
		"load BPF":              call(unix.SYS_BPF),
		"use the keyring":       call(unix.SYS_KEYCTL, unix.KEYCTL_GET_KEYRING_ID),
		"trace":                 call(unix.SYS_PTRACE, unix.PTRACE_PEEKDATA),
		"hide a file in memory": call(unix.SYS_MEMFD_CREATE),
	}
}
