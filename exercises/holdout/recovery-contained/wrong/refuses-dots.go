//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-contained wrong refuses-dots 0b8e90e9

package recovery

import (
	"path"
	"strings"
)

// Mistake: Refuses every name with two dots in it, wherever they lead.
func Contained(folder, name string) bool {
	if strings.Contains(name, "..") {
		return false
	}
	if !path.IsAbs(folder) || !path.IsAbs(name) {
		return false
	}
	folder, name = path.Clean(folder), path.Clean(name)
	return strings.HasPrefix(name, strings.TrimSuffix(folder, "/")+"/") && name != folder
}
