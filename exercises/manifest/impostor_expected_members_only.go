//go:build exercise

package assistant

// ManifestAgrees checks what the manifest names and never sees an unexpected member.
func ManifestAgrees(expected, observed map[string]string) bool {
	for name, digest := range expected {
		if observed[name] != digest {
			return false
		}
	}
	return len(expected) > 0
}
