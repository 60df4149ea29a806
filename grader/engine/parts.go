package engine

import (
	"go/ast"
	"go/token"
	"slices"
)

// parts are the declarations of a lowered file in its two texts. The first text holds what the entry needs of files that no
// learner wrote: it is the same from save to save, so an interpreter can have compiled it before the program comes. It calls
// the learner's functions through variables, which Start sets. The second text holds the rest; it is all there is of a
// program whose entry is the learner's.
type parts struct {
	first, second []ast.Decl
	links         []*ast.FuncDecl // the learner's functions that the first text calls
}

// partsOf divides a lowered file without its imports.
func partsOf(syntax *ast.File, entry string, learner func(*ast.FuncDecl) bool) parts {
	declared, whole := declarations(syntax)
	r := reach{declared: declared, learner: learner, in: map[ast.Decl]bool{}}
	if f, ok := declared[entry].(*ast.FuncDecl); ok && !whole && !learner(f) {
		r.add(entry)
	}
	p := parts{links: r.links}
	for _, decl := range syntax.Decls {
		switch {
		case isImport(decl):
		case r.in[decl]:
			p.first = append(p.first, decl)
		default:
			p.second = append(p.second, decl)
		}
	}
	return p
}

// declarations are a file's declarations by the names that they declare. whole says that it has a method or an init
// function: those belong to what they stand beside, and the file stays in one piece.
func declarations(syntax *ast.File) (declared map[string]ast.Decl, whole bool) {
	declared = map[string]ast.Decl{}
	for _, decl := range syntax.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			declared[decl.Name.Name] = decl
			whole = whole || decl.Recv != nil || decl.Name.Name == "init"
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					declared[spec.Name.Name] = decl
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						declared[name.Name] = decl
					}
				}
			}
		}
	}
	return declared, whole
}

func isImport(decl ast.Decl) bool {
	g, ok := decl.(*ast.GenDecl)
	return ok && g.Tok == token.IMPORT
}

// reach collects what a declaration needs, as far as the learner's functions. Names are told apart by spelling alone: too
// much is collected rather than too little.
type reach struct {
	declared map[string]ast.Decl
	learner  func(*ast.FuncDecl) bool
	in       map[ast.Decl]bool
	links    []*ast.FuncDecl
}

func (r *reach) add(name string) {
	decl := r.declared[name]
	if decl == nil || r.in[decl] {
		return
	}
	var needs ast.Node = decl
	if f, ok := decl.(*ast.FuncDecl); ok && r.learner(f) {
		if slices.Contains(r.links, f) {
			return
		}
		r.links = append(r.links, f)
		needs = f.Type
	} else {
		r.in[decl] = true
	}
	eachName(needs, func(name *ast.Ident) { r.add(name.Name) })
}

// eachName calls f for the names in a node that may be those of declarations.
func eachName(node ast.Node, f func(*ast.Ident)) {
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			eachName(n.X, f)
			return false
		case *ast.Ident:
			f(n)
		}
		return true
	})
}
