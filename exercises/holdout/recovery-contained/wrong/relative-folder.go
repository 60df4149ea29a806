//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-contained wrong relative-folder a02bff2f

package recovery

import (
	"path"
	"strings"
)

// Mistake: Judges by a folder that does not begin at the root.
func Contained(folder, name string) bool {
	if !path.IsAbs(name) || folder == "" {
		return false
	}
	folder, name = path.Clean("/"+folder), path.Clean(name)
	return name != folder && strings.HasPrefix(name, strings.TrimSuffix(folder, "/")+"/")
}
