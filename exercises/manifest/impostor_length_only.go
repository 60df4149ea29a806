//go:build exercise

package assistant

// ManifestAgrees counts the names and never looks at one.
func ManifestAgrees(expected, observed map[string]string) bool {
	return len(expected) > 0 && len(expected) == len(observed)
}
