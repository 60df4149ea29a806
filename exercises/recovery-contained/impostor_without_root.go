//go:build exercise

package recovery

import (
	"path"
	"strings"
)

// Contained takes a name that does not begin at the root as if it did.
func Contained(folder, name string) bool {
	folder, name = path.Clean("/"+folder), path.Clean("/"+name)
	return name != folder && strings.HasPrefix(name, strings.TrimSuffix(folder, "/")+"/")
}
