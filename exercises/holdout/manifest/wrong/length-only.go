//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY manifest wrong length-only c573cf2a

package assistant

// Mistake: the names are counted and none is looked at.
func ManifestAgrees(expected, observed map[string]string) bool {
	return len(expected) > 0 && len(expected) == len(observed)
}
