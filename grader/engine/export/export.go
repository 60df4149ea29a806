// Package export gives the type-checker the types of every offered package from export data embedded in the binary, so
// that checking needs neither a Go toolchain nor source. It runs in the parent and imports only the list of what is
// offered.
package export

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"fmt"
	"go/token"
	"go/types"
	"io"
	"sync"

	"golang.org/x/tools/go/gcexportdata"
)

//go:embed packages.zip
var archive []byte // made by go generate: one member a package, named by its import path

// Packages holds the types of offered packages, each read when it is first asked for. Reading one package also adds
// what its API mentions to the others, so reading and using are kept apart: Load first, then use what Load returned
// between RLock and RUnlock. The zero Packages is not ready; call New.
type Packages struct {
	sync.RWMutex // held for reading while types of these packages are in use
	members      map[string]*zip.File
	known        map[string]*types.Package
	files        *token.FileSet
}

// New opens the embedded archive without reading any package.
func New() (*Packages, error) {
	r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return nil, fmt.Errorf("opening the embedded export data: %w", err)
	}
	p := &Packages{
		members: make(map[string]*zip.File, len(r.File)),
		known:   map[string]*types.Package{},
		files:   token.NewFileSet(),
	}
	for _, member := range r.File {
		p.members[member.Name] = member
	}
	return p, nil
}

// Load makes the packages among paths that are embedded ready for Lookup; other paths are passed over. The caller must
// not hold the read lock.
func (p *Packages) Load(paths []string) error {
	if p.loaded(paths) {
		return nil
	}
	p.Lock()
	defer p.Unlock()
	for _, path := range paths {
		if err := p.read(path); err != nil {
			return fmt.Errorf("reading the export data of %s: %w", path, err)
		}
	}
	return nil
}

// Lookup returns a package that was loaded, or nil. The caller holds the read lock for as long as it uses the types.
func (p *Packages) Lookup(path string) *types.Package {
	if path == "unsafe" {
		return nil
	}
	if known := p.known[path]; known != nil && known.Complete() {
		return known
	}
	return nil
}

func (p *Packages) loaded(paths []string) bool {
	p.RLock()
	defer p.RUnlock()
	for _, path := range paths {
		if p.members[path] != nil && p.Lookup(path) == nil {
			return false
		}
	}
	return true
}

func (p *Packages) read(path string) error {
	member := p.members[path]
	if member == nil || p.Lookup(path) != nil {
		return nil
	}
	r, err := member.Open()
	if err != nil {
		return err
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	_, err = gcexportdata.Read(bytes.NewReader(data), p.files, p.known, path)
	return err
}
