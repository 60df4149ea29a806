package lower

import (
	"go/ast"
	"go/types"
	"strings"
)

// Arguments of calls.

// arguments evaluates the arguments for k's signature.
func (c *compiler) arguments(k *prepared, e *ast.CallExpr) {
	params := k.sig.Params()
	n := params.Len()
	var texts []string
	var from []types.Type
	spreadCall := false
	if len(e.Args) == 1 && n != 0 {
		if tuple, ok := c.typeOf(e.Args[0]).(*types.Tuple); ok {
			texts, from = c.tuple(e.Args[0])
			_ = tuple
			spreadCall = true
		}
	}
	count := len(e.Args)
	if spreadCall {
		count = len(texts)
	}
	if !spreadCall {
		texts = c.readAll(e.Args)
	}
	plain := c.takesPlain(k.object)
	arg := func(i int, to types.Type) {
		var text, core string
		switch {
		case plain && isEmptyInterface(to) && spreadCall:
			text, core = c.plain(texts[i], from[i])
		case plain && isEmptyInterface(to) && !c.isNil(e.Args[i]):
			text = texts[i]
			if text == "" {
				text = c.expr(e.Args[i])
			}
			text, core = c.plain(text, c.typeOf(e.Args[i]))
		case spreadCall:
			text, core = c.argument(texts[i], from[i], to, k.callee.own)
		default:
			text, core = c.argumentOf(e.Args[i], texts[i], to, k.callee.own)
		}
		if plain && e.Ellipsis.IsValid() && i == count-1 && isEmptyInterface(elemOf(to)) {
			text = c.temp(c.object("RawList", text))
		}
		k.args, k.argTypes = append(k.args, text), append(k.argTypes, core)
	}
	for i := range count {
		if k.sig.Variadic() && i >= n-1 && !e.Ellipsis.IsValid() {
			arg(i, params.At(n-1).Type().(*types.Slice).Elem())
		} else {
			arg(i, params.At(i).Type())
		}
	}
	if !k.sig.Variadic() {
		return
	}
	if e.Ellipsis.IsValid() {
		k.spread = !k.callee.own
		return
	}
	if k.callee.own {
		rest := k.args[n-1:]
		core := c.core(params.At(n - 1).Type())
		list := c.variable(core)
		for i := range rest {
			rest[i] = c.simple(rest[i])
		}
		if len(rest) > 0 {
			c.emit("%s = %s{%s}", list, core, strings.Join(rest, ", "))
		}
		k.args = append(k.args[:n-1:n-1], list)
		k.argTypes = append(k.argTypes[:n-1:n-1], core)
	}
}

// takesPlain reports whether a function gets what boxes hold: supplied packages look at values by their kinds.
func (c *compiler) takesPlain(f types.Object) bool {
	return c.options.Supplied != nil && f != nil && f.Pkg() != nil && c.options.Supplied(f.Pkg().Path())
}

// plain is what a value is without a box, for a compiled function's parameter of type any.
func (c *compiler) plain(text string, t types.Type) (result, core string) {
	t = types.Default(t)
	if isInterface(t) {
		return c.temp(c.object("Raw", text)), "any"
	}
	if at := c.addressed(text, t); at != text && !isConstant(text) {
		return c.temp(at), "any"
	}
	return text, c.core(t)
}

func isEmptyInterface(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	return ok && i.NumMethods() == 0
}

func elemOf(t types.Type) types.Type {
	if s, ok := t.Underlying().(*types.Slice); ok {
		return s.Elem()
	}
	return t
}

// argumentExpr evaluates an argument for a parameter of type to, and tells its core type. A compiled function converts
// plain values to interfaces itself.
func (c *compiler) argumentExpr(e ast.Expr, to types.Type, own bool) (text, core string) {
	return c.argumentOf(e, c.read(e), to, own)
}

// argumentOf is argumentExpr of an expression that was read.
func (c *compiler) argumentOf(e ast.Expr, read string, to types.Type, own bool) (text, core string) {
	if c.isNil(e) {
		return c.zero(to), c.core(to)
	}
	from := types.Default(c.typeOf(e))
	if tv := c.pkg.Info.Types[e]; tv.Value != nil {
		if own || !isInterface(to) || c.boxed(from) || isInterface(from) {
			return c.valueOf(e, read, to), c.core(to)
		}
		return c.constantText(tv.Value, from), c.core(from)
	}
	return c.argument(read, from, to, own)
}

func (c *compiler) argument(text string, from, to types.Type, own bool) (result, core string) {
	if !own && isInterface(to) && !isUntypedNil(from) {
		if isError(from) && isEmptyInterface(to) {
			return text, "error"
		}
		if isInterface(from) && c.openInterface(to) {
			return c.convert(text, from, to), "any"
		}
		if from = types.Default(from); !isInterface(from) && !c.boxed(from) {
			if at := c.addressed(text, from); at != text && !isConstant(text) {
				return c.temp(at), "any"
			}
			return text, c.core(from)
		}
	}
	return c.convert(text, from, to), c.core(to)
}
