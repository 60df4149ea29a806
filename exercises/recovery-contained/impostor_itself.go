//go:build exercise

package recovery

import (
	"path"
	"strings"
)

// Contained takes the folder for something beneath itself.
func Contained(folder, name string) bool {
	if !path.IsAbs(folder) || !path.IsAbs(name) {
		return false
	}
	folder, name = path.Clean(folder), path.Clean(name)
	return name == folder || strings.HasPrefix(name, strings.TrimSuffix(folder, "/")+"/")
}
