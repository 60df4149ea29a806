package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// Loops. The interpreter shares loop variables between iterations, resets those of "for init;;{}", and does not know
// ranges over integers, functions and arrays by pointer.

// forStmt writes a three-clause loop. Variables that closures may see get a fresh pointer for each iteration, with the
// value copied before the post statement, as the language says.
func (c *compiler) forStmt(s *ast.ForStmt, label string) {
	if s.Init != nil {
		c.statement(s.Init, "")
	}
	c.at(s)
	var perIteration []*local
	if init, ok := s.Init.(*ast.AssignStmt); ok && init.Tok == token.DEFINE {
		for _, e := range init.Lhs {
			if v, ok := c.pkg.Info.Defs[e.(*ast.Ident)].(*types.Var); ok && v.Name() != "_" {
				if l := c.local(v); l.behind {
					perIteration = append(perIteration, l)
				}
			}
		}
	}
	var cond string
	condLines := c.aside(func() {
		if s.Cond != nil {
			cond = c.expr(s.Cond)
		}
	})
	postLines := c.aside(func() {
		if s.Post != nil {
			c.statement(s.Post, "")
		}
	})
	c.at(s)
	if len(perIteration) == 0 && len(condLines) == 0 && simplePost(postLines) {
		if s.Cond == nil {
			cond = "true"
		}
		post := ""
		if len(postLines) == 1 {
			post = postLines[0].text
		}
		c.openLoop(s, label, fmt.Sprintf("for ; %s; %s {", cond, post))
		c.block(s.Body)
		c.closeLoop()
		return
	}
	first := ""
	if len(postLines) > 0 || len(perIteration) > 0 {
		first = c.temp("true")
	}
	c.openLoop(s, label, "for {")
	if first != "" {
		c.emit("if %s {", first)
		c.emit("%s = false", first)
		c.emit("} else {")
		for _, l := range perIteration {
			next := c.fresh("next")
			c.emit("%s := new(%s)", next, l.core)
			c.emit("*%s = *%s", next, l.name)
			c.emit("%s = %s", l.name, next)
		}
		c.append(postLines)
		c.emit("}")
	}
	c.append(condLines)
	if s.Cond != nil {
		c.emit("if (%s) == false {", cond)
		c.emit("break")
		c.emit("}")
	}
	c.block(s.Body)
	c.closeLoop()
}

// simplePost reports whether a post statement may stand in the interpreter's own clause.
func simplePost(lines []line) bool {
	if len(lines) == 0 {
		return true
	}
	return len(lines) == 1 && (strings.HasSuffix(lines[0].text, "++") || strings.HasSuffix(lines[0].text, "--"))
}

// openLoop starts a loop, labelled if need be, and makes it the target of break and continue.
func (c *compiler) openLoop(s ast.Stmt, label, head string) {
	at := c.labelLine(label)
	c.push(&target{label: label, loop: true, at: at})
	c.emit("%s", head)
}

func (c *compiler) closeLoop() {
	c.emit("}")
	c.pop()
}

func (c *compiler) rangeStmt(s *ast.RangeStmt, label string) {
	t := c.typeOf(s.X)
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			c.rangeString(s, label)
			return
		}
		c.rangeInt(s, label, t)
	case *types.Slice:
		c.rangeIndexed(s, label, c.keep(c.operand(s.X)), u.Elem())
	case *types.Array:
		c.rangeArray(s, label, u)
	case *types.Pointer:
		a := u.Elem().Underlying().(*types.Array)
		p := c.keep(c.operand(s.X))
		if blank(s.Value) {
			c.rangeLength(s, label, a.Len())
			return
		}
		c.rangeIndexed(s, label, "(*"+p+")", a.Elem())
	case *types.Map:
		c.rangeMap(s, label, u)
	case *types.Chan:
		c.rangeChan(s, label, u)
	case *types.Signature:
		c.rangeFunction(s, label, u)
	default:
		panic(fmt.Sprintf("range over %v", t))
	}
}

// setRange gives key or value of a range its value for this iteration; text has type t.
func (c *compiler) setRange(s *ast.RangeStmt, e ast.Expr, text string, t types.Type) {
	if e == nil {
		return
	}
	if s.Tok == token.DEFINE {
		if id := e.(*ast.Ident); id.Name != "_" {
			v := c.pkg.Info.Defs[id].(*types.Var)
			c.declareAs(c.bind(v), c.convert(text, t, c.substitute(v.Type(), c.env)))
		}
		return
	}
	if p := c.placeOf(e, false); !p.blank {
		c.store(p, c.convert(text, t, p.typ))
	}
}

