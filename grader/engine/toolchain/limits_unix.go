//go:build unix

package toolchain

import (
	"os/exec"
	"syscall"
)

// own gives a command a process group, so that its end is the end of the compilers that it has started.
func own(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return endGroup(command) }
}

// endGroup ends what a command has started. It may still run after the command itself was ended by a limit.
func endGroup(command *exec.Cmd) error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
