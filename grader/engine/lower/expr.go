package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// Expressions. Calls, receives and conversions to interfaces become statements that set temporaries, in Go's order;
// what remains is text that is evaluated where it stands, as the compiler does with operands that are not calls.

// typeOf is the type of an expression, without type parameters.
func (c *compiler) typeOf(e ast.Expr) types.Type {
	t := c.pkg.Info.TypeOf(e)
	if t == nil {
		panic(fmt.Sprintf("no type of %T", e))
	}
	return c.substitute(t, c.env)
}

// expr is the text of a single value, of the core type of e's type.
func (c *compiler) expr(e ast.Expr) string {
	if tv := c.pkg.Info.Types[e]; tv.Value != nil {
		t := c.typeOf(e)
		if isInterface(t) {
			t = types.Default(c.substitute(constantType(tv), c.env))
		}
		return c.constantText(tv.Value, t)
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return c.expr(e.X)
	case *ast.Ident:
		return c.identifier(e, e)
	case *ast.FuncLit:
		return c.temp(c.literal(e, false))
	case *ast.CompositeLit:
		return c.composite(e, c.typeOf(e))
	case *ast.SelectorExpr:
		return c.selector(e)
	case *ast.IndexExpr:
		return c.indexed(e)
	case *ast.IndexListExpr:
		return c.identifier(calleeName(e), e)
	case *ast.SliceExpr:
		return c.sliced(e)
	case *ast.StarExpr:
		return "(*" + c.keep(c.operand(e.X)) + ")"
	case *ast.UnaryExpr:
		return c.unary(e)
	case *ast.BinaryExpr:
		return c.binary(e)
	case *ast.CallExpr:
		values, _ := c.call(e, 1)
		return values[0]
	case *ast.TypeAssertExpr:
		t := c.typeOf(e.Type)
		x := c.value(e.X, c.typeOf(e.X))
		v := c.variable(c.core(t))
		c.emit("%s", c.object("Assert", x, c.target(t), "&"+v, fmt.Sprintf("%q", c.goName(c.typeOf(e.X)))))
		return v
	}
	panic(fmt.Sprintf("expression %T", e))
}

// constantType is the type of a constant that stands in an interface context.
func constantType(tv types.TypeAndValue) types.Type { return tv.Type }

// calleeName is the identifier of a generic function that is instantiated explicitly.
func calleeName(e ast.Expr) *ast.Ident {
	switch e := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		return calleeName(e.X)
	case *ast.IndexListExpr:
		return calleeName(e.X)
	case *ast.SelectorExpr:
		return e.Sel
	case *ast.Ident:
		return e
	}
	return nil
}

// operand is expr for a value that an operation of its underlying type is applied to.
func (c *compiler) operand(e ast.Expr) string {
	t := c.typeOf(e)
	text := c.expr(e)
	if !isInterface(t) && c.core(t) == "any" {
		v := c.variable(c.core(t.Underlying()))
		c.emit("%s", c.object("Unwrap", text, "&"+v))
		return v
	}
	return text
}

// tuple is the values of an expression that has several, with their types.
func (c *compiler) tuple(e ast.Expr) ([]string, []types.Type) {
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		tuple := c.typeOf(e).(*types.Tuple)
		return c.call(e, tuple.Len())
	case *ast.TypeAssertExpr:
		t := c.typeOf(e.Type)
		x := c.value(e.X, c.typeOf(e.X))
		v := c.variable(c.core(t))
		ok := c.temp(c.object("TryAssert", x, c.target(t), "&"+v))
		return []string{v, ok}, []types.Type{t, types.Typ[types.Bool]}
	case *ast.IndexExpr:
		m := c.typeOf(e.X).Underlying().(*types.Map)
		base := c.operand(e.X)
		key := c.value(e.Index, m.Key())
		v, ok := c.fresh("t"), c.fresh("t")
		c.emit("%s, %s := %s[%s]", v, ok, base, key)
		return []string{v, ok}, []types.Type{m.Elem(), types.Typ[types.Bool]}
	case *ast.UnaryExpr:
		ch := c.keep(c.operand(e.X))
		v, ok := c.fresh("t"), c.fresh("t")
		c.emit("%s, %s := <-%s", v, ok, ch)
		return []string{v, ok}, []types.Type{c.typeOf(e.X).Underlying().(*types.Chan).Elem(), types.Typ[types.Bool]}
	}
	panic(fmt.Sprintf("several values of %T", e))
}

// effect evaluates an expression statement.
func (c *compiler) effect(e ast.Expr) {
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		c.call(e, 0)
	case *ast.UnaryExpr:
		ch := c.keep(c.operand(e.X))
		c.emit("<-%s", ch)
	default:
		c.keep(c.expr(e))
	}
}

