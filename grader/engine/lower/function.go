package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// function is a core function being written: a function of the program, a closure of it, or the body of a loop over a
// function.
type function struct {
	parent   *function
	level    *level
	lines    []line
	locals   map[*types.Var]*local
	captures []*local
	captured map[*local]bool

	// owner is the source function that a return statement in here leaves.
	owner   *sourceFunction
	targets []*target // loops and switches around the statement being compiled
	rng     *rangeFunc
}

// sourceFunction is what return and defer need to know of the function they are in.
type sourceFunction struct {
	sig     *types.Signature
	results []*local // behind pointers when set by an inner core function; nil when plain return will do
	named   []*local // named results, nil if unnamed
	frame   *local   // *object.Frame when the function defers
	panics  *local   // *object.Panic when the function is a deferred literal that recovers
	at      *function
}

// local is a variable of the core. behind: the name is that of a pointer to it.
type local struct {
	name   string
	core   string
	behind bool
	in     *function
}

func (l *local) typeText() string {
	if l.behind {
		return "*" + l.core
	}
	return l.core
}

// reach makes l usable in the function being written, by capturing it through every function between.
func (c *compiler) reach(l *local) { c.fn.reach(l) }

func (f *function) reach(l *local) {
	if l.in == f || f.captured[l] {
		return
	}
	if f.parent == nil {
		panic("lower: variable " + l.name + " is out of reach")
	}
	f.parent.reach(l)
	f.captured[l] = true
	f.captures = append(f.captures, l)
}

// use is the text of a variable's value (and of the variable, on the left side of an assignment).
func (c *compiler) use(l *local) string {
	c.reach(l)
	if l.behind {
		return "(*" + l.name + ")"
	}
	return l.name
}

// pointer is the text of the variable's address; it must live behind a pointer.
func (c *compiler) pointer(l *local) string {
	c.reach(l)
	if !l.behind {
		panic("lower: " + l.name + " has no address")
	}
	return l.name
}

// local finds the core variable of a source variable.
func (c *compiler) local(v *types.Var) *local {
	for f := c.fn; f != nil; f = f.parent {
		if l, ok := f.locals[v]; ok {
			return l
		}
	}
	return nil
}

// newLocal makes a core variable that the caller declares.
func (c *compiler) newLocal(hint, core string, behind bool) *local {
	return &local{name: c.fresh(hint), core: core, behind: behind, in: c.fn}
}

// bind makes the core variable for a source variable; the caller declares it.
func (c *compiler) bind(v *types.Var) *local {
	hint := v.Name()
	if c.facts.behind[v] || !c.facts.assigned[v] {
		hint = "t_" + hint // assigned once, or a pointer that is: like a temporary
	}
	l := c.newLocal(hint, c.core(c.substitute(v.Type(), c.env)), c.facts.behind[v])
	c.fn.locals[v] = l
	return l
}

// declare declares a variable with its zero value.
func (c *compiler) declareZero(l *local) {
	if l.behind {
		c.emit("%s := new(%s)", l.name, l.core)
		return
	}
	c.emit("var %s %s", l.name, l.core)
}

// declareAs declares a variable with a value.
func (c *compiler) declareAs(l *local, value string) {
	if l.behind {
		c.emit("%s := new(%s)", l.name, l.core)
		c.emit("*%s = %s", l.name, value)
		return
	}
	if value == "nil" {
		c.emit("var %s %s", l.name, l.core)
		return
	}
	if !isTemp(l.name) {
		// The interpreter may define a slot that cannot be assigned afterwards.
		c.emit("var %s %s", l.name, l.core)
		c.emit("%s = %s", l.name, value)
		return
	}
	if !c.renames(l, value) {
		c.emit("%s := %s", l.name, value)
	}
}

// renames gives the temporary that was just made the name of the local that it is the value of.
func (c *compiler) renames(l *local, value string) bool {
	last := len(c.fn.lines) - 1
	if last < 0 || !isFresh(value) {
		return false
	}
	names, expr, ok := strings.Cut(c.fn.lines[last].text, " := ")
	if !ok {
		return false
	}
	list := strings.Split(names, ", ")
	i := slices.Index(list, value)
	if i < 0 {
		return false
	}
	list[i] = l.name
	c.fn.lines[last].text = strings.Join(list, ", ") + " := " + expr
	return true
}

func newFunction(parent *function, l *level) *function {
	return &function{parent: parent, level: l, locals: map[*types.Var]*local{}, captured: map[*local]bool{}}
}

// instanceKey identifies a function and its type arguments.
func (c *compiler) instanceKey(f *types.Func, args []types.Type) string {
	k := fmt.Sprintf("%p", f)
	for _, a := range args {
		k += "|" + c.key(a)
	}
	return k
}

