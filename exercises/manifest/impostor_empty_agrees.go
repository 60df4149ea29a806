//go:build exercise

package assistant

// ManifestAgrees compares exactly, and lets an empty manifest agree with an empty folder.
func ManifestAgrees(expected, observed map[string]string) bool {
	if len(expected) != len(observed) {
		return false
	}
	for name, digest := range expected {
		if found, present := observed[name]; !present || found != digest {
			return false
		}
	}
	return true
}
