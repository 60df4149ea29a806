package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// Built-in functions.

func (c *compiler) builtin(e *ast.CallExpr, name string, n int) ([]string, []types.Type) {
	one := func(text string, t types.Type) ([]string, []types.Type) { return []string{text}, []types.Type{t} }
	switch name {
	case "len", "cap":
		return one(c.length(e, name), types.Typ[types.Int])
	case "append":
		text, t := c.appendCall(e)
		if n == 0 {
			return nil, nil
		}
		return one(text, t)
	case "copy":
		text := c.copyCall(e)
		if n == 0 {
			c.emit("%s", text)
			return nil, nil
		}
		return one(c.temp(text), types.Typ[types.Int])
	case "make":
		return one(c.makeCall(e), c.typeOf(e))
	case "new":
		return one(c.newCall(e), c.typeOf(e))
	case "min", "max":
		return one(c.minMax(e, name), c.typeOf(e))
	case "complex":
		t := c.typeOf(e)
		if _, ok := c.typeOf(e.Args[0]).(*types.Tuple); ok {
			texts, _ := c.tuple(e.Args[0])
			return one(c.temp(fmt.Sprintf("complex(%s, %s)", texts[0], texts[1])), t)
		}
		part := types.Type(types.Typ[types.Float64])
		if t.Underlying().(*types.Basic).Kind() == types.Complex64 {
			part = types.Typ[types.Float32]
		}
		return one(c.temp(fmt.Sprintf("complex(%s, %s)", c.value(e.Args[0], part), c.value(e.Args[1], part))), t)
	case "real", "imag":
		return one(c.temp(fmt.Sprintf("%s(%s)", name, c.keep(c.expr(e.Args[0])))), c.typeOf(e))
	case "recover":
		v := c.recovered()
		if n == 0 {
			return nil, nil
		}
		return one(v, c.typeOf(e))
	}
	// Statements: close, delete, clear, panic, print, println.
	k := c.prepareBuiltin(e, name)
	c.statementBuiltin(k)
	return nil, nil
}

// prepareDelayed evaluates the operands of a call that go or defer delays.
func (c *compiler) prepareDelayed(e *ast.CallExpr, deferred bool) *prepared {
	fun := ast.Unparen(e.Fun)
	if b := c.builtinOf(fun); b != nil {
		return c.prepareBuiltin(e, b.Name())
	}
	if c.isSpecial(e) {
		return &prepared{special: c.withHeldArguments(e)}
	}
	k := c.prepare(e, deferred)
	if sel, ok := fun.(*ast.SelectorExpr); ok {
		if s := c.pkg.Info.Selections[sel]; s != nil && s.Kind() == types.MethodVal && isInterface(c.method(c.typeOf(sel.X), sel.Sel.Name).holder) {
			operand := k.recv
			if operand == "" {
				operand = k.callee.on
			}
			c.emit("%s", c.object("NotNil", operand))
		}
	}
	return k
}

func (c *compiler) prepareBuiltin(e *ast.CallExpr, name string) *prepared {
	k := &prepared{builtin: name}
	if len(e.Args) == 1 {
		if tuple, ok := c.typeOf(e.Args[0]).(*types.Tuple); ok {
			texts, from := c.tuple(e.Args[0])
			for i := range tuple.Len() {
				to := types.Type(types.NewInterfaceType(nil, nil))
				if m, ok := from[0].Underlying().(*types.Map); ok && name == "delete" {
					to = []types.Type{from[0], m.Key()}[i]
				}
				k.args = append(k.args, c.convert(texts[i], from[i], to))
				k.argTypes = append(k.argTypes, c.core(to))
			}
			return k
		}
	}
	for i, a := range e.Args {
		var to types.Type
		switch name {
		case "panic", "print", "println":
			to = types.NewInterfaceType(nil, nil)
		case "delete":
			to = c.typeOf(e.Args[0])
			if i == 1 {
				to = c.typeOf(e.Args[0]).Underlying().(*types.Map).Key()
			}
		default:
			to = types.Default(c.typeOf(a))
		}
		k.args = append(k.args, c.value(a, to))
		k.argTypes = append(k.argTypes, c.core(to))
	}
	return k
}

func (c *compiler) statementBuiltin(k *prepared) {
	args := strings.Join(k.args, ", ")
	switch k.builtin {
	case "close", "delete":
		c.emit("%s(%s)", k.builtin, args)
	case "clear":
		c.emit("%s", c.object("Clear", k.args...))
	case "panic":
		c.emit("%s", c.object("Throw", k.args...))
	case "print":
		c.emit("%s", c.object("Print", k.args...))
	case "println":
		c.emit("%s", c.object("Println", k.args...))
	case "copy":
		c.emit("copy(%s)", args)
	}
}

// delayedBuiltin writes a deferred built-in call.
func (c *compiler) delayedBuiltin(k *prepared, panics *local) {
	if k.builtin == "recover" {
		if panics != nil {
			c.emit("%s", c.object("Recover", panics.name))
		}
		return
	}
	c.statementBuiltin(k)
}

// recovered is the value of recover(): nil unless the function was deferred.
func (c *compiler) recovered() string {
	owner := c.fn.owner
	if owner == nil || owner.panics == nil {
		return c.variable("any")
	}
	c.reach(owner.panics)
	return c.temp(c.object("Recover", owner.panics.name))
}

