//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-contained variant walk-up 6cc6be18

package recovery

import (
	"path"
	"strings"
)

// Contained walks up from the name until it meets the folder or the root.
func Contained(folder, name string) bool {
	if !strings.HasPrefix(folder, "/") || !strings.HasPrefix(name, "/") {
		return false
	}
	folder = path.Clean(folder)
	for at := path.Clean(name); at != "/"; {
		at = path.Dir(at)
		if at == folder {
			return true
		}
	}
	return false
}
