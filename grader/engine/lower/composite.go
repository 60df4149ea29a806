package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// Composite literals. Go orders the calls in them, and leaves open when the variables beside the calls are read. Its compiler
// reads them last, and so is it done here: what the elements of a literal and of the literals in it call is written first, in
// order, and then the literals are put together. A map is filled entry by entry where it stands.

// composite is the text of a composite literal of type t.
func (c *compiler) composite(e *ast.CompositeLit, t types.Type) string {
	if m, ok := t.Underlying().(*types.Map); ok {
		return c.mapLiteral(e, t, m)
	}
	texts := map[ast.Expr]string{}
	c.evaluate(e, t, texts)
	return c.build(e, t, texts)
}

// element is an expression in a composite literal that is to have a type.
type element struct {
	expr ast.Expr
	typ  types.Type
}

// elements are those of a composite literal, no map, in the order of the source.
func (c *compiler) elements(e *ast.CompositeLit, t types.Type) []element {
	var list []element
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return c.elements(e, u.Elem())
	case *types.Struct:
		for i, elt := range e.Elts {
			at, value := fieldOf(u, i, elt)
			list = append(list, element{value, u.Field(at).Type()})
		}
	default:
		elem := elemOf(t)
		if a, ok := u.(*types.Array); ok {
			elem = a.Elem()
		}
		for _, elt := range e.Elts {
			if kv, ok := elt.(*ast.KeyValueExpr); ok {
				elt = kv.Value
			}
			list = append(list, element{elt, elem})
		}
	}
	return list
}

// fieldOf is the field of a struct that element i of a literal is for, and the element's value.
func fieldOf(u *types.Struct, i int, elt ast.Expr) (at int, value ast.Expr) {
	kv, ok := elt.(*ast.KeyValueExpr)
	if !ok {
		return i, elt
	}
	for j := range u.NumFields() {
		if u.Field(j).Name() == kv.Key.(*ast.Ident).Name {
			at = j
		}
	}
	return at, kv.Value
}

// inner is the composite literal that an element is, when its type is the element's; its own may be left out.
func (c *compiler) inner(e element) *ast.CompositeLit {
	lit, ok := ast.Unparen(e.expr).(*ast.CompositeLit)
	if _, isMap := e.typ.Underlying().(*types.Map); isMap {
		return nil
	}
	if ok && (lit.Type == nil || types.Identical(c.typeOf(lit), e.typ)) {
		return lit
	}
	return nil
}

// evaluate writes what the elements of a literal call, those of inner literals among them, and keeps what each becomes.
func (c *compiler) evaluate(e *ast.CompositeLit, t types.Type, texts map[ast.Expr]string) {
	for _, one := range c.elements(e, t) {
		if lit := c.inner(one); lit != nil {
			c.evaluate(lit, one.typ, texts)
		} else {
			texts[one.expr] = c.readElement(one)
		}
	}
}

// readElement reads an element. The type of a literal may be left out.
func (c *compiler) readElement(e element) string {
	if lit, ok := e.expr.(*ast.CompositeLit); ok && lit.Type == nil {
		return c.keep(c.composite(lit, e.typ))
	}
	return c.read(e.expr)
}

// elementValue is the value of an element that was read.
func (c *compiler) elementValue(e element, text string) string {
	if lit, ok := e.expr.(*ast.CompositeLit); ok && lit.Type == nil {
		return text
	}
	return c.valueOf(e.expr, text, e.typ)
}

// mapLiteral fills a map.
func (c *compiler) mapLiteral(e *ast.CompositeLit, t types.Type, u *types.Map) string {
	m := c.temp("make(" + c.core(u) + ")")
	for _, elt := range e.Elts {
		kv := elt.(*ast.KeyValueExpr)
		key, value := element{kv.Key, u.Key()}, element{kv.Value, u.Elem()}
		keyText, valueText := c.readElement(key), c.readElement(value)
		c.emit("%s[%s] = %s", m, c.simple(c.elementValue(key, keyText)), c.simple(c.elementValue(value, valueText)))
	}
	return c.reshape(m, u, t)
}

// build puts a literal together of what its elements have become.
func (c *compiler) build(e *ast.CompositeLit, t types.Type, texts map[ast.Expr]string) string {
	if pointer, ok := t.Underlying().(*types.Pointer); ok {
		v := c.build(e, pointer.Elem(), texts)
		p := c.temp("new(" + c.core(pointer.Elem()) + ")")
		c.emit("*%s = %s", p, v)
		return p
	}
	var parts []string
	for _, one := range c.elements(e, t) {
		if lit := c.inner(one); lit != nil {
			parts = append(parts, c.keep(c.build(lit, one.typ, texts)))
		} else {
			parts = append(parts, c.simple(c.elementValue(one, texts[one.expr])))
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		return c.structLiteral(e, t, u, parts)
	case *types.Slice:
		return c.reshape(c.listLiteral(e, "[]"+c.core(u.Elem()), parts), u, t)
	case *types.Array:
		return c.listLiteral(e, c.core(t), parts)
	}
	panic(fmt.Sprintf("composite literal of %v", t))
}

// simple is text as an element of a composite literal: the interpreter mistakes the types of some expressions there.
func (c *compiler) simple(text string) string {
	if isName(text) || isConstant(text) || strings.HasSuffix(text, ")") && isConstant(text[strings.IndexByte(text, '(')+1:len(text)-1]) {
		return text
	}
	return c.temp(text)
}

func (c *compiler) structLiteral(e *ast.CompositeLit, t types.Type, u *types.Struct, values []string) string {
	if len(e.Elts) == 0 {
		return c.variable(c.core(t))
	}
	var parts []string
	for i, elt := range e.Elts {
		at, _ := fieldOf(u, i, elt)
		name := u.Field(at).Name()
		if c.coreStruct(t) {
			name = fieldName(u, at)
		}
		text := values[i]
		if n := c.named(t); n != nil && c.hidden(n, u.Field(at).Type()) {
			text = c.temp(c.object("Any", text))
		}
		parts = append(parts, name+": "+text)
	}
	return c.temp(c.core(t) + "{" + strings.Join(parts, ", ") + "}")
}

func (c *compiler) listLiteral(e *ast.CompositeLit, core string, values []string) string {
	var parts []string
	for i, elt := range e.Elts {
		part := values[i]
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			part = c.constantText(c.pkg.Info.Types[kv.Key].Value, types.Typ[types.Int]) + ": " + part
		}
		parts = append(parts, part)
	}
	return c.temp(core + "{" + strings.Join(parts, ", ") + "}")
}
