//go:build exercise

package recovery

// Contained: nothing is contained.
func Contained(folder, name string) bool {
	return false
}
