package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// Switches. The interpreter tests only the first of a list of conditions, misplaces default, and knows no identity of
// interpreted types. A switch becomes one without tag and with single conditions; when conditions need statements, or default
// stands among cases that fall through, they are tried first and the switch is on the number of the chosen clause.

func (c *compiler) switchStmt(s *ast.SwitchStmt, label string) {
	if s.Init != nil {
		c.statement(s.Init, "")
	}
	c.at(s)
	tag, tagType := "", types.Type(types.Typ[types.Bool])
	if s.Tag != nil {
		tagType = types.Default(c.typeOf(s.Tag))
		tag = c.value(s.Tag, tagType)
		if !isConstant(tag) {
			tag = c.temp(tag)
		} else {
			tag = c.constantTemp(tag, tagType)
		}
	}
	clauses := make([]*ast.CaseClause, len(s.Body.List))
	conditions := make([][]string, len(clauses))
	setups := make([][][]line, len(clauses))
	inline, fallsThrough := true, false
	for i, clause := range s.Body.List {
		clause := clause.(*ast.CaseClause)
		clauses[i] = clause
		for _, e := range clause.List {
			var text string
			setup := c.aside(func() {
				c.at(e)
				if s.Tag == nil {
					text = c.expr(e)
				} else {
					text = c.compare(token.EQL, tag, tagType, e)
				}
			})
			inline = inline && len(setup) == 0 && len(clause.List) == 1
			conditions[i] = append(conditions[i], text)
			setups[i] = append(setups[i], setup)
		}
		if n := len(clause.Body); n > 0 {
			if b, ok := clause.Body[n-1].(*ast.BranchStmt); ok && b.Tok == token.FALLTHROUGH {
				fallsThrough = true
			}
		}
	}
	c.at(s)
	if inline && !fallsThrough {
		c.inlineSwitch(label, clauses, conditions)
		return
	}
	chosen := c.fresh("case")
	c.emit("var %s int = -1", chosen)
	depth := 0
	defaultAt := -1
	for i, clause := range clauses {
		if clause.List == nil {
			defaultAt = i
		}
		for j := range clause.List {
			c.append(setups[i][j])
			c.emit("if %s {", conditions[i][j])
			c.emit("%s = %d", chosen, i)
			c.emit("} else {")
			depth++
		}
	}
	if defaultAt >= 0 {
		c.emit("%s = %d", chosen, defaultAt)
	}
	for range depth {
		c.emit("}")
	}
	c.numberedSwitch(label, chosen, len(clauses), func(i int) {
		c.at(clauses[i])
		c.statements(clauses[i].Body)
	})
}

// constantTemp holds a constant in a typed temporary.
func (c *compiler) constantTemp(text string, t types.Type) string {
	name := c.variable(c.core(t))
	c.emit("%s = %s", name, text)
	return name
}

func (c *compiler) inlineSwitch(label string, clauses []*ast.CaseClause, conditions [][]string) {
	c.openSwitch(label, "switch {")
	var last *ast.CaseClause
	for i, clause := range clauses {
		if clause.List == nil {
			last = clause
			continue
		}
		c.at(clause)
		c.emit("case %s:", conditions[i][0])
		c.statements(clause.Body)
	}
	if last != nil {
		c.at(last)
		c.emit("default:")
		c.statements(last.Body)
	}
	c.closeSwitch()
}

// numberedSwitch writes a switch on the number of a clause.
func (c *compiler) numberedSwitch(label, chosen string, n int, body func(i int)) {
	c.openSwitch(label, fmt.Sprintf("switch %s {", chosen))
	for i := range n {
		c.emit("case %d:", i)
		body(i)
	}
	c.closeSwitch()
}

func (c *compiler) openSwitch(label, head string) {
	at := c.labelLine(label)
	c.push(&target{label: label, at: at})
	c.emit("%s", head)
}

func (c *compiler) closeSwitch() {
	c.emit("}")
	c.pop()
}

func (c *compiler) typeSwitch(s *ast.TypeSwitchStmt, label string) {
	if s.Init != nil {
		c.statement(s.Init, "")
	}
	c.at(s)
	var x ast.Expr
	switch a := s.Assign.(type) {
	case *ast.ExprStmt:
		x = a.X.(*ast.TypeAssertExpr).X
	case *ast.AssignStmt:
		x = a.Rhs[0].(*ast.TypeAssertExpr).X
	}
	from := c.typeOf(x)
	subject := c.keep(c.value(x, from))
	args := []string{subject}
	owner := []int{}
	defaultAt := -1
	clauses := make([]*ast.CaseClause, len(s.Body.List))
	for i, clause := range s.Body.List {
		clause := clause.(*ast.CaseClause)
		clauses[i] = clause
		if clause.List == nil {
			defaultAt = i
		}
		for _, e := range clause.List {
			args = append(args, c.target(c.typeOf(e)))
			owner = append(owner, i)
		}
	}
	found := c.temp(c.object("Switch", args...))
	chosen := c.fresh("case")
	c.emit("var %s int = %d", chosen, defaultAt)
	for i, clause := range owner {
		c.emit("if %s == %d {", found, i)
		c.emit("%s = %d", chosen, clause)
		c.emit("}")
	}
	c.numberedSwitch(label, chosen, len(clauses), func(i int) {
		clause := clauses[i]
		c.at(clause)
		if v, ok := c.pkg.Info.Implicits[clause].(*types.Var); ok {
			c.bindSwitched(v, clause, subject, from)
		}
		c.statements(clause.Body)
	})
}

// bindSwitched declares the variable of a clause of a type switch.
func (c *compiler) bindSwitched(v *types.Var, clause *ast.CaseClause, subject string, from types.Type) {
	t := c.substitute(v.Type(), c.env)
	value := subject
	if len(clause.List) == 1 && !c.isNil(clause.List[0]) {
		value = c.variable(c.core(t))
		c.emit("%s", c.object("TryAssert", subject, c.target(t), "&"+value))
	} else if c.core(t) != c.core(from) {
		value = c.convert(subject, from, t)
	}
	c.declareAs(c.bind(v), value)
}
