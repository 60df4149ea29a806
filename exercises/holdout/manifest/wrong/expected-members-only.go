//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY manifest wrong expected-members-only 21c49d4d

package assistant

// Mistake: an unexpected member is not seen.
func ManifestAgrees(expected, observed map[string]string) bool {
	for name, digest := range expected {
		if observed[name] != digest {
			return false
		}
	}
	return len(expected) > 0
}
