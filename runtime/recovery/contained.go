package recovery

import (
	"path"
	"strings"
)

// Contained reports whether name lies beneath folder. Both are paths with slashes. The name is text that somebody else wrote:
// it is judged by the place to which it leads, after its dots and doubled slashes are resolved, and never by how it begins.
// A path that does not begin at the root leads nowhere that can be judged, and the folder does not lie beneath itself.
func Contained(folder, name string) bool {
	if !path.IsAbs(name) {
		return false // and what begins at the root begins with no folder that does not
	}
	folder, name = path.Clean(folder), path.Clean(name)
	if folder == "/" {
		return name != folder
	}
	return strings.HasPrefix(name, folder+"/")
}
