//go:build unix && !linux

package sandbox

func kernelAttacks() map[string]attack { return nil }
