package operation

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"sort"
	"strings"
)

// Limits of a Tree, in bytes: the contents of all its files together, and everything that Apply moves or clears in its
// life. A log of a few megabytes from an untrusted worker can ask for far more than that.
const (
	TreeLimit = 256 << 20
	WorkLimit = 4 << 30
)

// Tree is a folder's files and folders in memory, by paths relative to it. Modes, times and links are not part of it, nor
// is SQLite's shared memory (-shm), which means nothing after its process. It is not safe for concurrent use.
type Tree struct {
	files   map[string]*content
	folders map[string]bool
	size    int64 // of all files together
	work    int64 // bytes moved or cleared so far
}

// content is a file's bytes. Clones share it until one of them writes.
type content struct {
	data   []byte
	shared bool
}

// NewTree returns an empty tree: the folder itself and nothing in it.
func NewTree() *Tree {
	return &Tree{files: map[string]*content{}, folders: map[string]bool{".": true}}
}

// ReadTree reads a folder that may have been left by untrusted code: regular files only, no link followed, sizes capped.
func ReadTree(folder string) (*Tree, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }() // opened for reading
	t := NewTree()
	err = fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			t.folders[name] = true
			return nil
		case !entry.Type().IsRegular() || IsSharedMemory(name):
			return nil
		}
		data, err := readCapped(root, name)
		if err != nil {
			return err
		}
		return t.put(name, data)
	})
	if err != nil {
		return nil, fmt.Errorf("reading the files under %s: %w", folder, err)
	}
	return t, nil
}

// IsSharedMemory reports whether a file is SQLite's shared memory, which is never logged.
func IsSharedMemory(name string) bool { return strings.HasSuffix(name, "-shm") }

func readCapped(root *os.Root, name string) ([]byte, error) {
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, FileLimit+1))
	if err == nil && len(data) > FileLimit {
		err = fmt.Errorf("%s has more than %d bytes", name, FileLimit)
	}
	return data, err
}

// Apply does what a durable operation did. An operation that failed did nothing, except that a write that was torn put
// its Data down. Entries of other kinds, syncs and folder syncs change nothing.
func (t *Tree) Apply(e Entry) error {
	if !e.Kind.Durable() || e.Err != "" && (e.Kind != Write || len(e.Data) == 0) {
		return nil
	}
	var err error
	switch e.Kind {
	case Create:
		if t.exists(e.Path) {
			err = fs.ErrExist
			break
		}
		err = t.put(e.Path, nil)
	case Write:
		err = t.write(e.Path, e.Offset, e.Data)
	case Truncate:
		err = t.truncate(e.Path, e.Size)
	case Rename:
		err = t.rename(e.Path, e.To)
	case Remove:
		err = t.remove(e.Path)
	case Folder:
		if t.exists(e.Path) {
			err = fs.ErrExist
			break
		}
		if err = t.parent(e.Path); err == nil {
			t.folders[e.Path] = true
		}
	}
	if err != nil {
		return fmt.Errorf("entry %d of the operation log, %s %s: %w", e.Seq, e.Kind, e.Path, err)
	}
	return nil
}

// Clone returns an independent copy. It shares the contents of files and costs no more than their names.
func (t *Tree) Clone() *Tree {
	c := &Tree{
		files: make(map[string]*content, len(t.files)), folders: make(map[string]bool, len(t.folders)),
		size: t.size, work: t.work,
	}
	for name, file := range t.files {
		file.shared = true
		c.files[name] = file
	}
	for name := range t.folders {
		c.folders[name] = true
	}
	return c
}

