//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY manifest wrong empty-agrees bc6bc6c5

package assistant

// Mistake: an empty manifest agrees with an empty folder.
func ManifestAgrees(expected, observed map[string]string) bool {
	if len(expected) != len(observed) {
		return false
	}
	for name, digest := range expected {
		if got, ok := observed[name]; !ok || got != digest {
			return false
		}
	}
	return true
}