// identifier is the text of a variable, nil, or a function as value. e is the expression that instantiates it.
func (c *compiler) identifier(id *ast.Ident, e ast.Expr) string {
	switch obj := c.pkg.Info.ObjectOf(id).(type) {
	case *types.Nil:
		return "nil"
	case *types.Var:
		return c.variableText(obj)
	case *types.Func:
		return c.funcValue(obj, c.instanceArgs(id), c.typeOf(e).Underlying().(*types.Signature))
	}
	panic("identifier " + id.Name)
}

// instanceArgs is the type arguments that a generic function's name is used with.
func (c *compiler) instanceArgs(id *ast.Ident) []types.Type {
	inst, ok := c.pkg.Info.Instances[id]
	if !ok {
		return nil
	}
	var args []types.Type
	for t := range inst.TypeArgs.Types() {
		args = append(args, c.substitute(t, c.env))
	}
	return args
}

func (c *compiler) variableText(v *types.Var) string {
	if l := c.local(v); l != nil {
		return c.use(l)
	}
	if c.own[v.Pkg()] != nil {
		return c.global(v)
	}
	return c.importName(v.Pkg().Path()) + "." + v.Name()
}

// funcValue is a value of a declared function.
func (c *compiler) funcValue(f *types.Func, args []types.Type, sig *types.Signature) string {
	callee := c.callee(f, args)
	return c.temp(c.functionValue(sig, func(args []string) string {
		if sig.Variadic() && !callee.own {
			args[len(args)-1] += "..."
		}
		return callee.name + "(" + strings.Join(args, ", ") + ")"
	}))
}

func (c *compiler) selector(e *ast.SelectorExpr) string {
	s := c.pkg.Info.Selections[e]
	if s == nil {
		return c.identifier(e.Sel, e)
	}
	switch s.Kind() {
	case types.FieldVal:
		recv := c.typeOf(e.X)
		base := c.operand(e.X)
		return c.field(base, recv, c.fieldPath(recv, e))
	case types.MethodVal:
		return c.methodValue(e)
	default:
		return c.methodExpression(e)
	}
}

// fieldPath is the path of a selected field from the type of the operand.
func (c *compiler) fieldPath(recv types.Type, e *ast.SelectorExpr) []int {
	obj, path, _ := types.LookupFieldOrMethod(recv, true, c.pkg.Types, e.Sel.Name)
	if obj == nil {
		s := c.pkg.Info.Selections[e]
		return s.Index()
	}
	return path
}

// fields is the text of a field at the end of a path from base, of type t. Embedded fields are named: the core has no
// promotion.
func (c *compiler) fields(base string, t types.Type, path []int) (string, types.Type) {
	for at, i := range path {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		u := t.Underlying().(*types.Struct)
		name := u.Field(i).Name()
		if c.coreStruct(t) {
			name = fieldName(u, i)
		}
		base += "." + name
		if n := c.named(t); n != nil && at < len(path)-1 && c.hidden(n, u.Field(i).Type()) {
			v := c.variable(c.core(u.Field(i).Type()))
			c.emit("%s", c.object("Unwrap", base, "&"+v))
			base = v
		}
		t = u.Field(i).Type()
	}
	return base, t
}

// field is the value of the field at the end of a path.
func (c *compiler) field(base string, t types.Type, path []int) string {
	text, ft := c.fields(base, t, path)
	if c.hiddenAt(t, path) {
		v := c.variable(c.core(ft))
		c.emit("%s", c.object("Unwrap", text, "&"+v))
		return v
	}
	return text
}

// hiddenAt reports whether the field at the end of a path is a hidden one.
func (c *compiler) hiddenAt(t types.Type, path []int) bool {
	last := len(path) - 1
	holder := fieldType(t, path[:last])
	if p, ok := holder.Underlying().(*types.Pointer); ok {
		holder = p.Elem()
	}
	n := c.named(holder)
	return n != nil && c.hidden(n, holder.Underlying().(*types.Struct).Field(path[last]).Type())
}

// coreStruct reports whether the struct type t is one that the core declares, with fields named for it.
func (c *compiler) coreStruct(t types.Type) bool { return c.compiledNamed(t) == nil }

func (c *compiler) indexed(e *ast.IndexExpr) string {
	if _, ok := c.pkg.Info.TypeOf(e.X).Underlying().(*types.Signature); ok {
		return c.identifier(calleeName(e), e)
	}
	t := c.typeOf(e.X).Underlying()
	base := c.operand(e.X)
	if m, ok := t.(*types.Map); ok {
		return base + "[" + c.value(e.Index, m.Key()) + "]"
	}
	i := c.index(e.Index)
	if _, ok := t.(*types.Pointer); ok {
		base = "(*" + base + ")"
	}
	if _, ok := t.(*types.Basic); ok && isConstant(base) {
		base = c.temp(base)
	}
	c.checkIndex(i, "len("+base+")", e.Index)
	return base + "[" + i + "]"
}

