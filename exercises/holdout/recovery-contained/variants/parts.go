//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-contained variant parts ac0504a5

package recovery

import (
	"slices"
	"strings"
)

// Contained compares the parts of both paths.
func Contained(folder, name string) bool {
	above, rooted := parts(folder)
	below, too := parts(name)
	return rooted && too && len(below) > len(above) && slices.Equal(above, below[:len(above)])
}

// parts are the names on the way from the root, dots resolved.
func parts(text string) (names []string, rooted bool) {
	for _, part := range strings.Split(text, "/") {
		switch part {
		case "", ".":
		case "..":
			if len(names) > 0 {
				names = names[:len(names)-1]
			}
		default:
			names = append(names, part)
		}
	}
	return names, strings.HasPrefix(text, "/")
}
