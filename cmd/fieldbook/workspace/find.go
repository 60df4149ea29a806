package workspace

import (
	"fmt"
	"path/filepath"

	"fieldbook/cmd/fieldbook/lang"
)

// Place is where a workspace lies and how it was found.
type Place struct {
	Path   string // absolute
	Reason string // for the reader: "named by --workspace", …
	Exists bool
}

// Find chooses the workspace: the named one, else the nearest parent of cwd that is one, else the one in the user's
// data folder. It makes nothing.
func Find(named, cwd, data string) (Place, error) {
	if named != "" {
		path := named
		if !filepath.IsAbs(path) {
			path = filepath.Join(cwd, path)
		}
		return placeAt(path, lang.Key("named by --workspace")), nil
	}
	for folder := filepath.Clean(cwd); ; {
		if Exists(folder) {
			return placeAt(folder, fmt.Sprintf(lang.Key("the nearest folder with %s"), Folder)), nil
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			break
		}
		folder = parent
	}
	if data == "" {
		return Place{}, fmt.Errorf("no data folder is known for this user")
	}
	return placeAt(filepath.Join(data, "fieldbook", "workspace"), lang.Key("in your data folder")), nil
}

func placeAt(path, reason string) Place {
	path = filepath.Clean(path)
	return Place{Path: path, Reason: reason, Exists: Exists(path)}
}
