//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY manifest wrong uses-up-arguments 8855b351

package assistant

// Mistake: names are removed from the caller's maps while they are compared.
func ManifestAgrees(expected, observed map[string]string) bool {
	if len(expected) == 0 {
		return false
	}
	for name, digest := range expected {
		if got, ok := observed[name]; !ok || got != digest {
			return false
		}
		delete(observed, name)
		delete(expected, name)
	}
	return len(observed) == 0
}
