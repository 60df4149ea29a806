package lower_test

import (
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strconv"
	"sync"

	"fieldbook/grader/engine/export"
	"fieldbook/grader/engine/lower"
)

// checking guards the importers, which are not made for several goroutines.
var checking sync.Mutex

// offered is the export data of what learners may import.
var offered = sync.OnceValue(func() *export.Packages {
	p, err := export.New()
	if err != nil {
		panic(err)
	}
	return p
})

// sources reads packages from GOROOT's sources, for programs that import more than is offered.
var sources = sync.OnceValue(func() types.Importer { return importer.ForCompiler(token.NewFileSet(), "source", nil) })

// exported imports what is offered, and nothing else.
type exported struct{ packages *export.Packages }

func (e exported) Import(path string) (*types.Package, error) {
	if p := e.packages.Lookup(path); p != nil {
		return p, nil
	}
	return nil, errors.New("not offered")
}

// importerFor is the importer for a file: one for all that it imports, since types of two are never the same.
func importerFor(f *ast.File, onlyOffered bool) types.Importer {
	var paths []string
	for _, spec := range f.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err == nil {
			paths = append(paths, path)
		}
	}
	e := exported{offered()}
	if err := e.packages.Load(paths); err != nil {
		panic(err)
	}
	for _, path := range paths {
		if e.packages.Lookup(path) == nil && !onlyOffered {
			return sources()
		}
	}
	return e
}

// checkPackage type-checks a package of one file.
func checkPackage(path, name string, text []byte) (*lower.Package, error) {
	return checkWith(nil, path, name, text)
}

// checkOffered type-checks a program that imports nothing but what is offered.
func checkOffered(text []byte) (*lower.Package, error) {
	p, err := parse("main", "main.go", text)
	if err != nil {
		return nil, err
	}
	return p, typeCheck(p, importerFor(p.Files[0], true))
}

// checkWith type-checks a package with the given importer; nil: one for what the file imports.
func checkWith(from types.Importer, path, name string, text []byte) (*lower.Package, error) {
	p, err := parse(path, name, text)
	if err != nil {
		return nil, err
	}
	return p, typeCheck(p, from)
}

func parse(path, name string, text []byte) (*lower.Package, error) {
	p := &lower.Package{Path: path, Fset: token.NewFileSet(), Names: []string{name}, Text: [][]byte{text}, Info: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Scopes: map[ast.Node]*types.Scope{}, Instances: map[*ast.Ident]types.Instance{},
	}}
	f, err := parser.ParseFile(p.Fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	p.Files = []*ast.File{f}
	return p, nil
}

func typeCheck(p *lower.Package, from types.Importer) (err error) {
	checking.Lock()
	defer checking.Unlock()
	if from == nil {
		from = importerFor(p.Files[0], false)
	}
	config := types.Config{Importer: from, GoVersion: "go1.26"}
	p.Types, err = config.Check(p.Path, p.Fset, p.Files, p.Info)
	return err
}
