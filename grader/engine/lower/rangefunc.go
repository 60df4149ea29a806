package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// A loop over a function becomes a call of it with the body as closure. How the body is left is told in a variable of
// the loop: the closure returns false, and the statement after the call goes where the body wanted to.

// target is a statement that break or continue may mean.
type target struct {
	label string
	loop  bool
	plain bool // a labelled block: only break by label means it
	in    *function
	at    int  // its label's line in the function
	used  bool // a jump names the label
}

// rangeFunc is one loop over a function.
type rangeFunc struct {
	state  *local // -1 the body runs, 0 it may run again, 1 the loop is over, 2 return, 3… exits
	target *target
	exits  []exit
}

// exit is a way out of the body to a statement around the loop.
type exit struct {
	tok    token.Token
	target *target
}

func (c *compiler) push(t *target) {
	t.in = c.fn
	c.fn.targets = append(c.fn.targets, t)
}

// pop ends the innermost target. A label that nothing names is taken out again: Go allows none.
func (c *compiler) pop() {
	last := len(c.fn.targets) - 1
	t := c.fn.targets[last]
	c.fn.targets = c.fn.targets[:last]
	if t.label != "" && !t.used && !c.goesTo(t.label) {
		c.fn.lines[t.at].text = ""
	}
}

// goesTo reports whether the function being compiled has a goto to a label.
func (c *compiler) goesTo(label string) bool { return c.facts.gotos[label] }

// branch writes break, continue, goto or fallthrough.
func (c *compiler) branch(s *ast.BranchStmt) {
	switch s.Tok {
	case token.FALLTHROUGH:
		c.emit("fallthrough")
		return
	case token.GOTO:
		if c.fn.rng != nil {
			c.refuse(s, "goto", "goto out of the body of a loop over a function cannot be run here", "use break, continue or return")
			return
		}
		c.emit("goto %s", c.labelName(s.Label.Name))
		return
	}
	for f := c.fn; f != nil; f = f.parent {
		for i := len(f.targets) - 1; i >= 0; i-- {
			t := f.targets[i]
			if s.Label != nil && t.label != s.Label.Name || s.Label == nil && (t.plain || s.Tok == token.CONTINUE && !t.loop) {
				continue
			}
			c.jump(s.Tok, t)
			return
		}
		if f.rng != nil {
			t := f.rng.target
			if s.Label == nil || t.label == s.Label.Name {
				c.jump(s.Tok, t)
				return
			}
		}
	}
	panic("lower: no target for " + s.Tok.String())
}

// jump goes to a target from wherever the statement is.
func (c *compiler) jump(tok token.Token, t *target) {
	if t.in == c.fn {
		innermost := c.innermost(tok)
		if innermost == t {
			c.emit("%s", tok.String())
			return
		}
		if t.label == "" {
			panic("lower: unlabelled target is not the innermost")
		}
		t.used = true
		c.emit("%s %s", tok, c.labelName(t.label))
		return
	}
	rng := c.fn.rng
	if rng.target == t {
		if tok == token.CONTINUE {
			c.emit("%s = 0", c.use(rng.state))
			c.emit("return true")
			return
		}
		c.emit("%s = 1", c.use(rng.state))
		c.emit("return false")
		return
	}
	c.emit("%s = %d", c.use(rng.state), rng.exit(tok, t))
	c.emit("return false")
}

func (c *compiler) innermost(tok token.Token) *target {
	for i := len(c.fn.targets) - 1; i >= 0; i-- {
		if t := c.fn.targets[i]; !(tok == token.CONTINUE && !t.loop) {
			return t
		}
	}
	return nil
}

func (r *rangeFunc) exit(tok token.Token, t *target) int {
	for i, e := range r.exits {
		if e.tok == tok && e.target == t {
			return 3 + i
		}
	}
	r.exits = append(r.exits, exit{tok, t})
	return 2 + len(r.exits)
}

// leaveFunction returns from the source function out of the loop's body; its results are stored.
func (r *rangeFunc) leaveFunction(c *compiler) {
	c.emit("%s = 2", c.use(r.state))
	c.emit("return false")
}

func (c *compiler) rangeFunction(s *ast.RangeStmt, label string, sig *types.Signature) {
	over := c.keep(c.operand(s.X))
	state := c.newLocal("state", "int", true)
	c.declareZero(state)
	yield := sig.Params().At(0).Type().Underlying().(*types.Signature)
	rng := &rangeFunc{state: state}
	outer := c.fn
	inner := newFunction(outer, c.facts.levels[s])
	rng.target = &target{label: label, loop: true} // in no core function: only the body's own jumps mean it
	inner.owner, inner.rng = outer.owner, rng
	c.fn = inner
	var params []string
	var names []string
	for v := range yield.Params().Variables() {
		name := c.fresh("y")
		names = append(names, name)
		params = append(params, name+" "+c.core(v.Type()))
	}
	c.emit("if %s != 0 {", c.use(state))
	c.emit("%s(%s)", c.objectName("ContinuedAfterExit"), c.use(state))
	c.emit("}")
	c.emit("%s = -1", c.use(state))
	for i, e := range []ast.Expr{s.Key, s.Value} {
		if e != nil && i < len(names) {
			c.setRange(s, e, names[i], yield.Params().At(i).Type())
		}
	}
	c.block(s.Body)
	c.emit("%s = 0", c.use(state))
	c.emit("return true")
	text := c.closure(inner, "("+strings.Join(params, ", ")+")", " bool")
	c.at(s)
	c.emit("%s(%s)", over, c.temp(text))
	c.emit("if %s < 0 {", c.use(state))
	c.emit("%s(%s)", c.objectName("ContinuedAfterExit"), c.use(state))
	c.emit("}")
	after := c.temp(c.use(state))
	c.emit("%s = 1", c.use(state))
	if c.returnsInside(s) {
		c.emit("if %s == 2 {", after)
		c.leave()
		c.emit("}")
	}
	for i, e := range rng.exits {
		c.emit("if %s == %d {", after, 3+i)
		c.jump(e.tok, e.target)
		c.emit("}")
	}
}

func (c *compiler) returnsInside(s *ast.RangeStmt) bool {
	found := false
	ast.Inspect(s.Body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			found = true
		}
		return !found
	})
	return found
}
