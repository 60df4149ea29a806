//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY manifest wrong constant-true 2cff5c01

package assistant

// Mistake: everything agrees with everything.
func ManifestAgrees(expected, observed map[string]string) bool {
	return true
}
