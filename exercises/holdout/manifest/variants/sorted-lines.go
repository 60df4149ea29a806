//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY manifest variant sorted-lines 0e584a16

package assistant

import (
	"sort"
	"strconv"
	"strings"
)

// ManifestAgrees writes both manifests as sorted lines and compares the texts.
func ManifestAgrees(expected, observed map[string]string) bool {
	lines := func(manifest map[string]string) string {
		var all []string
		for name, digest := range manifest {
			all = append(all, strconv.Quote(name)+" "+strconv.Quote(digest))
		}
		sort.Strings(all)
		return strings.Join(all, "\n")
	}
	return len(expected) != 0 && lines(expected) == lines(observed)
}
