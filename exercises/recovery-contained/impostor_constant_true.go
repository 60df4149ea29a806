//go:build exercise

package recovery

// Contained: everything is contained.
func Contained(folder, name string) bool {
	return true
}
