//go:build exercise

package assistant

import "fieldbook/runtime/exercise"

// ManifestAgrees reports whether the files that were found are the files that a manifest names: at least one, the same
// names, and for each the same digest. Both arguments map names to digests; neither is changed.
func ManifestAgrees(expected, observed map[string]string) bool {
	exercise.Unfinished()
	return false
}
