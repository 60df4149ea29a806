//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-contained wrong constant-true 06d002db

package recovery

// Mistake: Everything is contained.
func Contained(folder, name string) bool {
	return true
}
