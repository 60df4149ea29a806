//go:build exercise

package recovery

import (
	"path"
	"strings"
)

// Contained looks for the folder anywhere in the name.
func Contained(folder, name string) bool {
	if !path.IsAbs(folder) || !path.IsAbs(name) {
		return false
	}
	folder, name = path.Clean(folder), path.Clean(name)
	return name != folder && strings.Contains(name, strings.TrimSuffix(folder, "/")+"/")
}
