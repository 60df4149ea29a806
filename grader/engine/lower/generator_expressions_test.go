package lower_test

import (
	"fmt"
)

// expr is an expression of a type.
func (g *generator) expr(typ string, n int) string {
	if v := g.local(typ, false); v != "" && (n <= 0 || g.chance(3)) {
		return v
	}
	if n <= 0 {
		return g.leaf(typ)
	}
	e := func(t string) string { return g.expr(t, n-1) }
	switch typ {
	case "int":
		return g.intExpr(n)
	case "string":
		switch g.r.IntN(9) {
		case 0:
			return fmt.Sprintf("(%s + %s)", e("string"), e("string"))
		case 1:
			return fmt.Sprintf("strings.Repeat(%s, %d)", e("string"), g.r.IntN(3))
		case 2:
			return fmt.Sprintf("fmt.Sprint(%s, %s)", e("int"), e("bool"))
		case 3:
			return fmt.Sprintf("classify(%s)", e("any"))
		case 4:
			return fmt.Sprintf(`fmt.Sprintf("%%v|%%d|%%+v", %s, %s, %s)`, e("Level"), e("Level"), e("Point"))
		case 5:
			return fmt.Sprintf("strings.ToUpper(%s)", e("string"))
		case 6:
			return fmt.Sprintf("string(rune('a'+(num(%s)%%26+26)%%26))", e("int"))
		case 7:
			return fmt.Sprintf(`fmt.Sprintf("%%T %%v", %s, %s)`, e("Summer"), e("[]Point"))
		default:
			return fmt.Sprintf("%s.Tag", g.place("Point"))
		}
	case "bool":
		switch g.r.IntN(7) {
		case 0:
			return fmt.Sprintf("(%s %s %s)", e("int"), g.pick("<", "<=", "==", "!=", ">", ">="), e("int"))
		case 1:
			return fmt.Sprintf("(%s %s %s)", e("bool"), g.pick("&&", "||", "==", "!="), e("bool"))
		case 2:
			return fmt.Sprintf("!%s", g.parens(e("bool")))
		case 3:
			return fmt.Sprintf("(%s %s %s)", e("string"), g.pick("<", "==", "!=", ">"), e("string"))
		case 4:
			return fmt.Sprintf("(%s == %s)", e("Point"), e("Point"))
		case 5:
			return fmt.Sprintf("errors.Is(%s, errBase)", e("error"))
		default:
			return fmt.Sprintf("(%s %s nil)", e("error"), g.pick("==", "!="))
		}
	case "[]int":
		switch g.r.IntN(7) {
		case 0:
			return fmt.Sprintf("append(%s, %s, %s)", e("[]int"), e("int"), e("int"))
		case 1:
			return fmt.Sprintf("[]int{%s, %s, %s}", e("int"), e("int"), e("int"))
		case 2:
			return fmt.Sprintf("append([]int(nil), %s...)", e("[]int"))
		case 3:
			return fmt.Sprintf("short(%s)[:]", e("[]int"))
		case 4:
			return fmt.Sprintf("mapOf(%s, %s)", e("[]int"), g.funcLit(n-1))
		case 5:
			return fmt.Sprintf("mapOf(%s, func(s string) int { return len(s) })", e("[]string"))
		default:
			a := g.fresh()
			return fmt.Sprintf("func() []int { %s := %s; return %s[:] }()", a, e("[3]int"), a)
		}
	case "[]string":
		if g.chance(2) {
			return fmt.Sprintf("[]string{%s, %s}", e("string"), e("string"))
		}
		return fmt.Sprintf("append(%s, %s)", e("[]string"), e("string"))
	case "map[string]int":
		return fmt.Sprintf(`map[string]int{"a": %s, "b" + %s: %s}`, e("int"), e("string"), e("int"))
	case "map[Level]Point":
		return fmt.Sprintf(`map[Level]Point{1: %s, %s: %s}`, e("Point"), "Level(2)", e("Point"))
	case "Point":
		switch g.r.IntN(4) {
		case 0:
			return fmt.Sprintf("%s.With(%s)", g.place("Point"), e("int"))
		case 1:
			return fmt.Sprintf("%s.Point", g.place("Box"))
		default:
			return fmt.Sprintf("Point{X: %s, Tag: %s, Y: %s}", e("int"), e("string"), e("int"))
		}
	case "*Point":
		if p := g.local("Point", false); p != "" && g.chance(2) {
			return "&" + p
		}
		return fmt.Sprintf("&Point{%s, %s, %q}", e("int"), e("int"), "t")
	case "func(int) int":
		return g.funcLit(n)
	case "func() (int, error)":
		return g.resultLit()
	case "[]func() int":
		return fmt.Sprintf("[]func() int{func() int { tick(); return %s }, %s.Sum}", e("int"), g.place("Point"))
	case "error":
		switch g.r.IntN(4) {
		case 0:
			return fmt.Sprintf("error(&Oops{%s})", e("int"))
		case 1:
			return fmt.Sprintf(`fmt.Errorf("e%%d: %%w", %s, errBase)`, e("int"))
		case 2:
			return fmt.Sprintf("errors.Join(%s, errBase)", e("error"))
		default:
			return "errBase"
		}
	case "any":
		return fmt.Sprintf("any(%s)", e(g.pick("int", "string", "Level", "Const", "error", "Point", "*Point", "[]int", "Summer", "float64")))
	case "Summer":
		return fmt.Sprintf("Summer(%s)", e(g.pick("Point", "Const")))
	case "[]Summer":
		return fmt.Sprintf("[]Summer{%s, &Point{1, %s, \"p\"}, %s}", e("Point"), e("int"), e("Const"))
	case "uint8", "int64", "Level", "Const":
		switch g.r.IntN(4) {
		case 0:
			return fmt.Sprintf("%s(num(%s))", typ, e("int"))
		case 1:
			return fmt.Sprintf("(%s %s (%s&7))", e(typ), g.pick("<<", ">>"), e("uint8"))
		default:
			return fmt.Sprintf("(%s %s %s)", e(typ), g.pick("+", "-", "*", "^", "&", "|", "&^"), e(typ))
		}
	case "[3]int":
		return fmt.Sprintf("[3]int{%s, 2: %s}", e("int"), e("int"))
	case "Box":
		return fmt.Sprintf(`Box{Point: %s, Lvl: %s, Items: %s, Arr: %s, Attr: map[string]int{"k": %s}}`, e("Point"), e("Level"), e("[]int"), e("[3]int"), e("int"))
	case "*Box":
		return fmt.Sprintf(`&Box{Lvl: %s, Next: %s, Items: %s, Attr: map[string]int{}}`, e("Level"), e("*Box"), e("[]int"))
	case "float64":
		return fmt.Sprintf("(%s %s %s)", e("float64"), g.pick("+", "-", "*"), e("float64"))
	case "[]Point":
		return fmt.Sprintf("[]Point{%s, {X: %s}}", e("Point"), e("int"))
	case "*Stack[string]":
		return fmt.Sprintf("&Stack[string]{items: %s}", e("[]string"))
	}
	return g.leaf(typ)
}

