package probe

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"time"

	"fieldbook/runtime/operation"
)

// FS returns a tree as the inputs of a run; nil for no tree.
func FS(tree *operation.Tree) fs.FS {
	if tree == nil {
		return nil
	}
	m := memory{files: map[string][]byte{}}
	m.add(".", tree)
	slices.Sort(m.names)
	return m
}

// memory is files in memory as a file system.
type memory struct {
	names []string // of all folders and files, sorted, "." left out
	files map[string][]byte
}

// inputs is the files of several worlds: those of world i lie in the folder i. A nil tree is an empty one.
func inputs(worlds []*operation.Tree) memory {
	m := memory{files: map[string][]byte{}}
	for i, tree := range worlds {
		root := strconv.Itoa(i)
		m.names = append(m.names, root)
		if tree != nil {
			m.add(root, tree)
		}
	}
	slices.Sort(m.names)
	return m
}

func (m *memory) add(root string, tree *operation.Tree) {
	for _, name := range tree.Folders() {
		m.names = append(m.names, path.Join(root, name))
	}
	for _, name := range tree.Files() {
		at := path.Join(root, name)
		m.names = append(m.names, at)
		m.files[at], _ = tree.File(name)
	}
}

// Open opens a file or a folder.
func (m memory) Open(name string) (fs.File, error) {
	info, err := m.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return &memoryFile{Reader: bytes.NewReader(m.files[name]), info: info}, nil
	}
	entries, err := m.ReadDir(name)
	return &memoryFolder{info: info, entries: entries}, err
}

// Stat implements fs.StatFS.
func (m memory) Stat(name string) (fs.FileInfo, error) {
	data, file := m.files[name]
	_, found := slices.BinarySearch(m.names, name)
	switch {
	case !fs.ValidPath(name):
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	case !found && name != ".":
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return memoryInfo{name: path.Base(name), size: int64(len(data)), folder: !file}, nil
}

// ReadFile implements fs.ReadFileFS. The bytes are a copy.
func (m memory) ReadFile(name string) ([]byte, error) {
	data, ok := m.files[name]
	if !ok {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
	}
	return bytes.Clone(data), nil
}

// ReadDir implements fs.ReadDirFS.
func (m memory) ReadDir(name string) ([]fs.DirEntry, error) {
	info, err := m.Stat(name)
	if err == nil && !info.IsDir() {
		err = &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrInvalid}
	}
	if err != nil {
		return nil, err
	}
	entries := []fs.DirEntry{}
	for _, other := range m.names {
		if path.Dir(other) == name {
			info, err := m.Stat(other)
			if err != nil {
				return nil, err
			}
			entries = append(entries, fs.FileInfoToDirEntry(info))
		}
	}
	return entries, nil
}

type memoryFile struct {
	*bytes.Reader
	info fs.FileInfo
}

func (f *memoryFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *memoryFile) Close() error               { return nil }

type memoryFolder struct {
	info    fs.FileInfo
	entries []fs.DirEntry // not read yet
}

func (f *memoryFolder) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *memoryFolder) Close() error               { return nil }

func (f *memoryFolder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: f.info.Name(), Err: fs.ErrInvalid}
}

// ReadDir implements fs.ReadDirFile.
func (f *memoryFolder) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		n = len(f.entries)
	} else if len(f.entries) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(f.entries))
	entries := f.entries[:n]
	f.entries = f.entries[n:]
	return entries, nil
}

type memoryInfo struct {
	name   string
	size   int64
	folder bool
}

func (i memoryInfo) Name() string       { return i.name }
func (i memoryInfo) Size() int64        { return i.size }
func (i memoryInfo) ModTime() time.Time { return time.Time{} }
func (i memoryInfo) IsDir() bool        { return i.folder }
func (i memoryInfo) Sys() any           { return nil }

func (i memoryInfo) Mode() fs.FileMode {
	if i.folder {
		return fs.ModeDir | 0o700
	}
	return 0o600
}
