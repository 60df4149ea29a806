//go:build exercise

// FIELDBOOK-HOLDOUT-CANARY recovery-contained variant join-with-a-mark 28398f9f

package recovery

import (
	"path"
	"strings"
)

// Contained gives both paths a slash at the end, so that no name can be half of another.
func Contained(folder, name string) bool {
	closed := func(text string) string {
		if text = path.Clean(text); text == "/" {
			return text
		}
		return text + "/"
	}
	rooted := path.IsAbs(folder) && path.IsAbs(name)
	return rooted && closed(folder) != closed(name) && strings.HasPrefix(closed(name), closed(folder))
}
