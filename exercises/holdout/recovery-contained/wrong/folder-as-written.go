//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-contained wrong folder-as-written d47a9a78

package recovery

import (
	"path"
	"strings"
)

// Mistake: Resolves the name, and takes the folder as it is written.
func Contained(folder, name string) bool {
	if !path.IsAbs(folder) || !path.IsAbs(name) {
		return false
	}
	name = path.Clean(name)
	return name != folder && strings.HasPrefix(name, strings.TrimSuffix(folder, "/")+"/")
}
