package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// selectStmt evaluates channels and values to send, in order, lets package object choose, and switches on the number of
// the chosen clause. The interpreter's own select keeps its cases in one place for all goroutines, takes the wrong arm, and
// does not leave loops.
func (c *compiler) selectStmt(s *ast.SelectStmt, label string) {
	clauses := make([]*ast.CommClause, len(s.Body.List))
	received := make([][2]string, len(clauses))
	var cases []string
	var numbers []int
	defaultAt := -1
	for i, clause := range s.Body.List {
		clauses[i] = clause.(*ast.CommClause)
		c.at(clause)
		if clauses[i].Comm == nil {
			defaultAt = i
			continue
		}
		text, v := c.communication(clauses[i].Comm)
		received[i][0] = v
		cases = append(cases, c.temp(text))
		numbers = append(numbers, i)
	}
	c.at(s)
	chosen, ok := c.fresh("t"), c.fresh("t")
	args := append([]string{fmt.Sprint(defaultAt >= 0)}, cases...)
	c.emit("%s, %s := %s", chosen, ok, c.object("Select", args...))
	number := c.fresh("case")
	c.emit("var %s int = %d", number, defaultAt)
	for k, i := range numbers {
		received[i][1] = ok
		c.emit("if %s == %d {", chosen, k)
		c.emit("%s = %d", number, i)
		c.emit("}")
	}
	c.numberedSwitch(label, number, len(clauses), func(i int) {
		c.at(clauses[i])
		if comm, isAssign := clauses[i].Comm.(*ast.AssignStmt); isAssign {
			t := c.typeOf(ast.Unparen(comm.Rhs[0]).(*ast.UnaryExpr).X).Underlying().(*types.Chan).Elem()
			c.received(comm, 0, received[i][0], t)
			if len(comm.Lhs) == 2 {
				c.received(comm, 1, received[i][1], types.Typ[types.Bool])
			}
		}
		c.statements(clauses[i].Body)
	})
}

// communication evaluates the operands of a case and returns the text that makes it for package object, and the
// variable that a receive stores in.
func (c *compiler) communication(comm ast.Stmt) (text, v string) {
	if send, ok := comm.(*ast.SendStmt); ok {
		elem := c.typeOf(send.Chan).Underlying().(*types.Chan).Elem()
		ch := c.keep(c.operand(send.Chan))
		value := c.variable(c.core(elem))
		c.emit("%s = %s", value, c.value(send.Value, elem))
		return c.object("SendCase", ch, "&"+value), ""
	}
	var receive *ast.UnaryExpr
	switch comm := comm.(type) {
	case *ast.ExprStmt:
		receive = ast.Unparen(comm.X).(*ast.UnaryExpr)
	case *ast.AssignStmt:
		receive = ast.Unparen(comm.Rhs[0]).(*ast.UnaryExpr)
	}
	ch := c.keep(c.operand(receive.X))
	v = c.variable(c.core(c.typeOf(receive.X).Underlying().(*types.Chan).Elem()))
	return c.object("ReceiveCase", ch, "&"+v), v
}

// received gives a variable of a select's receive statement its value.
func (c *compiler) received(comm *ast.AssignStmt, i int, text string, t types.Type) {
	e := comm.Lhs[i]
	if comm.Tok == token.DEFINE {
		id := e.(*ast.Ident)
		if id.Name != "_" {
			c.declareAs(c.bind(c.pkg.Info.Defs[id].(*types.Var)), text)
		}
		return
	}
	if p := c.placeOf(e, false); !p.blank {
		c.store(p, c.convert(text, t, p.typ))
	}
}
