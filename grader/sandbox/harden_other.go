//go:build !linux

package sandbox

// Harden is the first line of a parent's main. On this system there is nothing to do: what Go opens is not inherited.
func Harden() {}
