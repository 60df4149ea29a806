package lower

import (
	"fmt"
	"go/ast"
	"go/types"
)

// Conversions that the source writes.

// conversion is the text of T(x).
func (c *compiler) conversion(e *ast.CallExpr) string {
	to := c.typeOf(e)
	x := e.Args[0]
	if c.isNil(x) {
		return c.zero(to)
	}
	from := types.Default(c.typeOf(x))
	if isInterface(to) {
		return c.value(x, to)
	}
	toBasic, toIsBasic := to.Underlying().(*types.Basic)
	fromBasic, fromIsBasic := from.Underlying().(*types.Basic)
	if tv := c.pkg.Info.Types[x]; tv.Value != nil && toIsBasic {
		if fromIsBasic && fromBasic.Info()&types.IsString == 0 && toBasic.Info()&types.IsString == 0 || fromBasic.Info()&types.IsString != 0 && toBasic.Info()&types.IsString != 0 {
			return c.constantText(tv.Value, to)
		}
	}
	text := c.expr(x)
	switch {
	case toIsBasic && fromIsBasic:
		if c.core(to) == c.core(from) {
			return text
		}
		if isConstant(text) {
			text = c.constantTemp(text, from)
		}
		return c.core(to) + "(" + text + ")"
	case toIsBasic: // string from bytes or runes
		return c.temp("string(" + text + ")")
	case fromIsBasic: // bytes or runes from a string
		if isConstant(text) {
			text = c.constantTemp(text, from)
		}
		return c.temp(c.core(to.Underlying()) + "(" + text + ")")
	}
	if s, ok := from.Underlying().(*types.Slice); ok {
		return c.sliceConversion(text, s, to)
	}
	return c.reshape(text, from, to)
}

// sliceConversion converts a slice to an array or to a pointer to one.
func (c *compiler) sliceConversion(text string, from *types.Slice, to types.Type) string {
	switch u := to.Underlying().(type) {
	case *types.Array:
		text = c.keep(text)
		c.emit("%s", c.object("CheckArray", "len("+text+")", fmt.Sprint(u.Len())))
		v := c.variable(c.core(to))
		i := c.fresh("i")
		c.emit("for %s := 0; %s < %d; %s++ {", i, i, u.Len(), i)
		c.emit("%s[%s] = %s[%s]", v, i, text, i)
		c.emit("}")
		return v
	case *types.Pointer:
		v := c.variable(c.core(to))
		c.emit("%s", c.object("ArrayPointer", text, "&"+v))
		return v
	}
	return c.reshape(text, from, to)
}