// function is the core name of a function of the program, or of a method, for the given type arguments; it is compiled
// if it has not been.
func (c *compiler) function(f *types.Func, args []types.Type) string {
	k := c.instanceKey(f, args)
	if name, ok := c.instances[k]; ok {
		return name
	}
	d := c.functions[f]
	if d == nil {
		panic(fmt.Sprintf("lower: no source of %v", f))
	}
	hint := f.Name()
	if recv := f.Signature().Recv(); recv != nil {
		hint = "m_" + receiverName(recv.Type()) + "_" + hint
	} else {
		hint = "f_" + hint
	}
	name := c.fresh(hint)
	c.instances[k] = name
	env := environment{}
	params := f.Signature().TypeParams()
	if params.Len() == 0 {
		params = f.Signature().RecvTypeParams()
	}
	for i := range params.Len() {
		env[params.At(i)] = args[i]
	}
	c.queue(d, func() { c.compileFunction(name, d.pkg, d.decl, f.Signature(), env, false) })
	return name
}

func receiverName(t types.Type) string {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj().Name()
	}
	return ""
}

// deferredForm is the name of a function's second form, which takes the panic that recover in it stops: for functions
// that call recover and are deferred by name.
func (c *compiler) deferredForm(f *types.Func, args []types.Type) string {
	k := "deferred " + c.instanceKey(f, args)
	if name, ok := c.instances[k]; ok {
		return name
	}
	d := c.functions[f]
	name := c.fresh("d_" + f.Name())
	c.instances[k] = name
	env := environment{}
	params := f.Signature().TypeParams()
	if params.Len() == 0 {
		params = f.Signature().RecvTypeParams()
	}
	for i := range params.Len() {
		env[params.At(i)] = args[i]
	}
	c.queue(d, func() { c.compileFunction(name, d.pkg, d.decl, f.Signature(), env, true) })
	return name
}

// compileFunction writes a whole function. With deferred set its first parameter is the panic that is under way.
func (c *compiler) compileFunction(name string, p *Package, d *ast.FuncDecl, sig *types.Signature, env environment, deferred bool) {
	c.pkg, c.env = p, env
	c.at(d)
	if d.Body == nil {
		c.refuse(d, "no_body", "a function without a body cannot be run here", "write its body")
		return
	}
	c.checkGoto(d.Body)
	c.facts = c.analyse(d, sig)
	c.fn = newFunction(nil, c.facts.root)
	head := c.header(d.Recv, d.Type, sig, deferred)
	c.body(d.Body)
	lines := append([]line{{"func " + name + head + " {", c.place(d.Pos())}}, c.fn.lines...)
	c.output = append(c.output, append(lines, line{"}", c.place(d.End())}))
	c.fn = nil
}

// header binds receiver, parameters and results in the new function c.fn and returns the core text of both lists. What
// parameters need is emitted as the first lines.
func (c *compiler) header(recv *ast.FieldList, t *ast.FuncType, sig *types.Signature, deferred bool) string {
	owner := &sourceFunction{sig: c.substitute(sig, c.env).(*types.Signature), at: c.fn}
	c.fn.owner = owner
	var params []string
	if deferred {
		owner.panics = c.newLocal("recovering", "*"+c.objectName("Panic"), false)
		params = append(params, owner.panics.name+" "+owner.panics.core)
	}
	param := func(name *ast.Ident, core string) {
		var v *types.Var
		if name != nil && name.Name != "_" {
			v = c.pkg.Info.Defs[name].(*types.Var)
		}
		if v == nil {
			params = append(params, c.fresh("unused")+" "+core)
			return
		}
		if c.facts.behind[v] {
			in := c.fresh("in_" + v.Name())
			params = append(params, in+" "+core)
			l := c.bind(v)
			c.declareAs(l, in)
			return
		}
		l := c.bind(v)
		params = append(params, l.name+" "+core)
	}
	for _, list := range []*ast.FieldList{recv, t.Params} {
		if list == nil {
			continue
		}
		for _, f := range list.List {
			core := c.core(c.typeOf(f.Type))
			if ellipsis, ok := f.Type.(*ast.Ellipsis); ok {
				core = "[]" + c.core(c.typeOf(ellipsis.Elt))
			}
			if len(f.Names) == 0 {
				param(nil, core)
			}
			for _, name := range f.Names {
				param(name, core)
			}
		}
	}
	c.bindResults(t, owner)
	return "(" + strings.Join(params, ", ") + ")" + c.results(owner.sig)
}

