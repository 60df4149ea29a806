//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-contained wrong constant-false 1414f6b5

package recovery

// Mistake: Nothing is contained.
func Contained(folder, name string) bool {
	return false
}
