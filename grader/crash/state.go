package crash

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"path"
	"slices"

	"fieldbook/grader"
	"fieldbook/runtime/operation"
)

// Model is what ends a run.
type Model string

// The models.
const (
	Killed Model = "killed" // the process is killed: everything it asked for stays
	Lost   Model = "lost"   // the power fails: what was not synced is gone, or half of one file's writes are there
	Named  Model = "named"  // the power fails when names have reached the disk and contents that were not synced have not
)

// Models lists the models in the order in which they are shown.
func Models() []Model { return []Model{Killed, Lost, Named} }

// Words is the model for a reader.
func (m Model) Words() string {
	switch m {
	case Killed:
		return "process killed"
	case Lost:
		return "power lost"
	default:
		return "name before contents"
	}
}

// Files is what lies under a folder at one moment. Contents are shared and never changed.
type Files struct {
	folders []string // sorted, so that a folder comes before what it holds
	data    map[string][]byte
}

// Tree returns the files as a tree of its own.
func (f Files) Tree() (*operation.Tree, error) {
	t := operation.NewTree()
	for _, name := range f.folders {
		if err := t.Apply(operation.Entry{Kind: operation.Folder, Path: name}); err != nil {
			return nil, err
		}
	}
	for name, data := range f.data {
		if err := t.Put(name, data); err != nil {
			return nil, fmt.Errorf("put %s into a state: %w", name, err)
		}
	}
	return t, nil
}

// filesOf returns the files of a tree, which may go on changing.
func filesOf(t *operation.Tree) Files {
	t = t.Clone()
	f := Files{folders: t.Folders(), data: map[string][]byte{}}
	for _, name := range t.Files() {
		f.data[name], _ = t.File(name)
	}
	return f
}

// size is how many bytes the files have together.
func (f Files) size() (n int64) {
	for _, data := range f.data {
		n += int64(len(data))
	}
	return n
}

// digest identifies files: equal ones have the same.
type digest [sha256.Size]byte

// digester computes digests and remembers those of contents.
type digester struct {
	known map[content]digest
	bytes int64 // of the contents that are known, all of them kept alive
}

// content is the identity of a slice that is never changed.
type content struct {
	first *byte
	size  int
}

func newDigester() *digester { return &digester{known: map[content]digest{}} }

// of is SHA-256 over every folder and file in the order of their names: the name with its length as 8 bytes big-endian
// before it, a zero byte for a folder, or a one and the SHA-256 of the contents.
func (d *digester) of(f Files) digest {
	names := slices.Clone(f.folders)
	for name := range f.data {
		names = append(names, name)
	}
	slices.Sort(names)
	hash := sha256.New()
	for _, name := range names {
		hash.Write(binary.BigEndian.AppendUint64(nil, uint64(len(name))))
		hash.Write([]byte(name))
		data, file := f.data[name]
		if !file {
			hash.Write([]byte{0})
			continue
		}
		sum := d.content(data)
		hash.Write(append([]byte{1}, sum[:]...))
	}
	return digest(hash.Sum(nil))
}

func (d *digester) content(data []byte) digest {
	if len(data) == 0 {
		return sha256.Sum256(nil)
	}
	key := content{first: &data[0], size: len(data)}
	sum, ok := d.known[key]
	if !ok {
		sum = sha256.Sum256(data)
		d.known[key] = sum
		d.bytes += int64(len(data))
	}
	return sum
}

// Files returns what the disk holds after a crash, without the half-way states.
func (d *Disk) Files(m Model) Files {
	f, _ := d.files(m, nil, nil)
	return f
}

// Halves returns the half-way states of a power loss: of one file, which is named by its path after the loss, the first half
// of the changes since its last sync, of the others none.
func (d *Disk) Halves() (map[string]Files, error) {
	halves := map[string]Files{}
	_, pending := d.files(Lost, nil, nil)
	for name, n := range pending {
		data, err := n.half()
		if err != nil {
			return nil, fmt.Errorf("half of the changes of %s: %w", name, err)
		}
		halves[name], _ = d.files(Lost, n, data)
	}
	return halves, nil
}

// files walks the names that are left under a model. The node instead has the contents data. It also returns the files that
// have unsynced changes, each under one name.
func (d *Disk) files(m Model, instead *node, data []byte) (Files, map[string]*node) {
	f := Files{data: map[string][]byte{}}
	pending := map[string]*node{}
	named, above := map[*node]bool{}, map[*node]bool{}
	var walk func(folder *node, name string)
	walk = func(folder *node, name string) {
		entries := folder.entries
		if m == Lost {
			entries = folder.kept
		}
		for _, base := range sortedKeys(entries) {
			n, at := entries[base], path.Join(name, base)
			switch {
			case n.folder() && above[n]:
				continue // moved into each other, and half of that was synced
			case n.folder():
				f.folders = append(f.folders, at)
				above[n] = true
				walk(n, at)
				delete(above, n)
				continue
			case n == instead:
				f.data[at] = data
			case m == Killed:
				f.data[at] = n.live
			default:
				f.data[at] = n.durable
			}
			if len(n.pending) > 0 && !named[n] {
				named[n] = true
				pending[at] = n
			}
		}
	}
	walk(d.root, "")
	slices.Sort(f.folders)
	return f, pending
}

// Instance is one state at one point: several points can share a state.
type Instance struct {
	Model Model  `json:"model"`
	Half  string `json:"half,omitempty"` // the file of which half the changes are there
	State int    `json:"state"`          // index into the distinct states
}

// Limits of an exploration.
const (
	maxOperations = 1000
	maxStates     = 2000
	maxBytes      = 512 << 20 // of all distinct states, contents that they share counted once
)

// explore builds the states after 0, 1, … all of the operations, on a disk where base is durable. Equal states are one.
func explore(base *operation.Tree, operations []operation.Entry) (points [][]Instance, distinct []Files, err error) {
	if len(operations) > maxOperations {
		return nil, nil, tooLarge(fmt.Sprintf("it asks the disk for %d operations, and at most %d are explored", len(operations), maxOperations))
	}
	s := shelf{digester: newDigester(), at: map[digest]int{}}
	disk := NewDisk(base)
	for i := range len(operations) + 1 {
		if i > 0 {
			if err := disk.Apply(operations[i-1]); err != nil {
				return nil, nil, err
			}
		}
		var point []Instance
		for _, m := range Models() {
			point = append(point, Instance{Model: m, State: s.put(disk.Files(m))})
		}
		halves, err := disk.Halves()
		if err != nil {
			return nil, nil, err
		}
		for _, name := range sortedKeys(halves) {
			point = append(point, Instance{Model: Lost, Half: name, State: s.put(halves[name])})
		}
		points = append(points, point)
		if len(s.states) > maxStates || s.bytes > maxBytes {
			return nil, nil, tooLarge(fmt.Sprintf("its crashes leave more than %d states or %d MiB", maxStates, maxBytes>>20))
		}
	}
	return points, s.states, nil
}

// shelf keeps each state once.
type shelf struct {
	*digester
	at     map[digest]int
	states []Files
}

func (s *shelf) put(f Files) int {
	sum := s.of(f)
	i, ok := s.at[sum]
	if !ok {
		i = len(s.states)
		s.at[sum] = i
		s.states = append(s.states, f)
	}
	return i
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func tooLarge(why string) error {
	return &grader.Error{
		Code: "crash_too_large", Exit: grader.ExitLimit,
		Message: "the crashes of this run cannot be explored: " + why,
		Hint:    "Do the work with fewer or smaller writes.",
	}
}