// Files returns the names of all files, sorted.
func (t *Tree) Files() []string {
	names := make([]string, 0, len(t.files))
	for name := range t.files {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// Folders returns the names of all folders but the tree's own, sorted: a folder comes before what it holds.
func (t *Tree) Folders() []string {
	names := make([]string, 0, len(t.folders))
	for name := range t.folders {
		if name != "." {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}

// File returns a file's contents and whether it exists. They are the tree's own, must not be changed, and hold until the
// next Apply.
func (t *Tree) File(name string) ([]byte, bool) {
	file, ok := t.files[name]
	if !ok {
		return nil, false
	}
	return file.data, true
}

// Put sets a file's contents whole, creating the file if it is missing. Its folder must exist.
func (t *Tree) Put(name string, data []byte) error { return t.put(name, bytes.Clone(data)) }

// Equal reports whether two trees have the same folders and files with the same contents.
func (t *Tree) Equal(u *Tree) bool { return len(t.Differences(u)) == 0 }

// Differences names the files and folders in which two trees differ, sorted.
func (t *Tree) Differences(u *Tree) []string {
	differ := map[string]bool{}
	for _, pair := range [][2]*Tree{{t, u}, {u, t}} {
		for name, file := range pair[0].files {
			if other, ok := pair[1].files[name]; !ok || !bytes.Equal(file.data, other.data) {
				differ[name] = true
			}
		}
		for name := range pair[0].folders {
			if !pair[1].folders[name] {
				differ[name] = true
			}
		}
	}
	names := make([]string, 0, len(differ))
	for name := range differ {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// WriteTo creates the tree's files and folders in an existing folder that has none of them.
func (t *Tree) WriteTo(folder string) (err error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	for _, name := range t.Folders() {
		if err := root.Mkdir(name, 0o700); err != nil {
			return err
		}
	}
	for _, name := range t.Files() {
		f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		_, err = f.Write(t.files[name].data)
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}

// Replay builds in folder, which must be empty, the state after the given entries: it copies base, the folder as it was
// when the log began, and applies the durable ones. A prefix of a log gives the state at that moment, as another process
// would have seen it.
func Replay(folder, base string, entries []Entry) error {
	t, err := ReadTree(base)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := t.Apply(e); err != nil {
			return err
		}
	}
	return t.WriteTo(folder)
}

func (t *Tree) exists(name string) bool {
	_, file := t.files[name]
	return file || t.folders[name]
}

// parent checks that name is a path of the tree whose folder exists.
func (t *Tree) parent(name string) error {
	if !fs.ValidPath(name) || name == "." {
		return fs.ErrInvalid
	}
	if !t.folders[path.Dir(name)] {
		return fs.ErrNotExist
	}
	return nil
}

func (t *Tree) put(name string, data []byte) error {
	if err := t.parent(name); err != nil {
		return err
	}
	if t.folders[name] {
		return fs.ErrExist
	}
	before := 0
	if file, ok := t.files[name]; ok {
		before = len(file.data)
	}
	if err := t.grow(before, int64(len(data))); err != nil {
		return err
	}
	t.files[name] = &content{data: data}
	return nil
}

// grow counts a file that had before bytes and gets after.
func (t *Tree) grow(before int, after int64) error {
	size := t.size - int64(before) + after
	if after > FileLimit || size > TreeLimit {
		return fmt.Errorf("the files get larger than %d bytes, or all together than %d", FileLimit, TreeLimit)
	}
	t.size = size
	return nil
}

// spend counts bytes of work.
func (t *Tree) spend(bytes int64) error {
	t.work += bytes
	if t.work > WorkLimit {
		return fmt.Errorf("the operations so far move more than %d bytes", WorkLimit)
	}
	return nil
}

// own returns the file's contents, no longer shared, grown with zeros to at least size bytes.
func (t *Tree) own(name string, size int64) (*content, error) {
	file, ok := t.files[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	before := int64(len(file.data))
	if file.shared {
		if err := t.spend(before); err != nil {
			return nil, err
		}
		file = &content{data: bytes.Clone(file.data)}
		t.files[name] = file
	}
	if size > before {
		if err := errors.Join(t.spend(size-before), t.grow(int(before), size)); err != nil {
			return nil, err
		}
		file.data = append(file.data, make([]byte, size-before)...)
	}
	return file, nil
}

func (t *Tree) write(name string, offset int64, data []byte) error {
	if offset < 0 || offset > FileLimit-int64(len(data)) {
		return fs.ErrInvalid
	}
	file, err := t.own(name, offset+int64(len(data)))
	if err != nil {
		return err
	}
	copy(file.data[offset:], data)
	return nil
}

func (t *Tree) truncate(name string, size int64) error {
	if size < 0 || size > FileLimit {
		return fs.ErrInvalid
	}
	file, err := t.own(name, size)
	if err != nil {
		return err
	}
	if err := t.grow(len(file.data), size); err != nil {
		return err
	}
	file.data = file.data[:size]
	return nil
}

func (t *Tree) remove(name string) error {
	if file, ok := t.files[name]; ok {
		t.size -= int64(len(file.data))
		delete(t.files, name)
		return nil
	}
	if !t.folders[name] || name == "." {
		return fs.ErrNotExist
	}
	if err := t.spend(int64(len(t.files) + len(t.folders))); err != nil {
		return err
	}
	if t.holds(name) {
		return errors.New("the folder is not empty")
	}
	delete(t.folders, name)
	return nil
}

func (t *Tree) holds(folder string) bool {
	for name := range t.files {
		if path.Dir(name) == folder {
			return true
		}
	}
	for name := range t.folders {
		if name != "." && path.Dir(name) == folder {
			return true
		}
	}
	return false
}

func (t *Tree) rename(from, to string) error {
	if err := t.parent(to); err != nil {
		return err
	}
	if file, ok := t.files[from]; ok {
		if t.folders[to] {
			return fs.ErrExist
		}
		if from == to {
			return nil
		}
		if replaced, ok := t.files[to]; ok {
			t.size -= int64(len(replaced.data))
		}
		delete(t.files, from)
		t.files[to] = file
		return nil
	}
	if err := t.spend(int64(len(t.files) + len(t.folders))); err != nil {
		return err
	}
	if !t.folders[from] || from == "." || to == from || strings.HasPrefix(to, from+"/") || t.exists(to) {
		return fs.ErrInvalid
	}
	t.folders[to] = true
	delete(t.folders, from)
	for name, file := range t.files {
		if rest, ok := strings.CutPrefix(name, from+"/"); ok {
			delete(t.files, name)
			t.files[to+"/"+rest] = file
		}
	}
	for name := range t.folders {
		if rest, ok := strings.CutPrefix(name, from+"/"); ok {
			delete(t.folders, name)
			t.folders[to+"/"+rest] = true
		}
	}
	return nil
}
