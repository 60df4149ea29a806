package assistant

// ManifestAgrees reports whether the files that were found are the files that a manifest names: at least one, the same
// names, and for each the same digest. Both arguments map names to digests; neither is changed.
func ManifestAgrees(expected, observed map[string]string) bool {
	if len(expected) == 0 || len(expected) != len(observed) {
		return false
	}
	for name, digest := range expected {
		found, present := observed[name]
		if !present || found != digest {
			return false
		}
	}
	return true
}
