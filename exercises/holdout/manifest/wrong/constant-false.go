//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY manifest wrong constant-false f1ff923c

package assistant

// Mistake: nothing agrees with anything.
func ManifestAgrees(expected, observed map[string]string) bool {
	return false
}
