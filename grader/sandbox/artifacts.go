package sandbox

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

const (
	// maxEntries bounds the files and folders of a scratch folder that are looked at.
	maxEntries = 1024
	maxDepth   = 16
)

// Artifacts are the files that a worker left in its scratch folder. The worker is dead; nothing changes them any more.
// Only regular files can be had, and no link is followed on the way to one. Names are slash-separated and relative.
type Artifacts struct{ scratch *scratch }

// Errors of Artifacts, beside fs.ErrNotExist and fs.ErrInvalid.
var (
	ErrNotRegular   = errors.New("not a regular file")
	ErrTooLarge     = errors.New("larger than the limit")
	ErrTooManyFiles = errors.New("too many files")
)

// Close frees the scratch folder. It may be called on nil, and more than once.
func (a *Artifacts) Close() {
	if a != nil && a.scratch != nil {
		a.scratch.free()
		a.scratch = nil
	}
}

// Open opens a regular file for reading.
func (a *Artifacts) Open(name string) (*os.File, error) {
	if err := a.check(name); err != nil {
		return nil, err
	}
	file, err := a.scratch.root.Open(name)
	if errors.Is(err, fs.ErrPermission) { // made without read permission; the folder is ours to open
		if err = a.scratch.root.Chmod(name, 0o600); err == nil {
			file, err = a.scratch.root.Open(name)
		}
	}
	return file, err
}

// ReadFile is the contents of a regular file of at most limit bytes.
func (a *Artifacts) ReadFile(name string, limit int64) ([]byte, error) {
	file, err := a.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = &fs.PathError{Op: "read", Path: name, Err: fmt.Errorf("%w of %s", ErrTooLarge, bytesInWords(limit))}
	}
	if err != nil {
		return nil, err
	}
	return data, nil
}

// Walk calls visit for each regular file, in lexical order of names within a folder, and for each folder before what is
// in it. Links, devices, sockets and pipes are passed over. The first error ends it.
func (a *Artifacts) Walk(visit func(name string, info fs.FileInfo) error) error {
	if a == nil || a.scratch == nil {
		return nil
	}
	entries := 0
	return a.walk(".", 0, &entries, visit)
}

func (a *Artifacts) walk(folder string, depth int, entries *int, visit func(string, fs.FileInfo) error) error {
	infos, err := a.list(folder)
	if err != nil {
		return err
	}
	for _, info := range infos {
		if *entries++; *entries > maxEntries || depth > maxDepth {
			return fmt.Errorf("walking the scratch folder: %w (at most %d, %d folders deep)", ErrTooManyFiles, maxEntries, maxDepth)
		}
		name := path.Join(folder, info.Name())
		if !info.IsDir() && !info.Mode().IsRegular() {
			continue
		}
		if err := visit(name, info); err != nil {
			return err
		}
		if info.IsDir() {
			if err := a.walk(name, depth+1, entries, visit); err != nil {
				return err
			}
		}
	}
	return nil
}

// list is what a folder holds, sorted by name, without following links.
func (a *Artifacts) list(folder string) ([]fs.FileInfo, error) {
	dir, err := a.scratch.root.Open(folder)
	if errors.Is(err, fs.ErrPermission) {
		if err = a.scratch.root.Chmod(folder, 0o700); err == nil {
			dir, err = a.scratch.root.Open(folder)
		}
	}
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	infos, err := dir.Readdir(maxEntries + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	slices.SortFunc(infos, func(a, b fs.FileInfo) int { return strings.Compare(a.Name(), b.Name()) })
	return infos, nil
}

// check refuses a name that is not that of a regular file reached through folders alone.
func (a *Artifacts) check(name string) error {
	if a == nil || a.scratch == nil {
		return &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	if !fs.ValidPath(name) {
		return &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	for at := range len(name) + 1 {
		if at < len(name) && name[at] != '/' {
			continue
		}
		info, err := a.scratch.root.Lstat(name[:at])
		if err != nil {
			return err
		}
		if last := at == len(name); !last && !info.IsDir() || last && !info.Mode().IsRegular() {
			return &fs.PathError{Op: "open", Path: name, Err: ErrNotRegular}
		}
	}
	return nil
}
