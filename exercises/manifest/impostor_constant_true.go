//go:build exercise

package assistant

// ManifestAgrees agrees with everything.
func ManifestAgrees(expected, observed map[string]string) bool {
	return true
}
