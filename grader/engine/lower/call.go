package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// callee is what a call calls, by core text.
type callee struct {
	name  string
	on    string // for a method of a compiled type or interface: the operand it is called on
	own   bool   // a function of the core: its variadic parameter is a slice
	value bool   // name is a variable that holds a function
	// takesPanic: the function is a deferred literal, which takes the panic that it may stop first.
	takesPanic bool
}

// prepared is a call whose operands are evaluated.
type prepared struct {
	sig      *types.Signature
	callee   callee
	recv     string // first argument of a method of the program, "" if none
	recvType string // its core type
	args     []string
	argTypes []string      // their core types
	late     bool          // the receiver is a value that has still to be copied, after the arguments are read
	spread   bool          // the last argument goes with ...
	builtin  string        // a built-in function's name
	object   types.Object  // what is called, if it is compiled
	named    ast.Node      // how the source names it
	withForm string        // name of the deferred form, which takes the panic first
	special  *ast.CallExpr // a call that special writes, its arguments held in variables
}

// call writes a call and returns its values: n of them are wanted.
func (c *compiler) call(e *ast.CallExpr, n int) ([]string, []types.Type) {
	fun := ast.Unparen(e.Fun)
	if tv := c.pkg.Info.Types[fun]; tv.IsType() {
		return []string{c.conversion(e)}, []types.Type{c.typeOf(e)}
	}
	if b := c.builtinOf(fun); b != nil {
		return c.builtin(e, b.Name(), n)
	}
	if values, from, ok := c.special(e, n); ok {
		return values, from
	}
	k := c.prepare(e, false)
	return k.emit(c, n)
}

func (c *compiler) builtinOf(fun ast.Expr) *types.Builtin {
	var id *ast.Ident
	switch fun := fun.(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	default:
		return nil
	}
	b, _ := c.pkg.Info.Uses[id].(*types.Builtin)
	return b
}

// emit writes the call now.
func (k *prepared) emit(c *compiler, n int) ([]string, []types.Type) {
	defer c.atName(k)()
	text := k.text()
	results := k.sig.Results()
	from := make([]types.Type, results.Len())
	for i := range from {
		from[i] = results.At(i).Type()
	}
	if n == 0 || results.Len() == 0 {
		c.emit("%s", text)
		return nil, nil
	}
	values := make([]string, len(from))
	for i := range values {
		values[i] = c.fresh("t")
	}
	c.emit("%s := %s", strings.Join(values, ", "), text)
	return values, from
}

// hold keeps the operands of a call in locals that a closure may capture.
func (c *compiler) hold(k *prepared) []*local {
	var held []*local
	keep := func(text, core string) string {
		if text == "" || isConstant(text) && text != "nil" {
			return text
		}
		l := c.newLocal("held", core, false)
		c.emit("var %s %s", l.name, core)
		c.emit("%s = %s", l.name, text)
		held = append(held, l)
		return l.name
	}
	if k.callee.value {
		core := "func" + c.signature(k.sig)
		if k.callee.takesPanic {
			core = "func(*" + c.objectName("Panic") + ", " + core[len("func("):]
		}
		k.callee.name = keep(k.callee.name, core)
	}
	if k.callee.on != "" {
		k.callee.on = keep(k.callee.on, k.recvType)
	}
	k.recv = keep(k.recv, k.recvType)
	for i := range k.args {
		k.args[i] = keep(k.args[i], k.argTypes[i])
	}
	return held
}

// later writes the call inside the closure that delays it. panics is the panic that a deferred call may stop.
func (k *prepared) later(c *compiler, panics *local) {
	if k.builtin != "" {
		c.delayedBuiltin(k, panics)
		return
	}
	if k.special != nil {
		c.special(k.special, 0)
		return
	}
	defer c.atName(k)()
	if k.callee.takesPanic {
		c.emit("%s(%s)", k.callee.name, strings.Join(append([]string{panics.name}, k.args...), ", "))
		return
	}
	if k.withForm != "" && panics != nil {
		c.emit("%s(%s)", k.withForm, strings.Join(append([]string{panics.name}, k.all()...), ", "))
		return
	}
	c.emit("%s", k.text())
}

func (k *prepared) all() []string {
	if k.recv != "" {
		return append([]string{k.recv}, k.args...)
	}
	return k.args
}

func (k *prepared) text() string {
	args := strings.Join(k.all(), ", ")
	if k.spread {
		args += "..."
	}
	name := k.callee.name
	if k.callee.on != "" {
		name = k.callee.on + "." + name
	}
	return name + "(" + args + ")"
}

