package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

func (c *compiler) block(b *ast.BlockStmt) { c.statements(b.List) }

func (c *compiler) statements(list []ast.Stmt) {
	for _, s := range list {
		c.statement(s, "")
	}
}

// statement writes one statement; label is the name of the label on it, if any.
func (c *compiler) statement(s ast.Stmt, label string) {
	c.at(s)
	switch s := s.(type) {
	case *ast.EmptyStmt:
		c.labelHere(label)
	case *ast.ExprStmt:
		c.labelHere(label)
		c.effect(s.X)
	case *ast.AssignStmt:
		c.labelHere(label)
		c.assignment(s)
	case *ast.IncDecStmt:
		c.labelHere(label)
		c.increment(s)
	case *ast.DeclStmt:
		c.labelHere(label)
		c.declaration(s.Decl.(*ast.GenDecl))
	case *ast.BlockStmt:
		c.labelledBlock(s, label)
	case *ast.IfStmt:
		if label != "" {
			c.labelledStatement(s, label)
			return
		}
		c.ifStmt(s)
	case *ast.ForStmt:
		c.forStmt(s, label)
	case *ast.RangeStmt:
		c.rangeStmt(s, label)
	case *ast.SwitchStmt:
		c.switchStmt(s, label)
	case *ast.TypeSwitchStmt:
		c.typeSwitch(s, label)
	case *ast.SelectStmt:
		c.selectStmt(s, label)
	case *ast.ReturnStmt:
		c.labelHere(label)
		c.returnStmt(s)
	case *ast.BranchStmt:
		c.labelHere(label)
		c.branch(s)
	case *ast.LabeledStmt:
		c.labelHere(label)
		c.statement(s.Stmt, s.Label.Name)
	case *ast.GoStmt:
		c.labelHere(label)
		c.goStmt(s.Call)
	case *ast.DeferStmt:
		c.labelHere(label)
		c.deferStmt(s.Call)
	case *ast.SendStmt:
		c.labelHere(label)
		ch := c.keep(c.operand(s.Chan))
		v := c.value(s.Value, c.typeOf(s.Chan).Underlying().(*types.Chan).Elem())
		c.emit("%s <- %s", ch, v)
	default:
		panic(fmt.Sprintf("statement %T", s))
	}
}

// labelHere writes a label that only goto can mean.
func (c *compiler) labelHere(label string) {
	if label != "" && c.goesTo(label) {
		c.emit("%s:", c.labelName(label))
	}
}

// labelLine writes the label of a loop or switch and returns the place of its line.
func (c *compiler) labelLine(label string) int {
	if label != "" {
		c.emit("%s:", c.labelName(label))
	}
	return len(c.fn.lines) - 1
}

func (c *compiler) labelName(label string) string { return "label_" + ascii(label) }

// labelledBlock writes a block. break may leave it by its label: it is a switch then.
func (c *compiler) labelledBlock(b *ast.BlockStmt, label string) {
	if label == "" {
		c.block(b)
		return
	}
	c.labelledStatement(b, label)
}

func (c *compiler) labelledStatement(s ast.Stmt, label string) {
	if !c.broken(s, label) {
		c.labelHere(label)
		c.statement(s, "")
		return
	}
	at := c.labelLine(label)
	c.push(&target{label: label, plain: true, at: at})
	c.emit("for {")
	c.statement(s, "")
	c.emit("break")
	c.emit("}")
	c.pop()
}

// broken reports whether a statement breaks out of itself by the label.
func (c *compiler) broken(s ast.Stmt, label string) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		if b, ok := n.(*ast.BranchStmt); ok && b.Tok == token.BREAK && b.Label != nil && b.Label.Name == label {
			found = true
		}
		return !found
	})
	return found
}

func (c *compiler) ifStmt(s *ast.IfStmt) {
	if s.Init != nil {
		c.statement(s.Init, "")
	}
	c.at(s)
	c.emit("if %s {", c.expr(s.Cond))
	c.block(s.Body)
	if s.Else != nil {
		c.emit("} else {")
		c.statement(s.Else, "")
	}
	c.emit("}")
}

// declaration declares the variables of a var statement; constants and types leave nothing behind.
func (c *compiler) declaration(d *ast.GenDecl) {
	if d.Tok != token.VAR {
		return
	}
	for _, spec := range d.Specs {
		spec := spec.(*ast.ValueSpec)
		c.at(spec)
		vars := make([]*types.Var, len(spec.Names))
		for i, name := range spec.Names {
			vars[i], _ = c.pkg.Info.Defs[name].(*types.Var)
		}
		c.declareVars(spec.Names, vars, spec.Values)
	}
}

// declareVars declares variables with the values given: none, one each, or one expression for all.
func (c *compiler) declareVars(names []*ast.Ident, vars []*types.Var, values []ast.Expr) {
	switch {
	case len(values) == 0:
		for _, v := range vars {
			if v.Name() != "_" {
				c.declareZero(c.bind(v))
			}
		}
	case len(values) == len(vars):
		texts := c.readAll(values)
		for i, e := range values {
			texts[i] = c.valueOf(e, texts[i], c.substitute(vars[i].Type(), c.env))
			if len(vars) > 1 {
				texts[i] = c.keep(texts[i])
			}
		}
		for i, v := range vars {
			if v.Name() == "_" {
				c.discard(texts[i], c.substitute(v.Type(), c.env))
				continue
			}
			c.declareAs(c.bind(v), texts[i])
		}
	default:
		texts, from := c.tuple(values[0])
		for i, v := range vars {
			if v.Name() != "_" {
				c.declareAs(c.bind(v), c.convert(texts[i], from[i], c.substitute(v.Type(), c.env)))
			}
		}
	}
}

