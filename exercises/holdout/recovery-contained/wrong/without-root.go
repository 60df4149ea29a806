//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-contained wrong without-root 4e6980ee

package recovery

import (
	"path"
	"strings"
)

// Mistake: Takes a name that does not begin at the root as if it did.
func Contained(folder, name string) bool {
	folder, name = path.Clean("/"+folder), path.Clean("/"+name)
	return name != folder && strings.HasPrefix(name, strings.TrimSuffix(folder, "/")+"/")
}
