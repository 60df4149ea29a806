package fieldnotes

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"sync"

	"fieldbook/runtime/files"
	"fieldbook/runtime/operation"
)

// The files of a notebook.
const (
	CheckpointFile = "checkpoint.json" // a Checkpoint
	EffectsFile    = "effects.json"    // Effects by their idempotency keys
	TraceFile      = "trace.jsonl"     // events, one JSON object a line
)

// Options are what a notebook is opened with.
type Options struct {
	CrashAfterEffect bool // the process ends when the first effect is durable; see AfterEffect
}

// Notebook is the folder of one run. Its methods are safe for concurrent use; two runs at a time in one folder are not.
type Notebook struct {
	folder  string // absolute
	options Options

	mu      sync.Mutex
	crashed bool
}

// Open opens the notebook in folder, an absolute path, and makes the folder when it is missing.
func Open(folder string, o Options) (n *Notebook, err error) {
	if err := files.MakeFolder(folder); err != nil {
		return nil, fmt.Errorf("open the notebook: %w", err)
	}
	return &Notebook{folder: folder, options: o}, nil
}

// Path is the absolute path of one of the notebook's files.
func (n *Notebook) Path(file string) string { return filepath.Join(n.folder, file) }

// Clean removes the files of the notebook and nothing else, the trace last: as long as it is there, so is what explains it.
func (n *Notebook) Clean() (err error) {
	span := n.begin("fieldnotes.Clean", ".", "")
	defer func() { span.End(err, 0) }()
	for _, file := range []string{CheckpointFile, EffectsFile, TraceFile} {
		if err = files.Remove(n.Path(file)); err != nil && !errors.Is(err, files.ErrNotExist) {
			return err
		}
	}
	return files.SyncFolder(n.folder)
}

// begin logs a call about one of the files.
func (n *Notebook) begin(name, file, detail string) *operation.Span {
	path := n.Path(file)
	return operation.For(path).Begin(name, path, detail)
}

// alive is ErrInjectedCrash after the crash.
func (n *Notebook) alive() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.crashed {
		return ErrInjectedCrash
	}
	return nil
}

// replace writes a value as indented JSON with sorted keys in the place of a file.
func (n *Notebook) replace(file string, value any) error {
	if err := n.alive(); err != nil {
		return err
	}
	data, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	return files.Replace(n.Path(file), append(data, '\n'))
}
