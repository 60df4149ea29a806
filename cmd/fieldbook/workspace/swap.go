package workspace

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"fieldbook/grader"
	"fieldbook/handoff"
)

// previousSuffix ends the name of a folder while another takes its place, where the system cannot exchange the two.
const previousSuffix = ".previous"

// freshSuffix ends the name of a folder that is being filled. Whoever takes the workspace sweeps others' unfinished files; this
// one belongs to a program that has not taken it.
const freshSuffix = ".fresh"

// ReplaceFolder puts a folder of these files, and of nothing else, in the place of the one at path. All of them are durable
// before the name changes, and the name changes at once: a program or a machine that stops at any instant leaves the old
// folder or the new one, whole. Parents are made. What stands at path and is no folder is refused.
//
// Where the system cannot exchange two names, the old folder has the name path.previous for the moment in which the new one
// takes its place; RecoverFolder ends what a stop in that moment has left.
func ReplaceFolder(path string, files []File) error { return replaceFolder(path, files, exchange) }

func replaceFolder(path string, files []File, exchange func(a, b string) error) error {
	if err := RecoverFolder(path); err != nil {
		return err
	}
	parent := filepath.Dir(path)
	if err := makeFolder(parent); err != nil {
		return err
	}
	info, err := os.Lstat(path)
	there := err == nil
	if there && !info.IsDir() {
		return noFolder(path)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return trouble("read", path, err)
	}
	fresh := filepath.Join(parent, "."+filepath.Base(path)+"."+rand.Text()[:8]+freshSuffix)
	if err := fill(fresh, files); err != nil {
		os.RemoveAll(fresh)
		return trouble("write", path, err)
	}
	if !there {
		if err := os.Rename(fresh, path); err != nil {
			os.RemoveAll(fresh)
			return trouble("write", path, err)
		}
		return syncFolder(parent)
	}
	if err := swap(path, fresh, exchange); err != nil {
		os.RemoveAll(fresh)
		return trouble("write", path, err)
	}
	return nil
}

// fill makes a folder and its files, durably. Nobody looks into it before it has its name, so that no file in it needs a
// temporary one beside it, which whoever takes the workspace meanwhile would sweep.
func fill(folder string, files []File) error {
	if err := os.Mkdir(folder, 0o755); err != nil {
		return err
	}
	inside := map[string]bool{folder: true}
	for _, f := range files {
		path := filepath.Join(folder, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := writeSynced(path, f.Text); err != nil {
			return err
		}
		inside[filepath.Dir(path)] = true
	}
	for folder := range inside {
		if err := handoff.SyncFolder(folder); err != nil {
			return err
		}
	}
	return nil
}

// swap gives the fresh folder the name of the one at path, and removes that one.
func swap(path, fresh string, exchange func(a, b string) error) error {
	err := exchange(path, fresh)
	if err == nil {
		if err := handoff.SyncFolder(filepath.Dir(path)); err != nil {
			return err
		}
		return os.RemoveAll(fresh) // the old one
	}
	if !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	previous := path + previousSuffix
	if err := os.Rename(path, previous); err != nil {
		return err
	}
	if err := os.Rename(fresh, path); err != nil {
		return errors.Join(err, os.Rename(previous, path))
	}
	if err := handoff.SyncFolder(filepath.Dir(path)); err != nil {
		return err
	}
	return os.RemoveAll(previous)
}

// RecoverFolder ends a replacement of the folder at path that was cut short: the old folder gets its name back, or goes when
// the new one has it.
func RecoverFolder(path string) error {
	previous := path + previousSuffix
	if info, err := os.Lstat(previous); err != nil || !info.IsDir() {
		return nil
	}
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		if err := os.Rename(previous, path); err != nil {
			return trouble("write", path, err)
		}
		return syncFolder(filepath.Dir(path))
	}
	if err := os.RemoveAll(previous); err != nil {
		return trouble("remove", previous, err)
	}
	return nil
}

func noFolder(path string) error {
	return &grader.Error{
		Code: "no_folder", Exit: grader.ExitUsage,
		Message: fmt.Sprintf("%s is no folder", path), Hint: "Name another folder, or move that away.",
	}
}

// ListFolder lists the names in a folder; one that does not exist has none. A link to a folder is no folder.
func ListFolder(path string) ([]string, error) {
	if info, err := os.Lstat(path); err == nil && !info.IsDir() {
		return nil, noFolder(path)
	}
	entries, err := os.ReadDir(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, trouble("read", path, err)
	}
	names := make([]string, len(entries))
	for i, entry := range entries {
		names[i] = entry.Name()
	}
	return names, nil
}

// RemoveFiles removes these files of a folder, in this order and durably, and nothing else. One that is not there is no error.
func RemoveFiles(folder string, names ...string) error {
	removed := false
	for _, name := range names {
		path := filepath.Join(folder, name)
		err := os.Remove(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return trouble("remove", path, err)
		}
		removed = removed || err == nil
	}
	if !removed {
		return nil
	}
	return syncFolder(folder)
}