// callee finds the core function for a declared function.
func (c *compiler) callee(f *types.Func, args []types.Type) callee {
	if c.own[f.Pkg()] != nil {
		return callee{name: c.function(f.Origin(), args), own: true}
	}
	if own := c.fromLibrary(f); own != nil {
		return callee{name: c.function(own, args), own: true}
	}
	if f.Signature().TypeParams().Len() > 0 {
		c.refuseHere("not_offered", fmt.Sprintf("%s.%s cannot be run here", f.Pkg().Name(), f.Name()), "write a loop")
	}
	return callee{name: c.importName(f.Pkg().Path()) + "." + f.Name()}
}

// prepare evaluates function, receiver and arguments of a call, in order. With delay set they are held in
// temporaries that a closure captures.
func (c *compiler) prepare(e *ast.CallExpr, deferred bool) *prepared {
	fun := ast.Unparen(e.Fun)
	k := &prepared{}
	if b := c.builtinOf(fun); b != nil {
		return c.prepareBuiltin(e, b.Name())
	}
	k.sig = c.typeOf(fun).Underlying().(*types.Signature)
	switch f := fun.(type) {
	case *ast.FuncLit:
		k.callee = callee{name: c.temp(c.literal(f, deferred)), own: true, value: true, takesPanic: deferred}
	case *ast.Ident:
		c.prepareNamed(k, f, fun, deferred)
	case *ast.IndexExpr, *ast.IndexListExpr:
		if id := calleeName(f); id != nil {
			if _, ok := c.pkg.Info.Uses[id].(*types.Func); ok {
				c.prepareNamed(k, id, fun, deferred)
				break
			}
		}
		k.callee = callee{name: c.keep(c.operand(fun)), own: true, value: true}
	case *ast.SelectorExpr:
		c.prepareSelector(k, f, deferred)
	default:
		k.callee = callee{name: c.keep(c.operand(fun)), own: true, value: true}
	}
	c.arguments(k, e)
	if k.late {
		k.recv = c.temp(k.recv)
	}
	return k
}

func (c *compiler) prepareNamed(k *prepared, id *ast.Ident, fun ast.Expr, deferred bool) {
	f, ok := c.pkg.Info.Uses[id].(*types.Func)
	if !ok {
		k.callee = callee{name: c.keep(c.operand(fun)), own: true, value: true}
		return
	}
	args := c.instanceArgs(id)
	k.callee = c.callee(f, args)
	k.object, k.named = f, fun
	if deferred && k.callee.own {
		if d := c.functions[f.Origin()]; d != nil && c.callsRecover(d) {
			k.withForm = c.deferredForm(f.Origin(), args)
		}
	}
}

// callsRecover reports whether a function's own body, literals left out, calls recover.
func (c *compiler) callsRecover(d *declaration) bool {
	found := false
	if d.decl.Body == nil {
		return false
	}
	ast.Inspect(d.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "recover" {
				_, found = d.pkg.Info.Uses[id].(*types.Builtin)
			}
		}
		return !found
	})
	return found
}

func (c *compiler) prepareSelector(k *prepared, e *ast.SelectorExpr, deferred bool) {
	s := c.pkg.Info.Selections[e]
	if s == nil {
		c.prepareNamed(k, e.Sel, e, deferred)
		return
	}
	if s.Kind() == types.FieldVal {
		k.callee = callee{name: c.keep(c.operand(e)), own: true, value: true}
		return
	}
	if s.Kind() == types.MethodExpr {
		k.callee = callee{name: c.expr(e), own: true, value: true}
		return
	}
	m := c.method(c.typeOf(e.X), e.Sel.Name)
	k.object, k.named = m.object, e
	k.late = true
	c.receive(k, m, c.receiver(m, e.X))
	if deferred && m.own != nil {
		if d := c.functions[m.own]; d != nil && c.callsRecover(d) {
			k.withForm = c.deferredForm(m.own, m.args)
		}
	}
}

// atName puts what is emitted until the returned function is called down to the line of the name that a call names, when it is
// a call into a supplied package: a statement may have several such calls, each on a line of its own.
func (c *compiler) atName(k *prepared) (restore func()) {
	if !c.takesPlain(k.object) || c.std != nil && c.std.holds(c.pkg) {
		return func() {}
	}
	saved := c.origin
	named := k.named.Pos()
	if s, ok := k.named.(*ast.SelectorExpr); ok {
		named = s.Sel.Pos()
	}
	c.origin = c.place(named)
	return func() { c.origin = saved }
}
