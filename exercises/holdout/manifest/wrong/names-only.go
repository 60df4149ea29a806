//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY manifest wrong names-only e65edfb5

package assistant

// Mistake: digests are not compared.
func ManifestAgrees(expected, observed map[string]string) bool {
	for name := range expected {
		if _, ok := observed[name]; !ok {
			return false
		}
	}
	return len(expected) > 0 && len(expected) == len(observed)
}
