//go:build exercise

package assistant

// ManifestAgrees compares the names and never a digest.
func ManifestAgrees(expected, observed map[string]string) bool {
	for name := range expected {
		if _, found := observed[name]; !found {
			return false
		}
	}
	return len(expected) > 0 && len(expected) == len(observed)
}
