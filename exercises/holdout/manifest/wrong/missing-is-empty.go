//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY manifest wrong missing-is-empty 68ebd0f6

package assistant

// Mistake: a missing name counts as an empty digest.
func ManifestAgrees(expected, observed map[string]string) bool {
	for name, digest := range expected {
		if observed[name] != digest {
			return false
		}
	}
	return len(expected) > 0 && len(expected) == len(observed)
}
