package lower

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strings"
)

// Calls of compiled functions that look into interface values by reflection, and so must know what a box is.

// rawArguments are functions that get what a box holds, not the box: they only look at the plain Go value.
var rawArguments = map[string]bool{
	"sort.Slice": true, "sort.SliceStable": true, "sort.SliceIsSorted": true,
	"encoding/binary.Write": true, "encoding/binary.Read": true, "encoding/binary.Size": true,
	ObjectPath + ".Sort": true,
	"fmt.Sscan":          true, "fmt.Sscanf": true, "fmt.Sscanln": true, "fmt.Fscan": true, "fmt.Fscanf": true,
	"fmt.Fscanln": true, "fmt.Scan": true, "fmt.Scanf": true, "fmt.Scanln": true,
}

// formatted are functions with a format, and the place of it among the arguments.
var formatted = map[string]int{
	"fmt.Printf": 0, "fmt.Sprintf": 0, "fmt.Errorf": 0, "fmt.Fprintf": 1, "fmt.Appendf": 1,
	"log.Printf": 0, "log.Fatalf": 0, "log.Panicf": 0,
}

// compiledFunction is the compiled function that a call names, with its full name: "path.Name" or "path.Type.Name".
func (c *compiler) compiledFunction(e *ast.CallExpr) (*types.Func, string) {
	id := calleeName(e.Fun)
	if id == nil {
		return nil, ""
	}
	f, ok := c.pkg.Info.Uses[id].(*types.Func)
	if !ok || f.Pkg() == nil || c.own[f.Pkg()] != nil {
		return nil, ""
	}
	name := f.Pkg().Path() + "."
	if recv := f.Signature().Recv(); recv != nil {
		name += receiverName(recv.Type()) + "."
	}
	return f, name + f.Name()
}

// withHeldArguments evaluates the arguments of a call and returns the same call on variables that hold them.
func (c *compiler) withHeldArguments(e *ast.CallExpr) *ast.CallExpr {
	held := *e
	held.Args = nil
	hold := func(a ast.Expr) ast.Expr {
		if c.pkg.Info.Types[a].Value != nil || c.isNil(a) {
			return a
		}
		t := c.typeOf(a)
		id := &ast.Ident{NamePos: a.Pos(), Name: "held"}
		v := types.NewVar(a.Pos(), c.pkg.Types, id.Name, t)
		c.pkg.Info.Uses[id], c.pkg.Info.Types[id] = v, types.TypeAndValue{Type: t}
		l := c.newLocal("t_held", c.core(t), false)
		c.declareAs(l, c.expr(a))
		c.fn.locals[v] = l
		return id
	}
	for _, a := range e.Args {
		held.Args = append(held.Args, hold(a))
	}
	if sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok && c.pkg.Info.Selections[sel] != nil && !c.method(c.typeOf(sel.X), sel.Sel.Name).addresses(c) {
		on := *sel
		on.X = hold(sel.X)
		c.pkg.Info.Selections[&on], c.pkg.Info.Types[&on] = c.pkg.Info.Selections[sel], c.pkg.Info.Types[sel]
		held.Fun = &on
	}
	c.pkg.Info.Types[&held] = c.pkg.Info.Types[e]
	return &held
}

func (c *compiler) isSpecial(e *ast.CallExpr) bool {
	_, name := c.compiledFunction(e)
	switch name {
	case "errors.As", "errors.AsType", "encoding/json.Unmarshal", "encoding/json.Decoder.Decode", "reflect.DeepEqual",
		"encoding/json.Marshal", "encoding/json.MarshalIndent", "encoding/json.Encoder.Encode":
		return true
	}
	return rawArguments[name] || c.needsFormat(e, name)
}

