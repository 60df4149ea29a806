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

func (c *compiler) binary(e *ast.BinaryExpr) string {
	switch e.Op {
	case token.LAND, token.LOR:
		return c.logical(e)
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		t := c.comparedType(e)
		if c.isNil(e.X) {
			return c.compareNil(e.Op, e.Y)
		}
		if c.isNil(e.Y) {
			return c.compareNil(e.Op, e.X)
		}
		if isInterface(c.typeOf(e.X)) != isInterface(c.typeOf(e.Y)) {
			return c.compare(e.Op, c.value(e.X, t), t, e.Y)
		}
		return c.compare(e.Op, c.value(e.X, t), t, e.Y)
	}
	t := c.typeOf(e)
	return c.operation(e.Op, c.value(e.X, t), t, e.Y)
}

// comparedType is the type in which the operands of a comparison meet.
func (c *compiler) comparedType(e *ast.BinaryExpr) types.Type {
	x, y := c.typeOf(e.X), c.typeOf(e.Y)
	switch {
	case isUntyped(x):
		return types.Default(pick(y, x))
	case isUntyped(y):
		return x
	case isInterface(x):
		return x
	case isInterface(y):
		return y
	}
	return x
}

func pick(y, x types.Type) types.Type {
	if isUntyped(y) {
		return x
	}
	return y
}

func isUntyped(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Info()&types.IsUntyped != 0
}

// compare is the text of x op y, x already evaluated as type t.
func (c *compiler) compare(op token.Token, x string, t types.Type, y ast.Expr) string {
	if c.isNil(y) {
		return "(" + x + " " + op.String() + " nil)"
	}
	yt := c.typeOf(y)
	if isInterface(t) || isInterface(yt) {
		if !isInterface(t) {
			x = c.convert(x, t, yt)
		}
		to := t
		if isInterface(yt) {
			to = yt
		}
		var right string
		if isInterface(to) && !isInterface(yt) {
			right = c.value(y, types.NewInterfaceType(nil, nil))
		} else {
			right = c.value(y, to)
		}
		equal := c.temp(c.object("Equal", x, right))
		if op == token.NEQ {
			return "(" + equal + " == false)"
		}
		return equal
	}
	right := c.valueLike(y, t)
	if ch, ok := t.Underlying().(*types.Chan); ok && c.core(yt) != c.core(t) {
		if ch.Dir() == types.SendRecv {
			x = c.reshape(x, t, yt)
		} else {
			right = c.reshape(right, yt, t)
		}
	}
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		equal := c.temp(c.object("Equal", c.addressed(x, t), c.addressed(right, t)))
		if op == token.NEQ {
			return "(" + equal + " == false)"
		}
		return equal
	}
	if isConstant(x) && isConstant(right) {
		x = c.constantTemp(x, t)
	}
	return "(" + bare(x) + " " + op.String() + " " + bare(right) + ")"
}

// valueLike is the text of y for a comparison with a value of type t.
func (c *compiler) valueLike(y ast.Expr, t types.Type) string {
	if _, ok := t.Underlying().(*types.Chan); ok {
		return c.expr(y)
	}
	return c.value(y, t)
}

func (c *compiler) compareNil(op token.Token, e ast.Expr) string {
	if c.isNil(e) {
		return fmt.Sprint(op == token.EQL)
	}
	return "(" + bare(c.operand(e)) + " " + op.String() + " nil)"
}

// operation is the text of x op y for arithmetic; x is evaluated.
func (c *compiler) operation(op token.Token, x string, t types.Type, y ast.Expr) string {
	return c.operationOn(op, x, t, c.hoist(y, t, op))
}

// hoist evaluates the right operand of an operation on values of type t.
func (c *compiler) hoist(y ast.Expr, t types.Type, op token.Token) string {
	if op == token.SHL || op == token.SHR {
		return c.shiftCount(y)
	}
	return c.value(y, t)
}

func (c *compiler) operationOn(op token.Token, x string, t types.Type, right string) string {
	if isConstant(x) && isConstant(right) || (op == token.SHL || op == token.SHR) && !isName(x) && !strings.HasPrefix(x, "(") {
		x = c.constantTemp(x, t)
	}
	return "(" + bare(x) + " " + op.String() + " " + bare(right) + ")"
}

// bare leaves out the parentheses around the target of a pointer: the interpreter takes them for a type in places.
func bare(text string) string {
	if strings.HasPrefix(text, "(*") && strings.HasSuffix(text, ")") && isName(text[2:len(text)-1]) {
		return text[1 : len(text)-1]
	}
	return text
}

// shiftCount is the count of a shift as an unsigned number, which cannot be negative.
func (c *compiler) shiftCount(y ast.Expr) string {
	if tv := c.pkg.Info.Types[y]; tv.Value != nil {
		return c.constantText(tv.Value, types.Typ[types.Uint])
	}
	count := c.expr(y)
	b := types.Default(c.typeOf(y)).Underlying().(*types.Basic)
	switch {
	case b.Info()&types.IsUnsigned == 0:
		return c.temp(c.object("ShiftCount", "int64("+count+")"))
	case b.Kind() != types.Uint:
		return "uint(" + count + ")"
	}
	return count
}

// logical writes && and || with an if: the interpreter mixes up the branches of nested ones.
func (c *compiler) logical(e *ast.BinaryExpr) string {
	v := c.expr(e.X)
	if left, ok := ast.Unparen(e.X).(*ast.BinaryExpr); !ok || left.Op != token.LAND && left.Op != token.LOR || !isFresh(v) {
		v = c.temp(v)
	}
	if e.Op == token.LAND {
		c.emit("if %s {", v)
	} else {
		c.emit("if %s == false {", v)
	}
	c.emit("%s = %s", v, c.expr(e.Y))
	c.emit("}")
	return v
}

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
