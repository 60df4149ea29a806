package workspace

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"fieldbook/grader"
	"fieldbook/handoff/archive"
)

// Files are all files of the workspace as an archive takes them to another machine. What another machine has no use for is
// left out: the lock, and what a killed program left half-written. left names, in order, what is there and cannot travel:
// links, devices, and names that some systems cannot store.
func (w *Workspace) Files() (files []archive.File, left []string, err error) {
	total := int64(0)
	err = filepath.WalkDir(w.root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return trouble("read", path, err)
		}
		name, err := filepath.Rel(w.root, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		switch {
		case name == ".":
			return nil
		case unfinished(d.Name()):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir() || name == lockFile || name == holderFile:
			return nil
		case !d.Type().IsRegular() || !archive.ValidName(name):
			left = append(left, name)
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return trouble("read", path, err)
		}
		if total += info.Size(); total > archive.MaxBytes {
			return &grader.Error{
				Code:    "workspace_too_large",
				Message: fmt.Sprintf("the workspace holds more than the %d MB that an archive can carry", archive.MaxBytes>>20),
				Hint:    "Move large files of your own out of " + w.root + ", then export again.",
				Exit:    grader.ExitUsage,
			}
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return trouble("read", path, err)
		}
		files = append(files, archive.File{Name: name, Data: data})
		return nil
	})
	return files, left, err
}

// Unpack makes a workspace at root of the files of another one. The new folder appears at root complete or not at all:
// finish, which may bring it to this edition, works on it before. Anything that stands at root is refused, but an empty
// folder.
func Unpack(root string, files []archive.File, finish func(temporary string) error) error {
	if err := vacant(root); err != nil {
		return err
	}
	parent := filepath.Dir(root)
	if err := makeFolder(parent); err != nil {
		return err
	}
	temporary, err := os.MkdirTemp(parent, temporaryPrefix+"import-*")
	if err != nil {
		return trouble("make folder", root, err)
	}
	defer os.RemoveAll(temporary) // nothing is left of it after the renaming
	if err := os.Chmod(temporary, 0o755); err != nil {
		return trouble("make folder", root, err)
	}
	if err := lay(temporary, files); err != nil {
		return err
	}
	if err := finish(temporary); err != nil {
		return err
	}
	if err := vacant(root); err != nil {
		return err
	}
	_ = os.Remove(root) // an empty folder; where there is none, there is nothing to remove
	if err := os.Rename(temporary, root); err != nil {
		return trouble("make folder", root, err)
	}
	return syncFolder(parent)
}

// vacant refuses a place where something stands already.
func vacant(root string) error {
	entries, err := os.ReadDir(root)
	if os.IsNotExist(err) || err == nil && len(entries) == 0 {
		return nil
	}
	return &grader.Error{
		Code:    "place_taken",
		Message: fmt.Sprintf("something is at %s already, and it is not overwritten", root),
		Hint:    "Name a new folder: fieldbook import FILE FOLDER.",
		Exit:    grader.ExitUsage,
	}
}

// lay writes files below a new folder and makes them durable. The names are an archive's: each stays below the folder.
func lay(folder string, files []archive.File) error {
	folders := map[string]bool{folder: true}
	for _, f := range files {
		path := filepath.Join(folder, filepath.FromSlash(f.Name))
		for parent := filepath.Dir(path); !folders[parent]; parent = filepath.Dir(parent) {
			folders[parent] = true
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return trouble("make folder", filepath.Dir(path), err)
		}
		if err := writeSynced(path, f.Data); err != nil {
			return trouble("write", path, err)
		}
	}
	for parent := range folders {
		if err := syncFolder(parent); err != nil {
			return err
		}
	}
	return nil
}

func writeSynced(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Sync()
}

// Carried reports whether files are those of a workspace: an archive of the right kind may still lack what makes one.
func Carried(files []archive.File) bool {
	for _, f := range files {
		if f.Name == Folder+"/"+about {
			return true
		}
	}
	return false
}

// handoffName is the name of the file at the end of a path of any system.
func handoffName(path string) string {
	return path[strings.LastIndexAny(path, `/\`)+1:]
}
