//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY manifest solution 776a5ae6

package assistant

// ManifestAgrees counts, and looks every expected name up.
func ManifestAgrees(expected, observed map[string]string) bool {
	agreed := 0
	for name, want := range expected {
		if got, ok := observed[name]; ok && got == want {
			agreed++
		}
	}
	return agreed > 0 && agreed == len(expected) && agreed == len(observed)
}
