package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// Assignments. The interpreter evaluates lists that mix values and calls wrongly, stores nothing for
// m[a], m[b] = f(), and shares slots. Here operands are evaluated first, into temporaries, and each variable is assigned alone.

// place is where an assignment stores: text that may stand on the left of =.
type place struct {
	text   string
	typ    types.Type
	blank  bool
	hidden bool   // a field that is held in an any
	entry  bool   // an element of a map
	checks []line // what panics before the assignment, when it comes to it
}

// store assigns a value of p's type.
func (c *compiler) store(p place, value string) {
	c.append(p.checks)
	switch {
	case p.hidden:
		value = c.temp(c.object("Any", value))
	case p.entry && !isConstant(value) && !isTemp(value):
		// A nil pointer's target would delete the entry.
		t := c.variable(c.core(p.typ))
		c.emit("%s = %s", t, value)
		value = t
	}
	c.emit("%s = %s", p.text, value)
}

func (c *compiler) assignment(s *ast.AssignStmt) {
	switch {
	case s.Tok == token.DEFINE:
		c.define(s)
	case s.Tok == token.ASSIGN && len(s.Lhs) == 1:
		p := c.placeOf(s.Lhs[0], false)
		if p.blank {
			t := types.Default(c.typeOf(s.Rhs[0]))
			c.discard(c.value(s.Rhs[0], t), t)
			return
		}
		c.store(p, c.value(s.Rhs[0], p.typ))
	case s.Tok == token.ASSIGN:
		c.assignMany(s)
	default:
		p := c.placeOf(s.Lhs[0], true)
		op := s.Tok - (token.ADD_ASSIGN - token.ADD)
		right := c.hoist(s.Rhs[0], p.typ, op)
		c.append(p.checks)
		p.checks = nil
		c.store(p, c.operationOn(op, p.text, p.typ, right))
	}
}

// assignMany evaluates the operands of the left side, then the right side, and only then assigns.
func (c *compiler) assignMany(s *ast.AssignStmt) {
	places := make([]place, len(s.Lhs))
	for i, e := range s.Lhs {
		places[i] = c.placeOf(e, true)
	}
	values := make([]string, len(s.Lhs))
	if len(s.Rhs) == 1 {
		texts, from := c.tuple(s.Rhs[0])
		for i, p := range places {
			if !p.blank {
				values[i] = c.convert(texts[i], from[i], p.typ)
			}
		}
	} else {
		texts := c.readAll(s.Rhs)
		for i, e := range s.Rhs {
			to := places[i].typ
			if places[i].blank {
				to = types.Default(c.typeOf(e))
			}
			values[i] = c.keep(c.valueOf(e, texts[i], to))
		}
	}
	for i, p := range places {
		if !p.blank {
			c.store(p, values[i])
		}
	}
}

// define declares what is new on the left and assigns the rest.
func (c *compiler) define(s *ast.AssignStmt) {
	fresh := make([]*types.Var, len(s.Lhs))
	for i, e := range s.Lhs {
		fresh[i], _ = c.pkg.Info.Defs[e.(*ast.Ident)].(*types.Var)
	}
	var texts []string
	target := func(i int) types.Type {
		id := s.Lhs[i].(*ast.Ident)
		if v := fresh[i]; v != nil {
			return c.substitute(v.Type(), c.env)
		}
		if v, ok := c.pkg.Info.Uses[id].(*types.Var); ok {
			return c.substitute(v.Type(), c.env)
		}
		return nil
	}
	if len(s.Rhs) == 1 && len(s.Lhs) > 1 {
		values, from := c.tuple(s.Rhs[0])
		for i := range s.Lhs {
			if to := target(i); to != nil {
				values[i] = c.convert(values[i], from[i], to)
			}
		}
		texts = values
	} else {
		read := c.readAll(s.Rhs)
		for i, e := range s.Rhs {
			to := target(i)
			if to == nil {
				to = types.Default(c.typeOf(e))
			}
			text := c.valueOf(e, read[i], to)
			if len(s.Rhs) > 1 {
				text = c.keep(text)
			}
			texts = append(texts, text)
		}
	}
	for i, e := range s.Lhs {
		if id := e.(*ast.Ident); id.Name == "_" {
			if len(s.Rhs) == len(s.Lhs) {
				c.discard(texts[i], c.typeOf(s.Rhs[i]))
			}
			continue
		}
		if v := fresh[i]; v != nil {
			c.declareAs(c.bind(v), texts[i])
			continue
		}
		c.emit("%s = %s", c.placeOf(e, false).text, texts[i])
	}
}

