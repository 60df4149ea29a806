package lower

import (
	"go/ast"
	"go/token"
	"go/types"
)

// This file finds out which variables must live behind a pointer of their own: those whose address is taken, and those
// that a closure captures and that change after their declaration. The interpreter's closures see frame slots, which
// iterations and calls share.

// level is a core function that a source function becomes: its own, the part that runs under object.Run when it
// defers, each literal in it, each body of a range over a function.
type level struct {
	parent *level
	// defers: the body contains a defer statement and runs in a level below this one, inner.
	defers bool
	inner  *level
	// rangeReturns: a range-over-func body in it returns from the function.
	rangeReturns bool
	recovers     bool
}

// facts are what the analysis found about one function.
type facts struct {
	root     *level
	levels   map[ast.Node]*level
	behind   map[*types.Var]bool // lives behind a pointer
	gotos    map[string]bool     // labels that goto names
	assigned map[*types.Var]bool // changes after its declaration
	home     map[*types.Var]*level
}

type analyser struct {
	c        *compiler
	facts    *facts
	captured map[*types.Var]bool
	assigned map[*types.Var]bool
	at       *level
}

// analyse examines a function (FuncDecl) or an initialiser (expression).
func (c *compiler) analyse(node ast.Node, sig *types.Signature) *facts {
	a := &analyser{
		c:        c,
		facts:    &facts{levels: map[ast.Node]*level{}, behind: map[*types.Var]bool{}, gotos: map[string]bool{}, home: map[*types.Var]*level{}},
		captured: map[*types.Var]bool{}, assigned: map[*types.Var]bool{},
	}
	a.facts.root = &level{}
	a.at = a.facts.root
	if d, ok := node.(*ast.FuncDecl); ok {
		a.facts.levels[node] = a.at
		a.parameters(d.Recv, d.Type)
		a.body(d.Body, d.Type)
	} else {
		a.walk(node)
	}
	for v := range a.captured {
		if a.assigned[v] {
			a.facts.behind[v] = true
		}
	}
	a.facts.assigned = a.assigned
	return a.facts
}

func (a *analyser) parameters(recv *ast.FieldList, t *ast.FuncType) {
	for _, list := range []*ast.FieldList{recv, t.Params, t.Results} {
		if list == nil {
			continue
		}
		for _, f := range list.List {
			for _, name := range f.Names {
				a.declare(name)
			}
		}
	}
}

func (a *analyser) declare(name *ast.Ident) {
	if v, ok := a.c.pkg.Info.Defs[name].(*types.Var); ok {
		a.facts.home[v] = a.at
	}
}

// body walks a function's body; a body that defers is a level of its own.
func (a *analyser) body(b *ast.BlockStmt, t *ast.FuncType) {
	owner := a.at
	if a.containsDefer(b) {
		owner.defers = true
		owner.inner = &level{parent: owner}
		a.at = owner.inner
	}
	if t.Results != nil {
		for _, f := range t.Results.List {
			for _, name := range f.Names {
				if v, ok := a.c.pkg.Info.Defs[name].(*types.Var); ok && owner.defers {
					a.facts.behind[v] = true
				}
			}
		}
	}
	a.walk(b)
	a.at = owner
}

func (a *analyser) containsDefer(b ast.Node) bool {
	found := false
	ast.Inspect(b, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			found = true
		}
		return !found
	})
	return found
}

func (a *analyser) walk(node ast.Node) {
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			outer := a.at
			a.at = &level{parent: outer}
			a.facts.levels[n] = a.at
			a.parameters(nil, n.Type)
			a.body(n.Body, n.Type)
			a.at = outer
			return false
		case *ast.RangeStmt:
			return a.rangeStmt(n)
		case *ast.Ident:
			a.ident(n)
		case *ast.AssignStmt:
			a.assignment(n)
		case *ast.BranchStmt:
			if n.Tok == token.GOTO {
				a.facts.gotos[n.Label.Name] = true
			}
		case *ast.IncDecStmt:
			a.assign(n.X)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				a.address(n.X)
			}
		case *ast.SliceExpr:
			if _, ok := a.c.typeOf(n.X).Underlying().(*types.Array); ok {
				a.address(n.X)
			}
		case *ast.SelectorExpr:
			a.selector(n)
		case *ast.CallExpr:
			if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && id.Name == "recover" {
				if _, ok := a.c.pkg.Info.Uses[id].(*types.Builtin); ok {
					l := a.at
					if l.parent != nil && l.parent.inner == l {
						l = l.parent
					}
					l.recovers = true
				}
			}
		case *ast.TypeSwitchStmt:
			for _, clause := range n.Body.List {
				if v, ok := a.c.pkg.Info.Implicits[clause].(*types.Var); ok {
					a.facts.home[v] = a.at
				}
			}
		}
		return true
	})
}

