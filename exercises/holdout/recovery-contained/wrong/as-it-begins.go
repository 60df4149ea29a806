//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-contained wrong as-it-begins f6466d5f

package recovery

import "strings"

// Mistake: Looks at how the name begins, and not at where its dots lead.
func Contained(folder, name string) bool {
	return strings.HasPrefix(folder, "/") && len(name) > len(folder)+1 && strings.HasPrefix(name, strings.TrimSuffix(folder, "/")+"/")
}
