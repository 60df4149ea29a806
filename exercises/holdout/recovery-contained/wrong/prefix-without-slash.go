//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-contained wrong prefix-without-slash dae85d09

package recovery

import (
	"path"
	"strings"
)

// Mistake: Takes a neighbour whose name begins like the folder for something beneath it.
func Contained(folder, name string) bool {
	if !path.IsAbs(folder) || !path.IsAbs(name) {
		return false
	}
	folder, name = path.Clean(folder), path.Clean(name)
	return name != folder && strings.HasPrefix(name, folder)
}
