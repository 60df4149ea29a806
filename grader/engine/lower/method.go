package lower

import (
	"fmt"
	"go/ast"
	"go/types"
)

// Methods. The core has none: a method is a function that takes its receiver first. The interpreter binds method values
// late and loses the methods of types that it declares.

// method is what a selector x.M means for operands of one type.
type method struct {
	name    string
	recv    types.Type // type of the operand
	path    []int      // embedded fields on the way
	holder  types.Type // type at the end of the path: what declares the method, or a pointer to it
	object  *types.Func
	own     *types.Func // the generic or plain declaration, when it is the program's
	args    []types.Type
	pointer bool // the receiver is a pointer
	sig     *types.Signature
}

// method finds the method of an operand of type recv.
func (c *compiler) method(recv types.Type, name string) *method {
	obj, path, _ := types.LookupFieldOrMethod(recv, true, c.pkg.Types, name)
	f, ok := obj.(*types.Func)
	if !ok {
		// An unexported method of another package of the program, reached through a type parameter or an interface.
		for p := range c.own {
			if obj, path, _ = types.LookupFieldOrMethod(recv, true, p, name); obj != nil {
				if f, ok = obj.(*types.Func); ok {
					break
				}
			}
		}
		if !ok {
			panic(fmt.Sprintf("no method %s of %v", name, recv))
		}
	}
	m := &method{name: name, recv: recv, path: path[:len(path)-1], object: f}
	m.holder = fieldType(recv, m.path)
	m.sig = c.substitute(f.Signature(), nil).(*types.Signature)
	if isInterface(m.holder) {
		return m
	}
	_, m.pointer = types.Unalias(f.Signature().Recv().Type()).(*types.Pointer)
	if c.own[f.Pkg()] == nil {
		return m
	}
	m.own = f.Origin()
	base := m.holder
	if p, ok := base.Underlying().(*types.Pointer); ok {
		if _, isNamed := types.Unalias(base).(*types.Named); !isNamed {
			base = p.Elem()
		}
	}
	if n, ok := types.Unalias(base).(*types.Named); ok {
		for a := range n.TypeArgs().Types() {
			m.args = append(m.args, a)
		}
	}
	return m
}

// addresses reports whether a call takes the address of its operand.
func (m *method) addresses(c *compiler) bool {
	if isInterface(m.holder) || !m.pointer {
		return false
	}
	if _, ok := m.recv.Underlying().(*types.Pointer); ok || c.throughPointer(m.recv, m.path) {
		return false
	}
	_, already := m.holder.Underlying().(*types.Pointer)
	return !already
}

// receiver evaluates the operand of a method: as a place when its address is needed.
func (c *compiler) receiver(m *method, x ast.Expr) string {
	if m.addresses(c) {
		if len(m.path) == 0 {
			return c.addressOf(x)
		}
		return c.placeText(x)
	}
	return c.expr(x)
}

// receive sets callee and receiver of a call of m on the operand base.
func (c *compiler) receive(k *prepared, m *method, base string) {
	k.sig = m.sig
	text, _ := c.fields(base, m.recv, m.path)
	late := k.late && m.own != nil
	k.late = false
	copied := func(text string) string {
		if k.late = late; late {
			return text
		}
		return c.temp(text)
	}
	_, isPointer := m.holder.Underlying().(*types.Pointer)
	switch {
	case isInterface(m.holder):
		text = c.keep(text)
		if c.openInterface(m.holder) {
			k.callee = callee{name: c.dispatcher(m), own: true}
			k.recv, k.recvType = text, "any"
			return
		}
		k.callee = callee{name: m.name, on: text}
		k.recvType = c.core(m.holder)
		return
	case m.pointer && !isPointer:
		if len(m.path) > 0 {
			text = "&" + text
		}
		text = c.keep(text)
		k.recvType = "*" + c.core(m.holder)
	case m.pointer:
		text = c.keep(text)
		k.recvType = c.core(m.holder)
	case isPointer:
		text = copied("*" + text)
		k.recvType = c.core(m.holder.Underlying().(*types.Pointer).Elem())
	default:
		text = copied(text)
		k.recvType = c.core(m.holder)
	}
	if m.own == nil {
		k.callee = callee{name: m.name, on: text}
		return
	}
	k.callee = callee{name: c.function(m.own, m.args), own: true}
	k.recv = text
}

// methodValue is x.M as a value: the receiver is evaluated now.
func (c *compiler) methodValue(e *ast.SelectorExpr) string {
	m := c.method(c.typeOf(e.X), e.Sel.Name)
	k := &prepared{}
	c.receive(k, m, c.receiver(m, e.X))
	if isInterface(m.holder) {
		operand := k.recv
		if operand == "" {
			operand = k.callee.on
		}
		c.emit("%s", c.object("NotNil", operand))
	}
	held := c.hold(k)
	return c.temp(c.functionValue(m.sig, func(args []string) string { return c.callText(k, args) }, held...))
}

// callText is the text of a call of k with arguments that are the parameters of a closure.
func (c *compiler) callText(k *prepared, args []string) string {
	k.args = args
	k.spread = k.sig.Variadic() && !k.callee.own
	return k.text()
}

// methodExpression is T.M as a value: the receiver is the first parameter.
func (c *compiler) methodExpression(e *ast.SelectorExpr) string {
	recv := c.typeOf(e.X)
	m := c.method(recv, e.Sel.Name)
	sig := c.typeOf(e).Underlying().(*types.Signature)
	return c.temp(c.functionValue(sig, func(args []string) string {
		k := &prepared{}
		c.receive(k, m, args[0])
		return c.callText(k, args[1:])
	}))
}

// methodFunction is the name of a core function that calls a method of t with the receiver first, as interface values need
// it.
func (c *compiler) methodFunction(t types.Type, name string) string {
	m := c.method(t, name)
	_, isPointer := m.holder.Underlying().(*types.Pointer)
	if m.own != nil && len(m.path) == 0 && isPointer == m.pointer {
		return c.function(m.own, m.args)
	}
	k := "promoted " + c.key(t) + "." + name
	if f, ok := c.instances[k]; ok {
		return f
	}
	f := c.fresh("w_" + name)
	c.instances[k] = f
	pkg := c.pkg
	c.work = append(c.work, func() {
		c.pkg, c.origin = pkg, origin{}
		c.fn = newFunction(nil, nil)
		params := c.fresh("r") + " " + c.core(t)
		r := params[:len(params)-len(c.core(t))-1]
		var args []string
		for v := range m.sig.Params().Variables() {
			a := c.fresh("a")
			params += ", " + a + " " + c.core(v.Type())
			args = append(args, a)
		}
		if n := c.named(base(t)); n != nil && isPointer && !m.pointer && len(m.path) == 0 {
			c.emit("if %s == nil {", r)
			c.emit("%s", c.object("NilReceiver", fmt.Sprintf("%q", c.goName(n)+"."+name), fmt.Sprintf("%q", n.Obj().Name())))
			c.emit("}")
		}
		k := &prepared{}
		c.receive(k, m, r)
		text := c.callText(k, args)
		if m.sig.Results().Len() > 0 {
			text = "return " + text
		}
		c.emit("%s", text)
		lines := append([]line{{text: "func " + f + "(" + params + ")" + c.results(m.sig) + " {"}}, c.fn.lines...)
		c.output = append(c.output, append(lines, line{text: "}"}))
		c.fn = nil
	})
	return f
}