func (c *compiler) length(e *ast.CallExpr, name string) string {
	t := c.typeOf(e.Args[0]).Underlying()
	text := c.operand(e.Args[0])
	switch a := base(t).Underlying().(type) {
	case *types.Array:
		c.discard(text, c.typeOf(e.Args[0]))
		return fmt.Sprint(a.Len())
	}
	if isConstant(text) {
		text = c.constantTemp(text, types.Typ[types.String])
	}
	return name + "(" + text + ")"
}

func (c *compiler) appendCall(e *ast.CallExpr) (string, types.Type) {
	t := c.typeOf(e)
	s := t.Underlying().(*types.Slice)
	core := "[]" + c.core(s.Elem())
	var list string
	if tuple, ok := c.typeOf(e.Args[0]).(*types.Tuple); ok {
		texts, from := c.tuple(e.Args[0])
		for i := 1; i < tuple.Len(); i++ {
			texts[i] = c.convert(texts[i], from[i], s.Elem())
		}
		texts[0] = c.reshape(texts[0], from[0], s)
		return c.reshape(c.temp("append("+strings.Join(texts, ", ")+")"), s, t), t
	}
	if c.isNil(e.Args[0]) {
		list = c.variable(core)
	} else {
		list = c.operand(e.Args[0])
	}
	if len(e.Args) == 1 {
		return c.reshape(list, s, t), t
	}
	if e.Ellipsis.IsValid() {
		last := e.Args[1]
		if c.isNil(last) {
			return c.reshape(list, s, t), t
		}
		rest := c.operand(last)
		if b, ok := c.typeOf(last).Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
			rest = c.bytesOf(rest)
		}
		return c.reshape(c.temp(fmt.Sprintf("append(%s, %s...)", list, rest)), s, t), t
	}
	parts := []string{list}
	texts := c.readAll(e.Args[1:])
	for i, a := range e.Args[1:] {
		// The interpreter reads what is appended while it appends.
		parts = append(parts, c.keep(c.valueOf(a, texts[i], s.Elem())))
	}
	return c.reshape(c.temp("append("+strings.Join(parts, ", ")+")"), s, t), t
}

func (c *compiler) bytesOf(text string) string {
	if isConstant(text) {
		text = c.constantTemp(text, types.Typ[types.String])
	}
	return c.temp("[]uint8(" + text + ")")
}

func (c *compiler) copyCall(e *ast.CallExpr) string {
	if _, ok := c.typeOf(e.Args[0]).(*types.Tuple); ok {
		texts, _ := c.tuple(e.Args[0])
		return "copy(" + texts[0] + ", " + texts[1] + ")"
	}
	to, from := c.operand(e.Args[0]), c.operand(e.Args[1])
	if b, ok := c.typeOf(e.Args[1]).Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
		from = c.bytesOf(from)
	}
	return "copy(" + to + ", " + from + ")"
}

func (c *compiler) makeCall(e *ast.CallExpr) string {
	t := c.typeOf(e)
	u := t.Underlying()
	args := []string{c.core(u)}
	for _, a := range e.Args[1:] {
		args = append(args, c.index(a))
	}
	if _, ok := u.(*types.Slice); ok && c.precise {
		c.emit("%s", c.object("CheckMake", args[1:]...))
	}
	if _, ok := u.(*types.Map); ok {
		args = args[:1]
	}
	if ch, ok := u.(*types.Chan); ok && ch.Dir() != types.SendRecv {
		both := types.NewChan(types.SendRecv, ch.Elem())
		args[0] = c.core(both)
		return c.reshape(c.temp("make("+strings.Join(args, ", ")+")"), both, t)
	}
	return c.reshape(c.temp("make("+strings.Join(args, ", ")+")"), u, t)
}

func (c *compiler) newCall(e *ast.CallExpr) string {
	elem := c.typeOf(e).Underlying().(*types.Pointer).Elem()
	if tv := c.pkg.Info.Types[e.Args[0]]; tv.IsType() {
		return c.temp("new(" + c.core(elem) + ")")
	}
	v := c.value(e.Args[0], elem)
	p := c.temp("new(" + c.core(elem) + ")")
	c.emit("*%s = %s", p, v)
	return p
}

func (c *compiler) minMax(e *ast.CallExpr, name string) string {
	t := types.Default(c.typeOf(e))
	v := c.variable(c.core(t))
	texts := c.readAll(e.Args)
	c.emit("%s = %s", v, c.valueOf(e.Args[0], texts[0], t))
	basic := t.Underlying().(*types.Basic)
	for i, a := range e.Args[1:] {
		x := c.valueOf(a, texts[i+1], t)
		if basic.Info()&types.IsFloat != 0 {
			f := "MinFloat"
			if name == "max" {
				f = "MaxFloat"
			}
			c.emit("%s = %s(%s)", v, c.core(t), c.object(f, "float64("+v+")", "float64("+x+")"))
			continue
		}
		if isConstant(x) {
			x = c.constantTemp(x, t)
		} else {
			x = c.keep(x)
		}
		op := "<"
		if name == "max" {
			op = ">"
		}
		c.emit("if %s %s %s {", x, op, v)
		c.emit("%s = %s", v, x)
		c.emit("}")
	}
	return v
}