func (c *compiler) increment(s *ast.IncDecStmt) {
	p := c.placeOf(s.X, true)
	c.append(p.checks)
	if isName(p.text) {
		c.emit("%s%s", p.text, s.Tok)
		return
	}
	op := "+"
	if s.Tok == token.DEC {
		op = "-"
	}
	c.emit("%s = %s %s 1", p.text, p.text, op)
}

// placeOf evaluates the operands of the left side of an assignment. With keep set they stay what they are whatever is
// evaluated afterwards.
func (c *compiler) placeOf(e ast.Expr, keep bool) place {
	e = ast.Unparen(e)
	hold := func(text string) string {
		if keep {
			return c.keep(text)
		}
		return text
	}
	switch e := e.(type) {
	case *ast.Ident:
		if e.Name == "_" {
			return place{blank: true}
		}
		v := c.pkg.Info.ObjectOf(e).(*types.Var)
		return place{text: c.variableText(v), typ: c.substitute(v.Type(), c.env)}
	case *ast.StarExpr:
		return place{text: "*" + hold(c.operand(e.X)), typ: c.typeOf(e)}
	case *ast.IndexExpr:
		t := c.typeOf(e.X).Underlying()
		switch t := t.(type) {
		case *types.Map:
			m := hold(c.operand(e.X))
			return place{text: m + "[" + hold(c.value(e.Index, t.Key())) + "]", typ: t.Elem(), entry: true}
		case *types.Array:
			base := c.placeOf(e.X, keep)
			i := hold(c.index(e.Index))
			checks := c.aside(func() { c.checkIndex(i, fmt.Sprint(t.Len()), e.Index) })
			return place{text: base.text + "[" + i + "]", typ: t.Elem(), checks: append(base.checks, checks...)}
		case *types.Pointer:
			p := hold(c.operand(e.X))
			i := hold(c.index(e.Index))
			a := t.Elem().Underlying().(*types.Array)
			checks := c.aside(func() { c.checkIndex(i, fmt.Sprint(a.Len()), e.Index) })
			return place{text: "(*" + p + ")[" + i + "]", typ: a.Elem(), checks: checks}
		default:
			s := hold(c.operand(e.X))
			i := hold(c.index(e.Index))
			checks := c.aside(func() { c.checkIndex(i, "len("+s+")", e.Index) })
			return place{text: s + "[" + i + "]", typ: t.(*types.Slice).Elem(), checks: checks}
		}
	case *ast.SelectorExpr:
		s := c.pkg.Info.Selections[e]
		if s == nil {
			v := c.pkg.Info.Uses[e.Sel].(*types.Var)
			return place{text: c.variableText(v), typ: c.substitute(v.Type(), c.env)}
		}
		recv := c.typeOf(e.X)
		path := c.fieldPath(recv, e)
		var base string
		var checks []line
		if _, ptr := recv.Underlying().(*types.Pointer); ptr {
			base = hold(c.operand(e.X))
		} else {
			p := c.placeOf(e.X, keep)
			base, checks = p.text, p.checks
		}
		text, t := c.fields(base, recv, path)
		return place{text: text, typ: t, hidden: c.hiddenAt(recv, path), checks: checks}
	case *ast.CallExpr, *ast.CompositeLit, *ast.TypeAssertExpr:
		// A pointer-free operand that is not a variable: only its address or fields behind pointers matter.
		return place{text: hold(c.expr(e)), typ: c.typeOf(e)}
	}
	panic("lower: no place for an expression")
}
