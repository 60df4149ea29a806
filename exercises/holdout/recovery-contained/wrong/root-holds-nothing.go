//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-contained wrong root-holds-nothing 28b58ab4

package recovery

import (
	"path"
	"strings"
)

// Mistake: Finds nothing beneath the root.
func Contained(folder, name string) bool {
	if !path.IsAbs(folder) || !path.IsAbs(name) {
		return false
	}
	return strings.HasPrefix(path.Clean(name), path.Clean(folder)+"/")
}
