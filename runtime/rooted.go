package teaching

import (
	"embed"
	"errors"
	"io"
	"io/fs"
	"strings"
	"time"
)

// rooted shows embedded sources below the folder root: an embedding package sees its own folder as ".", while every
// path of the runtime is written from the module's.
type rooted struct {
	sources embed.FS
}

// Open opens a file or a folder by its path from the module's root.
func (r rooted) Open(name string) (fs.File, error) {
	inside, found := strings.CutPrefix(name, root+"/")
	switch {
	case !fs.ValidPath(name):
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	case found:
		return r.sources.Open(inside)
	case name == ".":
		return &folder{name: ".", entries: []fs.DirEntry{folderInfo(root)}}, nil
	case name == root:
		entries, err := r.sources.ReadDir(".")
		if err != nil {
			return nil, err
		}
		return &folder{name: root, entries: entries}, nil
	default:
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
}

// folder is one of the two folders above the embedded ones, open for reading.
type folder struct {
	name    string
	entries []fs.DirEntry // not yet read
}

func (f *folder) Stat() (fs.FileInfo, error) { return folderInfo(f.name), nil }
func (f *folder) Close() error               { return nil }
func (f *folder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: f.name, Err: errors.New("is a folder")}
}

// ReadDir follows fs.ReadDirFile: the next n entries, or all that are left for n <= 0.
func (f *folder) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		n = len(f.entries)
	} else if len(f.entries) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(f.entries))
	next := f.entries[:n]
	f.entries = f.entries[n:]
	return append([]fs.DirEntry{}, next...), nil
}

// folderInfo describes a folder of this name, as embed describes its own.
type folderInfo string

func (i folderInfo) Name() string               { return string(i) }
func (i folderInfo) Size() int64                { return 0 }
func (i folderInfo) Mode() fs.FileMode          { return fs.ModeDir | 0o555 }
func (i folderInfo) Type() fs.FileMode          { return fs.ModeDir }
func (i folderInfo) ModTime() time.Time         { return time.Time{} }
func (i folderInfo) IsDir() bool                { return true }
func (i folderInfo) Sys() any                   { return nil }
func (i folderInfo) Info() (fs.FileInfo, error) { return i, nil }
