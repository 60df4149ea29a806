package toolchain

import "os/exec"

// own leaves a command as it is: the compilers that it has started end by themselves, soon after it.
func own(*exec.Cmd) {}

// endGroup does nothing: there is no group.
func endGroup(*exec.Cmd) error { return nil }
