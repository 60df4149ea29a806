//go:build exercise

package recovery

import "strings"

// Contained looks at how the name begins, and not at where its dots lead.
func Contained(folder, name string) bool {
	return strings.HasPrefix(folder, "/") && len(name) > len(folder)+1 && strings.HasPrefix(name, strings.TrimSuffix(folder, "/")+"/")
}
