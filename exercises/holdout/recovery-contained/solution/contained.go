//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-contained solution contained 05fdf179

package recovery

import (
	"path"
	"strings"
)

// Contained compares the resolved paths part by part.
func Contained(folder, name string) bool {
	if !path.IsAbs(folder) || !path.IsAbs(name) {
		return false
	}
	above := strings.TrimSuffix(path.Clean(folder), "/") + "/"
	resolved := path.Clean(name)
	return len(resolved) > len(above) && strings.HasPrefix(resolved, above)
}
