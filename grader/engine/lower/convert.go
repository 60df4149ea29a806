package lower

import (
	"go/ast"
	"go/types"
)

// Conversions to interfaces. The interpreter keeps a reference to the frame slot in an interface value, not a copy, and
// forgets declared types: every conversion goes through package object, which copies and boxes.

func (c *compiler) isNil(e ast.Expr) bool {
	tv, ok := c.pkg.Info.Types[ast.Unparen(e)]
	return ok && tv.IsNil()
}

// read writes what an expression calls and returns its text, for valueOf. Go orders the calls of several operands and leaves
// open when the variables beside them are read. Its compiler reads them last, so all operands are read before the first is
// given its value. The text is "" where valueOf needs none.
func (c *compiler) read(e ast.Expr) string {
	if c.isNil(e) || c.pkg.Info.Types[e].Value != nil {
		return ""
	}
	return c.expr(e)
}

// readAll reads several operands.
func (c *compiler) readAll(list []ast.Expr) []string {
	texts := make([]string, len(list))
	for i, e := range list {
		texts[i] = c.read(e)
	}
	return texts
}

// value is the text of e converted to type to, which e is assignable to.
func (c *compiler) value(e ast.Expr, to types.Type) string { return c.valueOf(e, c.read(e), to) }

// valueOf is value of an expression that was read.
func (c *compiler) valueOf(e ast.Expr, text string, to types.Type) string {
	if c.isNil(e) {
		return c.zero(to)
	}
	from := c.typeOf(e)
	if tv := c.pkg.Info.Types[e]; tv.Value != nil && !isInterface(to) {
		return c.constantText(tv.Value, to)
	}
	if text == "" {
		text = c.expr(e)
	}
	return c.convert(text, from, to)
}

// zero is a fresh variable with the zero value of t.
func (c *compiler) zero(t types.Type) string { return c.variable(c.core(t)) }

// convert is the text of an assignable value of type from as one of type to.
func (c *compiler) convert(text string, from, to types.Type) string {
	if isUntypedNil(from) {
		return c.zero(to)
	}
	from = types.Default(from)
	if !isInterface(to) {
		return c.reshape(text, from, to)
	}
	if isInterface(from) {
		return c.convertInterface(text, from, to)
	}
	if c.boxed(from) {
		d := c.descriptor(from)
		c.inInterface(from)
		if c.openInterface(to) {
			return c.temp(c.object("Box", d, c.addressed(text, from)))
		}
		if isError(to) {
			return c.temp(c.object("BoxError", d, c.addressed(text, from)))
		}
		t := c.variable(c.core(to))
		c.emit("%s", c.object("BoxInto", "&"+t, d, c.addressed(text, from)))
		return t
	}
	if c.openInterface(to) {
		return c.temp(c.object("Any", c.addressed(text, from)))
	}
	t := c.variable(c.core(to))
	c.emit("%s", c.object("Convert", "&"+t, c.addressed(text, from)))
	return t
}

// addressed is a text that a compiled function may take as an any. The interpreter copies slices and arrays of
// interfaces on the way, and wraps functions: those go by address.
func (c *compiler) addressed(text string, t types.Type) string {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		if isInterface(u.Elem()) {
			return c.object("At", "&"+c.slot(text, t))
		}
	case *types.Array:
		if isInterface(u.Elem()) {
			return c.object("At", "&"+c.slot(text, t))
		}
	case *types.Basic:
		if isConstant(text) {
			return c.core(t) + "(" + text + ")"
		}
	}
	return text
}

// slot is the name of a temporary with the value, for its address to be taken at once.
func (c *compiler) slot(text string, t types.Type) string {
	v := c.variable(c.core(t))
	c.emit("%s = %s", v, text)
	return v
}

func (c *compiler) convertInterface(text string, from, to types.Type) string {
	if c.core(from) == c.core(to) {
		return text
	}
	if text == "nil" {
		return c.zero(to)
	}
	if c.openInterface(to) {
		if isError(from) {
			return c.temp(c.object("Any", text))
		}
		return c.temp(c.object("Held", text))
	}
	if isError(to) {
		return c.temp(c.object("AsError", text))
	}
	t := c.variable(c.core(to))
	c.emit("%s", c.object("Convert", "&"+t, text))
	return t
}

// reshape converts between core types of values that Go's types make assignable or convertible without a change: the
// core differs only where a recursive declared type is an any.
func (c *compiler) reshape(text string, from, to types.Type) string {
	a, b := c.core(from), c.core(to)
	if a == b {
		return text
	}
	if b == "any" {
		return c.temp(c.object("Any", text))
	}
	if a == "any" {
		t := c.variable(b)
		c.emit("%s", c.object("Unwrap", text, "&"+t))
		return t
	}
	if _, ok := from.Underlying().(*types.Chan); ok {
		t := c.variable(b)
		c.emit("%s = %s", t, text)
		return t
	}
	return c.temp("(" + b + ")(" + text + ")")
}

func isError(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() == nil && n.Obj().Name() == "error"
}

func isUntypedNil(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Kind() == types.UntypedNil
}
