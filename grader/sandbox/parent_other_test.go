//go:build !linux

package sandbox

func parentMain(string) {}
