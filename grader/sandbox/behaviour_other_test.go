//go:build !linux

package sandbox

func systemBehaviours() map[string]behaviour { return nil }
