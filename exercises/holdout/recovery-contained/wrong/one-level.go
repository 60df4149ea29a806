//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-contained wrong one-level 31bfa6af

package recovery

import "path"

// Mistake: Looks one level below the folder, and no further.
func Contained(folder, name string) bool {
	if !path.IsAbs(folder) || !path.IsAbs(name) {
		return false
	}
	name = path.Clean(name)
	return name != "/" && path.Dir(name) == path.Clean(folder)
}