// bindResults declares the results that need variables. The core's results are never named: the interpreter neither
// zeroes named ones nor keeps them apart from the caller's variables.
func (c *compiler) bindResults(t *ast.FuncType, owner *sourceFunction) {
	if t.Results == nil {
		return
	}
	shared := c.fn.level.defers || c.fn.level.rangeReturns
	for _, f := range t.Results.List {
		for _, name := range f.Names {
			if name.Name == "_" {
				l := c.newLocal("blank", c.core(c.typeOf(f.Type)), shared)
				c.declareZero(l)
				owner.named = append(owner.named, l)
				continue
			}
			v := c.pkg.Info.Defs[name].(*types.Var)
			if shared {
				c.facts.behind[v] = true
			}
			c.facts.assigned[v] = true
			l := c.bind(v)
			c.declareZero(l)
			owner.named = append(owner.named, l)
		}
	}
	if owner.named != nil {
		owner.results = owner.named
		return
	}
	if shared {
		for v := range owner.sig.Results().Variables() {
			l := c.newLocal("result", c.core(v.Type()), true)
			c.declareZero(l)
			owner.results = append(owner.results, l)
		}
	}
}

// body writes a function's statements. One that defers runs as a closure under object.Run, which keeps the deferred
// calls: the interpreter loses them when one panics, evaluates their arguments late, and locks up when they call each other.
func (c *compiler) body(b *ast.BlockStmt) {
	owner := c.fn.owner
	if !c.fn.level.defers {
		c.block(b)
		c.finish(owner)
		return
	}
	inner := newFunction(c.fn, c.fn.level.inner)
	inner.owner = owner
	c.fn = inner
	owner.frame = c.newLocal("frame", "*"+c.objectName("Frame"), false)
	c.block(b)
	closure := c.closure(inner, "("+owner.frame.name+" "+owner.frame.core+")", "")
	c.emit("%s", c.object("Run", c.temp(closure)))
	c.returnResults(owner)
}

// finish ends a function whose last statement may not return.
func (c *compiler) finish(owner *sourceFunction) {
	if owner.sig.Results().Len() == 0 {
		return
	}
	if n := len(c.fn.lines); n > 0 && strings.HasPrefix(strings.TrimSpace(c.fn.lines[n-1].text), "return ") {
		return
	}
	c.emit("panic(%q)", "unreachable")
}

func (c *compiler) returnResults(owner *sourceFunction) {
	if len(owner.results) == 0 {
		return
	}
	var list []string
	for _, r := range owner.results {
		list = append(list, c.use(r))
	}
	c.emit("return %s", strings.Join(list, ", "))
}

// closure ends the function inner, makes its parent current again, and writes the top-level function that takes what
// inner captures and returns it as a closure. The result is the text of the call that makes the closure.
func (c *compiler) closure(inner *function, params, results string) string {
	maker := c.fresh("L")
	var takes, gives []string
	for _, l := range inner.captures {
		takes = append(takes, l.name+" "+l.typeText())
		gives = append(gives, l.name)
	}
	from := c.origin
	lines := []line{
		{fmt.Sprintf("func %s(%s) func%s%s {", maker, strings.Join(takes, ", "), params, results), from},
		{fmt.Sprintf("\treturn func%s%s {", params, results), from},
	}
	lines = append(lines, inner.lines...)
	lines = append(lines, line{"\t}", from}, line{"}", from})
	c.output = append(c.output, lines)
	c.fn = inner.parent
	return maker + "(" + strings.Join(gives, ", ") + ")"
}

// literal is the text that makes the closure of a function literal.
func (c *compiler) literal(e *ast.FuncLit, deferred bool) string {
	sig := c.pkg.Info.TypeOf(e).(*types.Signature)
	origin := c.origin
	inner := newFunction(c.fn, c.facts.levels[e])
	c.fn = inner
	c.at(e)
	head := c.header(nil, e.Type, sig, deferred)
	c.body(e.Body)
	c.origin = origin
	return c.closure(inner, head, "")
}

// functionValue is the text that makes a value of a function known by name: a closure that calls it. call is the text of
// the function with what precedes its arguments ("f_3(" or "m_T_M(recv, "); captures are the locals that call mentions.
func (c *compiler) functionValue(sig *types.Signature, call func(args []string) string, captures ...*local) string {
	inner := newFunction(c.fn, nil)
	c.fn = inner
	for _, l := range captures {
		c.reach(l)
	}
	var params, args []string
	for v := range sig.Params().Variables() {
		name := c.fresh("a")
		params = append(params, name+" "+c.core(v.Type()))
		args = append(args, name)
	}
	text := call(args)
	if sig.Results().Len() > 0 {
		c.emit("return %s", text)
	} else {
		c.emit("%s", text)
	}
	return c.closure(inner, "("+strings.Join(params, ", ")+")", c.results(sig))
}
