package crash

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"fieldbook/runtime/operation"
)

// node is a file or a folder, whatever names it has.
type node struct {
	// A file: what a process reads, what a power loss leaves, and what lies between the two. The slices are never changed,
	// so states can share them.
	live, durable []byte
	pending       []operation.Entry // writes and truncations since the last sync, in order

	// A folder: its entries, and those that a power loss leaves. nil for a file.
	entries, kept map[string]*node
}

func newFolder() *node { return &node{entries: map[string]*node{}, kept: map[string]*node{}} }

func (n *node) folder() bool { return n.entries != nil }

// Disk is the files under one folder, as a process sees them and as a power loss leaves them.
//
// A file's contents are durable as of its last sync. Names are durable as of the last sync of their folder: a creation, a
// removal, and each end of a rename in its own folder. What SQLite's own file system syncs by itself, the folder of a new
// journal or log within that file's first sync, is in the operation log as a sync of that folder.
type Disk struct {
	root *node
}

// NewDisk is a disk on which all of base is durable.
func NewDisk(base *operation.Tree) *Disk {
	base = base.Clone() // what the tree does later leaves the clone's contents alone
	d := &Disk{root: newFolder()}
	for _, name := range base.Folders() {
		folder := newFolder()
		parent := d.find(path.Dir(name))
		parent.entries[path.Base(name)], parent.kept[path.Base(name)] = folder, folder
	}
	for _, name := range base.Files() {
		data, _ := base.File(name)
		file := &node{live: data, durable: data}
		parent := d.find(path.Dir(name))
		parent.entries[path.Base(name)], parent.kept[path.Base(name)] = file, file
	}
	return d
}

// Apply does what a durable operation did. One that failed did nothing, except that a write that was torn put its Data
// down. The error says that the operations do not follow from each other.
func (d *Disk) Apply(e operation.Entry) error {
	if !e.Kind.Durable() || e.Err != "" && (e.Kind != operation.Write || len(e.Data) == 0) {
		return nil
	}
	if err := d.apply(e); err != nil {
		return fmt.Errorf("operation %d of the log, %s %s: %w", e.Seq, e.Kind, e.Path, err)
	}
	return nil
}

func (d *Disk) apply(e operation.Entry) error {
	switch e.Kind {
	case operation.Create:
		return d.enter(e.Path, &node{})
	case operation.Folder:
		return d.enter(e.Path, newFolder())
	case operation.Rename:
		return d.rename(e.Path, e.To)
	}
	n := d.find(e.Path)
	if n == nil {
		return fs.ErrNotExist
	}
	switch e.Kind {
	case operation.Remove:
		return d.remove(e.Path, n)
	case operation.SyncFolder:
		if !n.folder() {
			return fs.ErrInvalid
		}
		n.kept = make(map[string]*node, len(n.entries))
		for name, entry := range n.entries {
			n.kept[name] = entry
		}
		return nil
	}
	if n.folder() {
		return fs.ErrInvalid
	}
	if e.Kind == operation.Sync {
		n.durable, n.pending = n.live, nil
		return nil
	}
	data, err := change(n.live, e)
	if err != nil {
		return err
	}
	n.live, n.pending = data, append(n.pending, e)
	return nil
}

// find returns what has the name now, nil for nothing.
func (d *Disk) find(name string) *node {
	n := d.root
	if name == "." {
		return n
	}
	for part := range strings.SplitSeq(name, "/") {
		if n == nil || !n.folder() {
			return nil
		}
		n = n.entries[part]
	}
	return n
}

// parent returns the folder in which name lies or would lie.
func (d *Disk) parent(name string) (*node, error) {
	folder := d.find(path.Dir(name))
	switch {
	case !fs.ValidPath(name) || name == ".":
		return nil, fs.ErrInvalid
	case folder == nil || !folder.folder():
		return nil, fs.ErrNotExist
	}
	return folder, nil
}

func (d *Disk) enter(name string, n *node) error {
	folder, err := d.parent(name)
	if err != nil {
		return err
	}
	if folder.entries[path.Base(name)] != nil {
		return fs.ErrExist
	}
	folder.entries[path.Base(name)] = n
	return nil
}

func (d *Disk) remove(name string, n *node) error {
	folder, err := d.parent(name)
	if err != nil {
		return err
	}
	if len(n.entries) > 0 {
		return fmt.Errorf("the folder is not empty")
	}
	delete(folder.entries, path.Base(name))
	return nil
}

func (d *Disk) rename(from, to string) error {
	n := d.find(from)
	if n == nil || from == "." {
		return fs.ErrNotExist
	}
	source, err := d.parent(from)
	if err != nil {
		return err
	}
	target, err := d.parent(to)
	if err != nil {
		return err
	}
	replaced := target.entries[path.Base(to)]
	if strings.HasPrefix(to, from+"/") || replaced != nil && replaced != n && (replaced.folder() || n.folder()) {
		return fs.ErrInvalid
	}
	delete(source.entries, path.Base(from))
	target.entries[path.Base(to)] = n
	return nil
}

// change is a file's contents after a write or a truncation. The slice that it gets stays as it is.
func change(data []byte, e operation.Entry) ([]byte, error) {
	size := e.Size
	if e.Kind == operation.Write {
		size = max(int64(len(data)), e.Offset+int64(len(e.Data)))
	}
	if size < 0 || size > operation.FileLimit || e.Offset < 0 {
		return nil, fs.ErrInvalid
	}
	changed := make([]byte, size)
	copy(changed, data)
	copy(changed[min(e.Offset, size):], e.Data)
	return changed, nil
}

// half is a file's durable contents with the first half of its pending changes. The middle one of an odd number is itself
// done by half: of a write the first half of its bytes, of a truncation nothing.
func (n *node) half() ([]byte, error) {
	data := n.durable
	whole := len(n.pending) / 2
	changes := slices.Clone(n.pending[:whole])
	if middle := n.pending[whole]; len(n.pending)%2 == 1 && middle.Kind == operation.Write {
		middle.Data = middle.Data[:len(middle.Data)/2]
		changes = append(changes, middle)
	}
	for _, e := range changes {
		var err error
		if data, err = change(data, e); err != nil {
			return nil, err
		}
	}
	return data, nil
}
