package enter

import (
	"fmt"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// dropCapabilities empties the capability sets of every thread; the ambient set follows from the permitted one. The
// bounding set stays: it matters only to a new program, and there is none after seccomp.
func dropCapabilities() error {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	err := onAllThreads("capset", unix.SYS_CAPSET, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(&none[0])), 0)
	runtime.KeepAlive(&header)
	runtime.KeepAlive(&none)
	return err
}

// onAllThreads makes a system call whose effect belongs to a thread, on each thread of the process. With cgo it is not
// possible (ENOTSUP), and the layer is reported as missing. Arguments may be pointers: they escape, as in package syscall.
//
//go:uintptrescapes
func onAllThreads(name string, trap, a1, a2, a3 uintptr) error {
	if _, _, errno := syscall.AllThreadsSyscall6(trap, a1, a2, a3, 0, 0, 0); errno != 0 {
		return fmt.Errorf("%s: %w", name, errno)
	}
	return nil
}
