//go:build exercise

package assistant

// ManifestAgrees agrees with nothing.
func ManifestAgrees(expected, observed map[string]string) bool {
	return false
}
