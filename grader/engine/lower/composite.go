package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// Composite literals.

// composite is the text of a composite literal of type t.
func (c *compiler) composite(e *ast.CompositeLit, t types.Type) string {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		return c.structLiteral(e, t, u)
	case *types.Map:
		m := c.temp("make(" + c.core(u) + ")")
		for _, elt := range e.Elts {
			kv := elt.(*ast.KeyValueExpr)
			k := c.element(kv.Key, u.Key())
			v := c.element(kv.Value, u.Elem())
			c.emit("%s[%s] = %s", m, k, v)
		}
		return c.reshape(m, u, t)
	case *types.Slice:
		return c.reshape(c.listLiteral(e, "[]"+c.core(u.Elem()), u.Elem()), u, t)
	case *types.Array:
		return c.listLiteral(e, c.core(t), u.Elem())
	case *types.Pointer:
		v := c.composite(e, u.Elem())
		p := c.temp("new(" + c.core(u.Elem()) + ")")
		c.emit("*%s = %s", p, v)
		return p
	}
	panic(fmt.Sprintf("composite literal of %v", t))
}

// element is an element of a composite literal, whose own type may be left out.
func (c *compiler) element(e ast.Expr, t types.Type) string {
	if lit, ok := e.(*ast.CompositeLit); ok && lit.Type == nil {
		return c.keep(c.composite(lit, t))
	}
	return c.simple(c.value(e, t))
}

// simple is text as an element of a composite literal: the interpreter mistakes the types of some expressions there.
func (c *compiler) simple(text string) string {
	if isName(text) || isConstant(text) || strings.HasSuffix(text, ")") && isConstant(text[strings.IndexByte(text, '(')+1:len(text)-1]) {
		return text
	}
	return c.temp(text)
}

func (c *compiler) structLiteral(e *ast.CompositeLit, t types.Type, u *types.Struct) string {
	if len(e.Elts) == 0 {
		return c.variable(c.core(t))
	}
	var parts []string
	for i, elt := range e.Elts {
		at, value := i, elt
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			value = kv.Value
			for j := range u.NumFields() {
				if u.Field(j).Name() == kv.Key.(*ast.Ident).Name {
					at = j
				}
			}
		}
		name := u.Field(at).Name()
		if c.coreStruct(t) {
			name = fieldName(u, at)
		}
		text := c.element(value, u.Field(at).Type())
		if n := c.named(t); n != nil && c.hidden(n, u.Field(at).Type()) {
			text = c.temp(c.object("Any", text))
		}
		parts = append(parts, name+": "+text)
	}
	return c.temp(c.core(t) + "{" + strings.Join(parts, ", ") + "}")
}

func (c *compiler) listLiteral(e *ast.CompositeLit, core string, elem types.Type) string {
	var parts []string
	for _, elt := range e.Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			i := c.constantText(c.pkg.Info.Types[kv.Key].Value, types.Typ[types.Int])
			parts = append(parts, i+": "+c.element(kv.Value, elem))
			continue
		}
		parts = append(parts, c.element(elt, elem))
	}
	return c.temp(core + "{" + strings.Join(parts, ", ") + "}")
}