func (a *analyser) rangeStmt(n *ast.RangeStmt) bool {
	if n.Tok == token.ASSIGN {
		for _, e := range []ast.Expr{n.Key, n.Value} {
			if e != nil {
				a.assign(e)
			}
		}
	}
	if _, ok := a.c.typeOf(n.X).Underlying().(*types.Signature); !ok {
		return true
	}
	a.walk(n.X)
	outer := a.at
	a.at = &level{parent: outer}
	a.facts.levels[n] = a.at
	for _, e := range []ast.Expr{n.Key, n.Value} {
		if e != nil {
			a.walk(e)
		}
	}
	returns := false
	ast.Inspect(n.Body, func(m ast.Node) bool {
		switch m.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			returns = true
		}
		return true
	})
	if returns {
		for l := outer; l != nil; l = l.parent {
			l.rangeReturns = true
		}
	}
	a.walk(n.Body)
	a.at = outer
	return false
}

func (a *analyser) ident(n *ast.Ident) {
	if _, ok := a.c.pkg.Info.Defs[n]; ok {
		a.declare(n)
		return
	}
	v, ok := a.c.pkg.Info.Uses[n].(*types.Var)
	if !ok {
		return
	}
	if home, ok := a.facts.home[v]; ok && home != a.at {
		a.captured[v] = true
	}
}

func (a *analyser) assignment(n *ast.AssignStmt) {
	for _, e := range n.Lhs {
		if n.Tok == token.DEFINE {
			id := e.(*ast.Ident)
			if _, fresh := a.c.pkg.Info.Defs[id]; fresh {
				continue
			}
		}
		a.assign(e)
	}
}

// assign notes that the variable e is part of changes.
func (a *analyser) assign(e ast.Expr) {
	if v := a.root(e); v != nil {
		a.assigned[v] = true
	}
}

func (a *analyser) address(e ast.Expr) {
	if v := a.root(e); v != nil {
		if _, local := a.facts.home[v]; local {
			a.facts.behind[v] = true
		}
	}
}

// root is the variable in whose storage e lies, or nil when e lies behind a pointer, in a slice or in no variable.
func (a *analyser) root(e ast.Expr) *types.Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, ok := a.c.pkg.Info.ObjectOf(e).(*types.Var); ok {
			return v
		}
	case *ast.IndexExpr:
		if _, ok := a.c.typeOf(e.X).Underlying().(*types.Array); ok {
			return a.root(e.X)
		}
	case *ast.SelectorExpr:
		if s := a.c.pkg.Info.Selections[e]; s != nil && s.Kind() == types.FieldVal && !a.c.throughPointer(a.c.substitute(s.Recv(), a.c.env), s.Index()) {
			return a.root(e.X)
		}
	}
	return nil
}

// selector notes that a method with a pointer receiver takes the address of its operand.
func (a *analyser) selector(n *ast.SelectorExpr) {
	s := a.c.pkg.Info.Selections[n]
	if s == nil || s.Kind() != types.MethodVal {
		return
	}
	recv := a.c.substitute(s.Recv(), a.c.env)
	if isInterface(recv) {
		return
	}
	obj, index, _ := types.LookupFieldOrMethod(recv, true, s.Obj().Pkg(), s.Obj().Name())
	f, ok := obj.(*types.Func)
	if !ok || f.Signature().Recv() == nil {
		return
	}
	if _, ptr := types.Unalias(f.Signature().Recv().Type()).(*types.Pointer); !ptr {
		return
	}
	path := index[:len(index)-1]
	if _, already := recv.Underlying().(*types.Pointer); already || a.c.throughPointer(recv, path) {
		return
	}
	if _, already := fieldType(recv, path).Underlying().(*types.Pointer); !already {
		a.address(n.X)
	}
}

// throughPointer reports whether a field path passes a pointer on the way to its last field.
func (c *compiler) throughPointer(t types.Type, path []int) bool {
	for _, i := range path {
		if _, ok := t.Underlying().(*types.Pointer); ok {
			return true
		}
		t = t.Underlying().(*types.Struct).Field(i).Type()
	}
	return false
}

// fieldType is the type of the field at the end of a path.
func fieldType(t types.Type, path []int) types.Type {
	for _, i := range path {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		t = t.Underlying().(*types.Struct).Field(i).Type()
	}
	return t
}
