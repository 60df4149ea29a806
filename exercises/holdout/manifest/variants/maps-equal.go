//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY manifest variant maps-equal 4c418a00

package assistant

import "maps"

// ManifestAgrees leaves the comparison to the standard library.
func ManifestAgrees(expected, observed map[string]string) bool {
	return len(expected) > 0 && maps.Equal(expected, observed)
}
