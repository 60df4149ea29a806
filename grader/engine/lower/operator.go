package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// Operators. Comparisons of interfaces, structs and arrays go by package object, logical ones become ifs.

func (c *compiler) binary(e *ast.BinaryExpr) string {
	switch e.Op {
	case token.LAND, token.LOR:
		return c.logical(e)
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		t := c.comparedType(e)
		if c.isNil(e.X) {
			return c.compareNil(e.Op, e.Y)
		}
		if c.isNil(e.Y) {
			return c.compareNil(e.Op, e.X)
		}
		if isInterface(c.typeOf(e.X)) != isInterface(c.typeOf(e.Y)) {
			return c.compare(e.Op, c.value(e.X, t), t, e.Y)
		}
		return c.compare(e.Op, c.value(e.X, t), t, e.Y)
	}
	t := c.typeOf(e)
	return c.operation(e.Op, c.value(e.X, t), t, e.Y)
}

// comparedType is the type in which the operands of a comparison meet.
func (c *compiler) comparedType(e *ast.BinaryExpr) types.Type {
	x, y := c.typeOf(e.X), c.typeOf(e.Y)
	switch {
	case isUntyped(x):
		return types.Default(pick(y, x))
	case isUntyped(y):
		return x
	case isInterface(x):
		return x
	case isInterface(y):
		return y
	}
	return x
}

func pick(y, x types.Type) types.Type {
	if isUntyped(y) {
		return x
	}
	return y
}

func isUntyped(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Info()&types.IsUntyped != 0
}

// compare is the text of x op y, x already evaluated as type t.
func (c *compiler) compare(op token.Token, x string, t types.Type, y ast.Expr) string {
	if c.isNil(y) {
		return "(" + x + " " + op.String() + " nil)"
	}
	yt := c.typeOf(y)
	if isInterface(t) || isInterface(yt) {
		if !isInterface(t) {
			x = c.convert(x, t, yt)
		}
		to := t
		if isInterface(yt) {
			to = yt
		}
		var right string
		if isInterface(to) && !isInterface(yt) {
			right = c.value(y, types.NewInterfaceType(nil, nil))
		} else {
			right = c.value(y, to)
		}
		equal := c.temp(c.object("Equal", x, right))
		if op == token.NEQ {
			return "(" + equal + " == false)"
		}
		return equal
	}
	right := c.valueLike(y, t)
	if ch, ok := t.Underlying().(*types.Chan); ok && c.core(yt) != c.core(t) {
		if ch.Dir() == types.SendRecv {
			x = c.reshape(x, t, yt)
		} else {
			right = c.reshape(right, yt, t)
		}
	}
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		equal := c.temp(c.object("Equal", c.addressed(x, t), c.addressed(right, t)))
		if op == token.NEQ {
			return "(" + equal + " == false)"
		}
		return equal
	}
	if isConstant(x) && isConstant(right) {
		x = c.constantTemp(x, t)
	}
	return "(" + bare(x) + " " + op.String() + " " + bare(right) + ")"
}

// valueLike is the text of y for a comparison with a value of type t.
func (c *compiler) valueLike(y ast.Expr, t types.Type) string {
	if _, ok := t.Underlying().(*types.Chan); ok {
		return c.expr(y)
	}
	return c.value(y, t)
}

func (c *compiler) compareNil(op token.Token, e ast.Expr) string {
	if c.isNil(e) {
		return fmt.Sprint(op == token.EQL)
	}
	return "(" + bare(c.operand(e)) + " " + op.String() + " nil)"
}

// operation is the text of x op y for arithmetic; x is evaluated.
func (c *compiler) operation(op token.Token, x string, t types.Type, y ast.Expr) string {
	return c.operationOn(op, x, t, c.hoist(y, t, op))
}

// hoist evaluates the right operand of an operation on values of type t.
func (c *compiler) hoist(y ast.Expr, t types.Type, op token.Token) string {
	if op == token.SHL || op == token.SHR {
		return c.shiftCount(y)
	}
	return c.value(y, t)
}

func (c *compiler) operationOn(op token.Token, x string, t types.Type, right string) string {
	if isConstant(x) && isConstant(right) || (op == token.SHL || op == token.SHR) && !isName(x) && !strings.HasPrefix(x, "(") {
		x = c.constantTemp(x, t)
	}
	return "(" + bare(x) + " " + op.String() + " " + bare(right) + ")"
}

// bare leaves out the parentheses around the target of a pointer: the interpreter takes them for a type in places.
func bare(text string) string {
	if strings.HasPrefix(text, "(*") && strings.HasSuffix(text, ")") && isName(text[2:len(text)-1]) {
		return text[1 : len(text)-1]
	}
	return text
}

// shiftCount is the count of a shift as an unsigned number, which cannot be negative.
func (c *compiler) shiftCount(y ast.Expr) string {
	if tv := c.pkg.Info.Types[y]; tv.Value != nil {
		return c.constantText(tv.Value, types.Typ[types.Uint])
	}
	count := c.expr(y)
	b := types.Default(c.typeOf(y)).Underlying().(*types.Basic)
	switch {
	case b.Info()&types.IsUnsigned == 0:
		return c.temp(c.object("ShiftCount", "int64("+count+")"))
	case b.Kind() != types.Uint:
		return "uint(" + count + ")"
	}
	return count
}

// logical writes && and || with an if: the interpreter mixes up the branches of nested ones.
func (c *compiler) logical(e *ast.BinaryExpr) string {
	v := c.expr(e.X)
	if left, ok := ast.Unparen(e.X).(*ast.BinaryExpr); !ok || left.Op != token.LAND && left.Op != token.LOR || !isFresh(v) {
		v = c.temp(v)
	}
	if e.Op == token.LAND {
		c.emit("if %s {", v)
	} else {
		c.emit("if %s == false {", v)
	}
	c.emit("%s = %s", v, c.expr(e.Y))
	c.emit("}")
	return v
}
