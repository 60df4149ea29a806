package engine

import (
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"path"
	"strings"
	"sync"

	"fieldbook/grader/engine/offered"
)

// tree is the copied runtime as it is embedded: files are parsed when they are first asked for and then kept, since no
// program ever changes them.
type tree struct {
	source fs.FS
	files  *token.FileSet // of parsed files; its positions lie below learnerBase

	mu      sync.Mutex
	folders map[string]*folder // by path in the module
}

// folder is one package of the tree.
type folder struct {
	name  string // in its package clauses
	files []*file
}

// learnerBase is where the positions of a program's own files begin, above those of the tree's.
const learnerBase = 1 << 28

func newTree(source fs.FS) *tree {
	return &tree{source: source, files: token.NewFileSet(), folders: map[string]*folder{}}
}

// folder returns the package in a folder of the tree, nil when there is none. Its files must not be changed.
func (t *tree) folder(dir string) (*folder, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if known, ok := t.folders[dir]; ok {
		return known, nil
	}
	read, err := t.read(dir)
	if err != nil {
		return nil, fmt.Errorf("reading %s of the runtime: %w", dir, err)
	}
	t.folders[dir] = read
	return read, nil
}

func (t *tree) read(dir string) (*folder, error) {
	if !fs.ValidPath(dir) || dir == "." {
		return nil, nil
	}
	entries, err := fs.ReadDir(t.source, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var read folder
	for _, entry := range entries {
		if entry.IsDir() || !strings.HasSuffix(entry.Name(), ".go") || strings.HasSuffix(entry.Name(), "_test.go") {
			continue
		}
		text, err := fs.ReadFile(t.source, path.Join(dir, entry.Name()))
		if err != nil {
			return nil, err
		}
		f := newFile(Source{Path: path.Join(dir, entry.Name()), Text: text})
		if faults := append(f.read(), f.parse(t.files)...); len(faults) > 0 {
			return nil, errors.New(faults[0].String())
		}
		if t.files.Base() > learnerBase {
			return nil, errors.New("the runtime is too large")
		}
		read.name = f.syntax.Name.Name
		read.files = append(read.files, f)
	}
	if len(read.files) == 0 {
		return nil, nil
	}
	return &read, nil
}

// dirOf is the folder of an import path of this module, or of the package main of a single file; ok is false for any
// other path.
func dirOf(importPath string) (string, bool) {
	if importPath == mainPackage {
		return ".", true
	}
	return strings.CutPrefix(importPath, offered.Module+"/")
}

// mainPackage is the import path of a program that stands alone: its files have no folder.
const mainPackage = "main"