// special writes the calls that are not plain ones; ok is false for all others.
func (c *compiler) special(e *ast.CallExpr, n int) (values []string, from []types.Type, ok bool) {
	f, name := c.compiledFunction(e)
	if f == nil {
		return nil, nil, false
	}
	c.refuseCall(e, f, name)
	boolean := []types.Type{types.Typ[types.Bool]}
	if f.Signature().Recv() != nil {
		if sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok && c.pkg.Info.Selections[sel] != nil {
			m := c.method(c.typeOf(sel.X), sel.Sel.Name)
			if n := c.atomicPointer(base(m.holder)); n != nil {
				values, from = c.atomicCall(e, sel, m, n)
				return values, from, true
			}
		}
	}
	switch name {
	case "errors.Is":
		err := c.value(e.Args[0], f.Signature().Params().At(0).Type())
		target := c.value(e.Args[1], f.Signature().Params().At(1).Type())
		return []string{c.temp(c.object("Is", err, target))}, boolean, true
	case "errors.As":
		if ptr, isPointer := c.typeOf(e.Args[1]).Underlying().(*types.Pointer); isPointer {
			err := c.value(e.Args[0], c.typeOf(e.Args[0]))
			p := c.keep(c.expr(e.Args[1]))
			return []string{c.temp(c.object("As", err, c.target(ptr.Elem()), p, c.pointerType(ptr.Elem())))}, boolean, true
		}
		c.refuse(e.Args[1], "errors_as", "errors.As with a target that is not seen to be a pointer cannot be run here", "pass &target")
		return []string{"false"}, boolean, true
	case "errors.AsType":
		t := c.instanceArgs(calleeName(e.Fun))[0]
		err := c.value(e.Args[0], f.Signature().Params().At(0).Type())
		v := c.variable(c.core(t))
		found := c.temp(c.object("As", err, c.target(t), "&"+v, c.pointerType(t)))
		return []string{v, found}, []types.Type{t, types.Typ[types.Bool]}, true
	case "reflect.DeepEqual":
		anything := types.NewInterfaceType(nil, nil)
		x, y := c.value(e.Args[0], anything), c.value(e.Args[1], anything)
		return []string{c.temp(c.object("DeepEqual", x, y))}, boolean, true
	case "encoding/json.Unmarshal":
		data := c.value(e.Args[0], f.Signature().Params().At(0).Type())
		return c.decode(e, e.Args[1], f, func(v string) string {
			return c.object("Unmarshal", data, v)
		})
	case "encoding/json.Decoder.Decode":
		sel := ast.Unparen(e.Fun).(*ast.SelectorExpr)
		m := c.method(c.typeOf(sel.X), sel.Sel.Name)
		if len(m.path) == 0 {
			d := c.keep(c.receiver(m, sel.X))
			return c.decode(e, e.Args[0], f, func(v string) string { return c.object("Decode", d, v) })
		}
	}
	switch name {
	case "encoding/json.Marshal", "encoding/json.MarshalIndent", "encoding/json.Encoder.Encode":
		k := c.prepare(e, false)
		values, from = k.emit(c, k.sig.Results().Len())
		last := len(values) - 1
		values[last] = c.temp(c.object("EncodingError", values[last]))
		return values, from, true
	}
	if rawArguments[name] {
		k := c.prepareRaw(e)
		values, from = k.emit(c, n)
		return values, from, true
	}
	if c.needsFormat(e, name) {
		return c.formatCall(e, f, name, n)
	}
	return nil, nil, false
}

// pointerType is the descriptor of a pointer to t, in which an error's own method As gets its target; nil for plain types.
func (c *compiler) pointerType(t types.Type) string {
	if p := types.NewPointer(t); c.boxed(p) {
		c.inInterface(p)
		return c.descriptor(p)
	}
	return "nil"
}

