//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-contained wrong somewhere-inside c4e08e67

package recovery

import (
	"path"
	"strings"
)

// Mistake: Looks for the folder anywhere in the name.
func Contained(folder, name string) bool {
	if !path.IsAbs(folder) || !path.IsAbs(name) {
		return false
	}
	folder, name = path.Clean(folder), path.Clean(name)
	return name != folder && strings.Contains(name, strings.TrimSuffix(folder, "/")+"/")
}
