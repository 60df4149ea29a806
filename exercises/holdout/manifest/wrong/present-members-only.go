//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY manifest wrong present-members-only 1cef40de

package assistant

// Mistake: what was found is checked and what is missing is not.
func ManifestAgrees(expected, observed map[string]string) bool {
	for name, digest := range observed {
		if expected[name] != digest {
			return false
		}
	}
	return len(expected) > 0
}
