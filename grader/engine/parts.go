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
	r := newReach(syntax, learner)
	if f, ok := r.declared[entry].(*ast.FuncDecl); ok && !learner(f) && !slices.ContainsFunc(syntax.Decls, belongs) {
		r.follow(f)
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

// prune takes the functions out of a lowered file that nothing reaches from the roots: the interpreter would compile them
// for nothing. Every variable counts as reached.
func prune(syntax *ast.File, roots ...string) {
	r := newReach(syntax, func(*ast.FuncDecl) bool { return false })
	for _, decl := range syntax.Decls {
		if f, ok := decl.(*ast.FuncDecl); !ok || belongs(f) || slices.Contains(roots, f.Name.Name) {
			r.follow(decl)
		}
	}
	syntax.Decls = slices.DeleteFunc(syntax.Decls, func(decl ast.Decl) bool { return !r.in[decl] })
}

// belongs reports whether a declaration is a method or an init function, which goes with what it stands beside.
func belongs(decl ast.Decl) bool {
	f, ok := decl.(*ast.FuncDecl)
	return ok && (f.Recv != nil || f.Name.Name == "init")
}

func isImport(decl ast.Decl) bool {
	g, ok := decl.(*ast.GenDecl)
	return ok && g.Tok == token.IMPORT
}

// reach collects what declarations need, as far as the learner's functions. Names are told apart by spelling alone: too much
// is collected rather than too little.
type reach struct {
	declared map[string]ast.Decl
	learner  func(*ast.FuncDecl) bool
	in       map[ast.Decl]bool
	links    []*ast.FuncDecl
	todo     []ast.Node
}

func newReach(syntax *ast.File, learner func(*ast.FuncDecl) bool) *reach {
	r := &reach{declared: map[string]ast.Decl{}, learner: learner, in: map[ast.Decl]bool{}}
	for _, decl := range syntax.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			r.declared[decl.Name.Name] = decl
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					r.declared[spec.Name.Name] = decl
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						r.declared[name.Name] = decl
					}
				}
			}
		}
	}
	return r
}

// follow collects a declaration and all that it needs.
func (r *reach) follow(decl ast.Decl) {
	r.add(decl)
	for len(r.todo) > 0 {
		next := r.todo[len(r.todo)-1]
		r.todo = r.todo[:len(r.todo)-1]
		eachName(next, func(name *ast.Ident) {
			if decl := r.declared[name.Name]; decl != nil {
				r.add(decl)
			}
		})
	}
}

// add collects a declaration. Of a learner's function its type alone is needed.
func (r *reach) add(decl ast.Decl) {
	if f, ok := decl.(*ast.FuncDecl); ok && r.learner(f) {
		if !slices.Contains(r.links, f) {
			r.links = append(r.links, f)
			r.todo = append(r.todo, f.Type)
		}
	} else if !r.in[decl] {
		r.in[decl] = true
		r.todo = append(r.todo, decl)
	}
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
