//go:build exercise

package recovery

import "fieldbook/runtime/exercise"

// Contained reports whether name lies beneath folder. Both are paths with slashes. The name is text that somebody else wrote:
// it is judged by the place to which it leads, after its dots and doubled slashes are resolved, and never by how it begins.
// A path that does not begin at the root leads nowhere that can be judged, and the folder does not lie beneath itself.
func Contained(folder, name string) bool {
	exercise.Unfinished()
	return false
}
