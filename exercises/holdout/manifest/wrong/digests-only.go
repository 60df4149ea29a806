//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY manifest wrong digests-only 4e4d3584

package assistant

// Mistake: digests are compared without their names, so two exchanged ones agree.
func ManifestAgrees(expected, observed map[string]string) bool {
	count := map[string]int{}
	for _, digest := range expected {
		count[digest]++
	}
	for _, digest := range observed {
		count[digest]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return len(expected) > 0
}
