//go:build !linux

package workspace

import "errors"

// exchange is what this system has no operation for.
func exchange(string, string) error { return errors.ErrUnsupported }
