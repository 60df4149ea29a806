//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-contained variant cut-prefix 4ba71ab7

package recovery

import (
	"path"
	"strings"
)

// Contained cuts the folder off and looks at what is left.
func Contained(folder, name string) bool {
	if len(folder) == 0 || len(name) == 0 || folder[0] != '/' || name[0] != '/' {
		return false
	}
	rest, found := strings.CutPrefix(path.Clean(name), path.Clean(folder))
	switch {
	case !found, rest == "":
		return false
	case path.Clean(folder) == "/":
		return true
	}
	return rest[0] == '/'
}