func (g *generator) parens(s string) string { return "(" + s + ")" }

// place is something of a type that has an address: a variable, or a fresh one's target.
func (g *generator) place(typ string) string {
	if v := g.local(typ, false); v != "" {
		return v
	}
	return fmt.Sprintf("(&[]%s{%s}[0])", typ, g.leaf(typ))
}

func (g *generator) intExpr(n int) string {
	e := func(t string) string { return g.expr(t, n-1) }
	switch g.r.IntN(21) {
	case 0, 1, 2:
		return fmt.Sprintf("(%s %s %s)", e("int"), g.pick("+", "-", "*", "^", "&", "|"), e("int"))
	case 3:
		return fmt.Sprintf("%s(%s, %s)", g.pick("div", "mod"), e("int"), e("int"))
	case 4:
		return fmt.Sprintf("len(%s)", e(g.pick("string", "[]int", "map[string]int", "[]string", "[]Point")))
	case 5:
		return fmt.Sprintf("at(%s, %s)", e("[]int"), e("int"))
	case 6:
		return fmt.Sprintf("%s[%q]", e("map[string]int"), g.pick("a", "b", "c"))
	case 7:
		return fmt.Sprintf("%s.%s", g.place("Point"), g.pick("X", "Y", "Sum()", "Shift(2)"))
	case 8:
		return fmt.Sprintf("%s(%s)", e("func(int) int"), e("int"))
	case 9:
		return fmt.Sprintf("int(%s)", e(g.pick("uint8", "int64", "Level", "Const")))
	case 10:
		return fmt.Sprintf("%s.%s", g.place("Box"), g.pick("X", "Sum()", "Arr[1]", "Attr[\"k\"]", "Shift(1)"))
	case 11:
		return fmt.Sprintf("apply(%s, %s)", e("int"), g.funcLit(n-1))
	case 12:
		return fmt.Sprintf("variadic(%s, %s, %s)", e("string"), e("int"), e("int"))
	case 13:
		return fmt.Sprintf("variadic(%s, %s...)", e("string"), e("[]int"))
	case 14:
		return fmt.Sprintf("%s(%s, %s)", g.pick("min", "max"), e("int"), e("int"))
	case 15:
		return fmt.Sprintf("sumOf(%s)", e("Summer"))
	case 16:
		return fmt.Sprintf("%s[%d]", g.place("[3]int"), g.r.IntN(3))
	case 17:
		return fmt.Sprintf("strings.Index(%s, %s)", e("string"), e("string"))
	case 18:
		return fmt.Sprintf("Point.Sum(%s)", e("Point"))
	case 19:
		return fmt.Sprintf("asInt(%s)", e("any"))
	default:
		return "global"
	}
}