func base(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// atomicCall writes a method call on an atomic.Pointer[T].
func (c *compiler) atomicCall(e *ast.CallExpr, sel *ast.SelectorExpr, m *method, n *types.Named) ([]string, []types.Type) {
	k := &prepared{}
	c.receive(k, m, c.receiver(m, sel.X))
	var args []string
	for i, a := range e.Args {
		args = append(args, c.value(a, m.sig.Params().At(i).Type()))
	}
	text := k.callee.on + "." + m.name + "(" + strings.Join(args, ", ") + ")"
	if m.sig.Results().Len() == 0 {
		c.emit("%s", text)
		return nil, nil
	}
	t := m.sig.Results().At(0).Type()
	if m.name == "CompareAndSwap" {
		return []string{c.temp(text)}, []types.Type{t}
	}
	v := c.variable(c.core(t))
	c.emit("%s", c.object("Unwrap", c.temp(text), "&"+v))
	return []string{v}, []types.Type{t}
}

// decode writes a call that decodes JSON into a pointer.
func (c *compiler) decode(e *ast.CallExpr, target ast.Expr, f *types.Func, call func(v string) string) ([]string, []types.Type, bool) {
	if c.hasHidden(c.typeOf(target), map[string]bool{}) {
		c.refuse(target, "recursive_type", "JSON cannot be decoded into a type that refers to itself through another here", "decode into a type of its own, then build this one")
	}
	v := c.value(target, types.NewInterfaceType(nil, nil))
	return []string{c.temp(call(v))}, []types.Type{f.Signature().Results().At(0).Type()}, true
}

// hasHidden reports whether values of t hold fields in anys, whose types decoding cannot know.
func (c *compiler) hasHidden(t types.Type, seen map[string]bool) bool {
	if k := c.key(t); seen[k] {
		return false
	} else {
		seen[k] = true
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		if c.compiledNamed(t) != nil {
			return false
		}
		n := c.named(t)
		for f := range u.Fields() {
			if n != nil && c.hidden(n, f.Type()) || c.hasHidden(f.Type(), seen) {
				return true
			}
		}
	case *types.Pointer:
		return c.hasHidden(u.Elem(), seen)
	case *types.Slice:
		return c.hasHidden(u.Elem(), seen)
	case *types.Array:
		return c.hasHidden(u.Elem(), seen)
	case *types.Map:
		return c.hasHidden(u.Elem(), seen)
	}
	return false
}

// prepareRaw evaluates the arguments of a call without boxing them.
func (c *compiler) prepareRaw(e *ast.CallExpr) *prepared {
	fun := ast.Unparen(e.Fun)
	k := &prepared{sig: c.typeOf(fun).Underlying().(*types.Signature)}
	f, _ := c.compiledFunction(e)
	k.callee = callee{name: c.importName(f.Pkg().Path()) + "." + f.Name()}
	for i, a := range e.Args {
		to := k.sig.Params().At(min(i, k.sig.Params().Len()-1)).Type()
		if k.sig.Variadic() && i >= k.sig.Params().Len()-1 && !e.Ellipsis.IsValid() {
			to = to.(*types.Slice).Elem()
		}
		from := c.typeOf(a)
		var text string
		switch {
		case c.openInterface(to) && !isInterface(from) && !c.isNil(a) && c.pkg.Info.Types[a].Value == nil:
			text = c.addressed(c.expr(a), from)
		case c.openInterface(to) && isInterface(from):
			text = c.temp(c.object("Raw", c.expr(a)))
		default:
			text, _ = c.argumentExpr(a, to, false)
		}
		k.args = append(k.args, text)
	}
	k.spread = e.Ellipsis.IsValid()
	return k
}

// needsFormat reports whether a call has a format that shows types or addresses, which package object must put in.
func (c *compiler) needsFormat(e *ast.CallExpr, name string) bool {
	at, ok := formatted[name]
	if !ok || at >= len(e.Args) {
		return false
	}
	if _, ok := c.typeOf(e.Args[0]).(*types.Tuple); ok {
		return false
	}
	tv := c.pkg.Info.Types[e.Args[at]]
	if tv.Value == nil {
		return true
	}
	return showsType(constant.StringVal(tv.Value))
}

// showsType reports whether a format has a verb %T or %p.
func showsType(format string) bool {
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		i++
		for i < len(format) && strings.IndexByte("+-# 0123456789.*[]", format[i]) >= 0 {
			i++
		}
		if i < len(format) && (format[i] == 'T' || format[i] == 'p') {
			return true
		}
	}
	return false
}

// formatCall writes a formatted call whose format and arguments are prepared by package object.
func (c *compiler) formatCall(e *ast.CallExpr, f *types.Func, name string, n int) ([]string, []types.Type, bool) {
	at := formatted[name]
	anything := types.NewInterfaceType(nil, nil)
	var head []string
	for i := range at {
		text, _ := c.argumentExpr(e.Args[i], f.Signature().Params().At(i).Type(), false)
		head = append(head, text)
	}
	format := c.keep(c.value(e.Args[at], types.Typ[types.String]))
	list := c.fresh("t")
	if e.Ellipsis.IsValid() {
		c.emit("%s := %s", list, c.expr(e.Args[len(e.Args)-1]))
	} else {
		var parts []string
		for _, a := range e.Args[at+1:] {
			parts = append(parts, c.simple(c.value(a, anything)))
		}
		c.emit("var %s []any", list)
		if len(parts) > 0 {
			c.emit("%s = []any{%s}", list, strings.Join(parts, ", "))
		}
	}
	formatText, args := c.fresh("t"), c.fresh("t")
	c.emit("%s, %s := %s", formatText, args, c.object("Format", format, list))
	k := &prepared{sig: f.Signature(), callee: callee{name: c.importName(f.Pkg().Path()) + "." + f.Name()}, spread: true}
	k.args = append(head, formatText, args)
	values, from := k.emit(c, n)
	return values, from, true
}

// refuseCall refuses calls of compiled functions that would see boxes for what they are.
func (c *compiler) refuseCall(e *ast.CallExpr, f *types.Func, name string) {
	switch f.Pkg().Path() {
	case "reflect":
		if name == "reflect.DeepEqual" {
			return
		}
		for _, a := range e.Args {
			if t := c.typeOf(a); isInterface(t) || c.boxed(t) {
				c.refuse(e, "reflect", "reflection on this value cannot be run here", "use a type switch or fmt's %T")
				return
			}
		}
	case "text/template", "html/template", "encoding/gob", "encoding/xml":
		for _, a := range e.Args {
			if t := c.typeOf(a); !isInterface(t) && c.boxed(t) {
				c.refuse(a, "reflect", f.Pkg().Name()+" cannot look into types declared here", "pass a map[string]any of plain values")
				return
			}
		}
	}
}