// index is the text of an index or a length, as an int where the interpreter wants one.
func (c *compiler) index(e ast.Expr) string {
	if tv := c.pkg.Info.Types[e]; tv.Value != nil {
		return c.constantText(tv.Value, types.Typ[types.Int])
	}
	text := c.expr(e)
	if c.core(c.typeOf(e)) != "int" {
		return "int(" + text + ")"
	}
	return text
}

// checkIndex makes an index out of range panic with Go's own words, where the program may read them.
func (c *compiler) checkIndex(i, length string, e ast.Expr) {
	if !c.precise || isConstant(i) && isConstant(length) {
		return
	}
	if !isConstant(i) {
		i = c.keep(i)
		c.emit("if %s < 0 {", i)
		c.emit("%s", c.object("OutOfRange", i, length))
		c.emit("}")
	}
	c.emit("if %s >= %s {", i, length)
	c.emit("%s", c.object("OutOfRange", i, length))
	c.emit("}")
}

func (c *compiler) sliced(e *ast.SliceExpr) string {
	t := c.typeOf(e.X).Underlying()
	var base string
	switch t := t.(type) {
	case *types.Array:
		p := c.temp("&" + c.placeText(e.X))
		base = "(*" + p + ")"
	case *types.Pointer:
		base = "(*" + c.keep(c.operand(e.X)) + ")"
	case *types.Basic:
		base = c.operand(e.X)
		if isConstant(base) {
			base = c.constantTemp(base, t)
		}
	default:
		base = c.operand(e.X)
	}
	bounds := make([]string, 3)
	for i, b := range []ast.Expr{e.Low, e.High, e.Max} {
		if b != nil {
			bounds[i] = c.index(b)
		}
	}
	if c.precise {
		_, isString := t.(*types.Basic)
		c.checkSlice(base, bounds, isString)
	}
	text := base + "[" + bounds[0] + ":" + bounds[1]
	if e.Slice3 {
		text += ":" + bounds[2]
	}
	return text + "]"
}

func (c *compiler) checkSlice(base string, bounds []string, isString bool) {
	low, high, limit := bounds[0], bounds[1], "cap("+base+")"
	if low == "" {
		low = "0"
	}
	if isString {
		limit = "len(" + base + ")"
	}
	if high == "" {
		high = "len(" + base + ")"
	}
	if bounds[2] != "" {
		c.emit("%s", c.object("CheckSlice3", low, high, bounds[2], limit))
		return
	}
	c.emit("%s", c.object("CheckSlice", low, high, limit, fmt.Sprint(isString)))
}

func (c *compiler) unary(e *ast.UnaryExpr) string {
	switch e.Op {
	case token.AND:
		return c.addressOf(e.X)
	case token.ARROW:
		ch := c.keep(c.operand(e.X))
		return c.temp("<-" + ch)
	case token.NOT:
		return "(" + c.expr(e.X) + " == false)"
	case token.ADD:
		return c.expr(e.X)
	}
	x := c.expr(e.X)
	if !isName(x) {
		x = c.temp(x)
	}
	return "(" + e.Op.String() + x + ")"
}

func (c *compiler) addressOf(e ast.Expr) string {
	e = ast.Unparen(e)
	if lit, ok := e.(*ast.CompositeLit); ok {
		t := c.typeOf(lit)
		v := c.composite(lit, t)
		last := len(c.fn.lines) - 1
		if text, ok := strings.CutPrefix(c.fn.lines[last].text, v+" := "+c.core(t)+"{"); ok && isFresh(v) {
			c.fn.lines[last].text = v + " := &" + c.core(t) + "{" + text
			return v
		}
		p := c.temp("new(" + c.core(t) + ")")
		c.emit("*%s = %s", p, v)
		return p
	}
	if id, ok := e.(*ast.Ident); ok {
		if v, ok := c.pkg.Info.ObjectOf(id).(*types.Var); ok {
			if l := c.local(v); l != nil {
				return c.pointer(l)
			}
		}
	}
	if star, ok := e.(*ast.StarExpr); ok {
		return c.operand(star.X)
	}
	return c.temp("&" + c.placeText(e))
}

// placeText is the text of a place that is used at once.
func (c *compiler) placeText(e ast.Expr) string {
	p := c.placeOf(e, false)
	c.append(p.checks)
	if p.hidden {
		c.refuse(e, "recursive_type", "the address of this field cannot be taken here: its type refers to its own struct through another", "use a local variable")
	}
	return p.text
}
