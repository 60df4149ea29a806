//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-contained wrong ignores-case b822b63b

package recovery

import (
	"path"
	"strings"
)

// Mistake: Takes upper and lower case for the same.
func Contained(folder, name string) bool {
	if !path.IsAbs(folder) || !path.IsAbs(name) {
		return false
	}
	folder, name = strings.ToLower(path.Clean(folder)), strings.ToLower(path.Clean(name))
	return name != folder && strings.HasPrefix(name, strings.TrimSuffix(folder, "/")+"/")
}