// discard evaluates text for its effect only.
func (c *compiler) discard(text string, t types.Type) {
	if isName(text) || text == "nil" {
		return
	}
	c.emit("var %s %s", c.fresh("t"), c.core(types.Default(t)))
	c.fn.lines[len(c.fn.lines)-1].text += " = " + text
}

// keep holds a value that later statements must not change: constants and temporaries need nothing.
func (c *compiler) keep(text string) string {
	if isTemp(text) || isConstant(text) {
		return text
	}
	return c.temp(text)
}

// isTemp reports whether text is a temporary, which is assigned once.
func isTemp(text string) bool { return strings.HasPrefix(text, "t_") && isName(text) }

// isFresh reports whether text is a temporary that no variable of the source stands behind.
func isFresh(text string) bool {
	digits, ok := strings.CutPrefix(text, "t_")
	return ok && strings.Trim(digits, "0123456789") == ""
}

func isName(text string) bool {
	for _, r := range text {
		if r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			return false
		}
	}
	return text != "" && (text[0] < '0' || text[0] > '9')
}

func isConstant(text string) bool {
	if text == "nil" || text == "true" || text == "false" {
		return true
	}
	return text != "" && (text[0] >= '0' && text[0] <= '9' || text[0] == '"') && !strings.ContainsAny(text[1:], "+-*/ [(")
}

// returnStmt leaves the source function, through the core functions around the statement.
func (c *compiler) returnStmt(s *ast.ReturnStmt) {
	owner := c.fn.owner
	results := owner.sig.Results()
	if results.Len() == 0 {
		c.leave()
		return
	}
	if len(s.Results) == 0 {
		c.leave()
		return
	}
	var values []string
	if len(s.Results) == 1 && results.Len() > 1 {
		texts, from := c.tuple(s.Results[0])
		for i := range results.Len() {
			values = append(values, c.convert(texts[i], from[i], results.At(i).Type()))
		}
	} else {
		texts := c.readAll(s.Results)
		for i, e := range s.Results {
			if c.isNil(e) {
				values = append(values, "nil")
				continue
			}
			values = append(values, c.valueOf(e, texts[i], results.At(i).Type()))
		}
	}
	if c.fn == owner.at && !c.sharedResults(owner) {
		if len(values) == 1 && c.returnsCall(values[0]) {
			return
		}
		c.emit("return %s", strings.Join(values, ", "))
		return
	}
	if len(values) > 1 {
		for i := range values {
			values[i] = c.keep(values[i])
		}
	}
	for i, l := range owner.results {
		c.emit("%s = %s", c.use(l), values[i])
	}
	c.leave()
}

// returnsCall turns the call that set the temporary value into a return of it. Other expressions stay: the interpreter
// returns nothing for some.
func (c *compiler) returnsCall(value string) bool {
	last := len(c.fn.lines) - 1
	if last < 0 || !isFresh(value) {
		return false
	}
	call, ok := strings.CutPrefix(c.fn.lines[last].text, value+" := ")
	if !ok || len(call) < 2 || call[1] != '_' || !strings.Contains("fmiwL", call[:1]) {
		return false
	}
	c.fn.lines[last].text = "return " + call
	return true
}

// sharedResults reports whether the results must be stored before returning because a closure may see them.
func (c *compiler) sharedResults(owner *sourceFunction) bool {
	for _, l := range owner.results {
		if l.behind {
			return true
		}
	}
	return false
}

// leave returns from the source function with the results stored so far.
func (c *compiler) leave() {
	if c.fn.rng != nil {
		c.fn.rng.leaveFunction(c)
		return
	}
	if c.fn == c.fn.owner.at {
		if c.fn.owner.sig.Results().Len() > 0 {
			c.returnResults(c.fn.owner)
			return
		}
		c.emit("return")
		return
	}
	c.emit("return")
}

// goStmt evaluates function and arguments, then starts a closure of them.
func (c *compiler) goStmt(call *ast.CallExpr) {
	c.emit("%s", c.object("Go", c.temp(c.delayed(call, false))))
}

// deferStmt evaluates function and arguments, then hands a closure of them to the frame.
func (c *compiler) deferStmt(call *ast.CallExpr) {
	frame := c.fn.owner.frame
	c.reach(frame)
	c.emit("%s.Defer(%s)", frame.name, c.temp(c.delayed(call, true)))
}

// delayed evaluates the operands of a call now and returns the text of a closure that makes the call:
// func(*object.Panic) for a deferred call, func() for a goroutine.
func (c *compiler) delayed(call *ast.CallExpr, deferred bool) string {
	fun := ast.Unparen(call.Fun)
	if lit, ok := fun.(*ast.FuncLit); ok && deferred && len(call.Args) == 0 && lit.Type.Results.NumFields() == 0 {
		return c.literal(lit, true)
	}
	k := c.prepareDelayed(call, deferred)
	held := c.hold(k)
	inner := newFunction(c.fn, nil)
	inner.owner = c.fn.owner
	c.fn = inner
	for _, l := range held {
		c.reach(l)
	}
	params := "()"
	var panics *local
	if deferred {
		panics = c.newLocal("recovering", "*"+c.objectName("Panic"), false)
		params = "(" + panics.name + " " + panics.core + ")"
	}
	k.later(c, panics)
	return c.closure(inner, params, "")
}