// setBoth gives key and value of a range their values. When they are assigned, the operands of both are evaluated first.
func (c *compiler) setBoth(s *ast.RangeStmt, key string, keyType types.Type, value string, valueType types.Type) {
	if s.Tok == token.ASSIGN && s.Key != nil && !blank(s.Key) && !blank(s.Value) {
		k, v := c.placeOf(s.Key, true), c.placeOf(s.Value, true)
		c.store(k, c.convert(key, keyType, k.typ))
		c.store(v, c.convert(value, valueType, v.typ))
		return
	}
	c.setRange(s, s.Key, key, keyType)
	if !blank(s.Value) {
		c.setRange(s, s.Value, value, valueType)
	}
}

func blank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return e == nil || ok && id.Name == "_"
}

func (c *compiler) rangeInt(s *ast.RangeStmt, label string, t types.Type) {
	core := c.core(t)
	if s.Key != nil && !blank(s.Key) {
		core = c.core(c.typeOf(s.Key))
		t = c.typeOf(s.Key)
	}
	n := c.fresh("n")
	c.emit("var %s %s = %s", n, core, c.value(s.X, t))
	i := c.fresh("i")
	c.emit("var %s %s", i, core)
	c.openLoop(s, label, fmt.Sprintf("for ; %s < %s; %s++ {", i, n, i))
	c.setRange(s, s.Key, i, t)
	c.block(s.Body)
	c.closeLoop()
}

func (c *compiler) rangeArray(s *ast.RangeStmt, label string, a *types.Array) {
	if blank(s.Value) {
		if hasCall(s.X) { // otherwise only the length counts
			c.discard(c.expr(s.X), c.typeOf(s.X))
		}
		c.rangeLength(s, label, a.Len())
		return
	}
	copied := c.fresh("t")
	c.emit("var %s %s = %s", copied, c.core(c.typeOf(s.X)), c.expr(s.X))
	c.rangeIndexed(s, label, copied, a.Elem())
}

func (c *compiler) rangeLength(s *ast.RangeStmt, label string, n int64) {
	i := c.fresh("i")
	c.emit("var %s int", i)
	c.openLoop(s, label, fmt.Sprintf("for ; %s < %d; %s++ {", i, n, i))
	c.setRange(s, s.Key, i, types.Typ[types.Int])
	c.block(s.Body)
	c.closeLoop()
}

// hasCall reports whether evaluating e calls a function or receives.
func hasCall(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}

func (c *compiler) rangeIndexed(s *ast.RangeStmt, label, over string, elem types.Type) {
	n := c.temp("len(" + over + ")")
	i := c.fresh("i")
	c.emit("var %s int", i)
	c.openLoop(s, label, fmt.Sprintf("for ; %s < %s; %s++ {", i, n, i))
	c.setBoth(s, i, types.Typ[types.Int], over+"["+i+"]", elem)
	c.block(s.Body)
	c.closeLoop()
}

func (c *compiler) rangeString(s *ast.RangeStmt, label string) {
	text := c.keep(c.value(s.X, types.Typ[types.String]))
	i, r, width := c.fresh("i"), c.fresh("r"), c.fresh("w")
	c.emit("var %s int", i)
	c.emit("var %s int", width)
	c.openLoop(s, label, fmt.Sprintf("for ; %s < len(%s); %s = %s + %s {", i, text, i, i, width))
	c.emit("var %s int32", r)
	c.emit("%s, %s = %s", r, width, c.object("Rune", text, i))
	c.setBoth(s, i, types.Typ[types.Int], r, types.Typ[types.Rune])
	c.block(s.Body)
	c.closeLoop()
}

func (c *compiler) rangeMap(s *ast.RangeStmt, label string, m *types.Map) {
	over := c.keep(c.operand(s.X))
	k, v := c.fresh("k"), c.fresh("v")
	switch {
	case blank(s.Key) && blank(s.Value):
		c.openLoop(s, label, fmt.Sprintf("for range %s {", over))
	case blank(s.Value):
		c.openLoop(s, label, fmt.Sprintf("for %s := range %s {", k, over))
		c.setRange(s, s.Key, k, m.Key())
	default:
		c.openLoop(s, label, fmt.Sprintf("for %s, %s := range %s {", k, v, over))
		c.setBoth(s, k, m.Key(), v, m.Elem())
	}
	c.block(s.Body)
	c.closeLoop()
}

func (c *compiler) rangeChan(s *ast.RangeStmt, label string, ch *types.Chan) {
	over := c.keep(c.operand(s.X))
	c.openLoop(s, label, "for {")
	v, ok := c.fresh("v"), c.fresh("ok")
	c.emit("%s, %s := <-%s", v, ok, over)
	c.emit("if %s == false {", ok)
	c.emit("break")
	c.emit("}")
	c.setRange(s, s.Key, v, ch.Elem())
	c.block(s.Body)
	c.closeLoop()
}
