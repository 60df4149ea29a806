package lower

import (
	"embed"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path"
	"strings"
)

// The interpreter has no generic functions of the standard library, nor those that return iterators. Their sources are
// supplied here, in plain Go, and monomorphised like the program's own.

//go:embed library/*/*.go
var librarySource embed.FS

// supplied names the packages whose generic functions are here, and for packages that are otherwise compiled, the functions.
var supplied = map[string]string{
	"cmp": "", "iter": "", "maps": "", "slices": "",
	"strings": " Lines SplitSeq SplitAfterSeq FieldsSeq FieldsFuncSeq ",
	"bytes":   " Lines SplitSeq SplitAfterSeq FieldsSeq FieldsFuncSeq ",
	"sync":    " OnceValue OnceValues ",
}

// library holds the supplied packages that a program uses.
type library struct {
	fset     *token.FileSet
	packages map[string]*Package
	order    []*Package
	held     map[*Package]bool
}

func (l *library) holds(p *Package) bool { return l.held[p] }

// fromLibrary is the supplied function for one of the standard library, or nil.
func (c *compiler) fromLibrary(f *types.Func) *types.Func {
	names, ok := supplied[f.Pkg().Path()]
	if !ok || names != "" && !strings.Contains(names, " "+f.Name()+" ") {
		return nil
	}
	if c.std == nil {
		c.std = &library{fset: token.NewFileSet(), packages: map[string]*Package{}, held: map[*Package]bool{}}
	}
	p, err := c.std.load(f.Pkg().Path())
	if err != nil {
		panic(stopped{err})
	}
	for _, p := range c.std.order {
		if c.own[p.Types] == nil {
			c.adopt(p)
		}
	}
	own, _ := p.Types.Scope().Lookup(f.Name()).(*types.Func)
	return own
}

// load parses and checks a supplied package.
func (l *library) load(importPath string) (*Package, error) {
	if p, ok := l.packages[importPath]; ok {
		return p, nil
	}
	names, err := fs.Glob(librarySource, path.Join("library", importPath, "*.go"))
	if err != nil {
		return nil, err
	}
	p := &Package{Path: importPath, Fset: l.fset, Info: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Scopes: map[ast.Node]*types.Scope{}, Instances: map[*ast.Ident]types.Instance{},
	}}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := librarySource.ReadFile(name)
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(l.fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		p.Files, p.Names, p.Text = append(p.Files, f), append(p.Names, name), append(p.Text, text)
	}
	config := types.Config{Importer: l}
	p.Types, err = config.Check(importPath, l.fset, p.Files, p.Info)
	if err != nil {
		return nil, err
	}
	l.packages[importPath] = p
	l.order = append(l.order, p)
	l.held[p] = true
	return p, nil
}

// compiledDeclarations is what supplied packages use of compiled ones.
var compiledDeclarations = map[string]string{
	"sort":     "package sort; func Slice(x any, less func(i, j int) bool); func SliceStable(x any, less func(i, j int) bool)",
	"strings":  "package strings; func IndexByte(s string, c byte) int; func Split(s, sep string) []string; func SplitAfter(s, sep string) []string; func FieldsFunc(s string, f func(rune) bool) []string",
	"bytes":    "package bytes; func IndexByte(s []byte, c byte) int; func Split(s, sep []byte) [][]byte; func SplitAfter(s, sep []byte) [][]byte; func FieldsFunc(s []byte, f func(rune) bool) [][]byte",
	"unicode":  "package unicode; func IsSpace(r rune) bool",
	ObjectPath: "package object; func Sort(slice any)",
}

// Import lets supplied packages import each other and what they use of compiled ones.
func (l *library) Import(importPath string) (*types.Package, error) {
	if text, ok := compiledDeclarations[importPath]; ok {
		f, err := parser.ParseFile(l.fset, importPath+".go", text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		return new(types.Config).Check(importPath, l.fset, []*ast.File{f}, nil)
	}
	p, err := l.load(importPath)
	if err != nil {
		return nil, err
	}
	return p.Types, nil
}