// funcLit is a literal of type func(int) int that captures what is around it.
func (g *generator) funcLit(n int) string {
	p := g.fresh()
	saved := g.vars
	g.vars = append(append([]variable(nil), g.vars...), variable{name: p, typ: "int"})
	defer func() { g.vars = saved }()
	extra := ""
	if v := g.local("int", true); v != "" && v != p && g.chance(2) {
		extra = fmt.Sprintf("%s %s %s; ", v, g.pick("=", "+=", "-="), g.expr("int", 0))
	}
	return fmt.Sprintf("func(%s int) int { tick(); %sreturn %s }", p, extra, g.expr("int", min(n, 1)))
}

// resultLit is a literal with named results, a defer and a panic that may come.
func (g *generator) resultLit() string {
	e := g.expr("int", 1)
	v := g.fresh()
	return fmt.Sprintf(`func() (n int, err error) {
		tick()
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("recovered %%v", r)
				n++
			}
		}()
		defer func(k int) { n += k }(%s)
		n = %s
		if n%%3 == 0 {
			panic(fmt.Sprint("three ", n))
		}
		%s, err := quarrel(n)
		if err != nil {
			return %s, err
		}
		return
	}`, e, g.expr("int", 1), v, v)
}

func (g *generator) leaf(typ string) string {
	switch typ {
	case "int":
		return fmt.Sprint(g.r.IntN(20) - 4)
	case "string":
		return g.pick(`""`, `"a"`, `"xyz"`, `"héé"`, `"b c"`)
	case "bool":
		return g.pick("true", "false")
	case "[]int":
		return g.pick("[]int{3, 1, 2}", "[]int(nil)", "[]int{7}", "globals")
	case "[]string":
		return `[]string{"p", "q"}`
	case "map[string]int":
		return `map[string]int{"a": 1}`
	case "map[Level]Point":
		return `map[Level]Point{3: {X: 1}}`
	case "Point":
		return fmt.Sprintf(`Point{%d, 2, "pt"}`, g.r.IntN(5))
	case "*Point":
		return `&Point{5, 6, "ptr"}`
	case "func(int) int":
		return "func(i int) int { return i * 3 }"
	case "func() (int, error)":
		return "func() (int, error) { return quarrel(14) }"
	case "[]func() int":
		return "[]func() int{Point{1, 2, \"\"}.Sum}"
	case "error":
		return g.pick("error(nil)", "errBase", "error(&Oops{1})")
	case "any":
		return g.pick("any(nil)", "any(4)", `any("s")`, "any(Level(2))")
	case "Summer":
		return g.pick("Summer(Const(4))", "Summer(&Point{1, 1, \"s\"})")
	case "[]Summer":
		return "[]Summer{Const(1)}"
	case "uint8":
		return g.pick("u8(250)", "u8(3)")
	case "int64":
		return g.pick("i64(1<<40)", "i64(-7)")
	case "Level":
		return g.pick("lvl(100)", "lvl(-3)")
	case "Const":
		return "Const(num(9))"
	case "[3]int":
		return "[3]int{1, 2, 3}"
	case "Box":
		return `Box{Attr: map[string]int{}}`
	case "*Box":
		return g.pick("(*Box)(nil)", "&Box{}")
	case "float64":
		return g.pick("1.5", "0.25", "-3.0", "1e6")
	case "[]Point":
		return `[]Point{{X: 2}}`
	case "*Stack[string]":
		return "new(Stack[string])"
	}
	panic("no leaf of " + typ)
}
