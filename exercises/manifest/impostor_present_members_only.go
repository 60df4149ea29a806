//go:build exercise

package assistant

// ManifestAgrees checks what was found against the manifest and never asks for what is missing.
func ManifestAgrees(expected, observed map[string]string) bool {
	for name, digest := range observed {
		if expected[name] != digest {
			return false
		}
	}
	return len(expected) > 0
}
