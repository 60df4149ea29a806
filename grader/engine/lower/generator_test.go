package lower_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// generator writes random well-typed programs: functions over ints, strings, slices, maps, structs, closures, interfaces
// and errors, with loops, switches, defers and panics. They end, print what they compute, and depend on no order that
// Go leaves open.
type generator struct {
	r     *rand.Rand
	out   strings.Builder
	depth int
	vars  []variable
	next  int
	loops []string // labels of the loops around
	inner int      // depth of function literals
}

type variable struct {
	name, typ string
	fixed     bool // must not be assigned: a loop's counter
}

// prelude is what all programs share.
const prelude = `package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

type Level int8

func (l Level) String() string { return fmt.Sprintf("L%d", int8(l)) }
func (l *Level) Up(n int)      { *l += Level(n) }

type Point struct {
	X, Y int
	Tag  string
}

func (p Point) Sum() int         { return p.X + p.Y }
func (p *Point) Shift(n int) int { p.X += n; p.Y -= n; return p.X }
func (p Point) With(n int) Point { p.X = n; return p }

type Box struct {
	Point
	Lvl   Level
	Items []int
	Arr   [3]int
	Next  *Box
	Attr  map[string]int
}

type Summer interface{ Sum() int }
type Const int

func (c Const) Sum() int { return int(c) }

type Oops struct{ Code int }

func (o *Oops) Error() string { return fmt.Sprintf("oops %d", o.Code) }

var errBase = errors.New("base")
var global int
var globals []int
var steps int

// tick ends programs that call themselves without end, or take too long.
func tick() {
	if steps++; steps > 1000 {
		panic("too many steps")
	}
}

type Stack[T any] struct{ items []T }

func (s *Stack[T]) Push(v T) int { s.items = append(s.items, v); return len(s.items) }
func (s *Stack[T]) Len() int     { return len(s.items) }

func apply[T any](n T, f func(T) T) T { return f(n) }
func mapOf[T, U any](xs []T, f func(T) U) []U {
	var out []U
	for _, x := range xs {
		out = append(out, f(x))
	}
	return out
}
func pair(a, b int) (int, int) { return b + 1, a - 1 }
func quarrel(n int) (int, error) {
	switch {
	case n%5 == 0:
		return n, &Oops{n}
	case n%7 == 0:
		return n, fmt.Errorf("w %d: %w", n, errBase)
	}
	return n * 2, nil
}
func upTo(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := 0; i < n%6; i++ {
			if !yield(i) {
				return
			}
		}
	}
}
func variadic(s string, ns ...int) int { return len(s) + len(ns) + slices.Max(append([]int{0}, ns...)) }
func classify(v any) string {
	switch x := v.(type) {
	case nil:
		return "nil"
	case int:
		return fmt.Sprint("int ", x)
	case Level, Const:
		return fmt.Sprintf("level or const %v", x)
	case error:
		return "error " + x.Error()
	case Summer:
		return fmt.Sprint("summer ", x.Sum())
	case []int:
		return fmt.Sprint("list ", len(x))
	case fmt.Stringer:
		return "stringer " + x.String()
	}
	return "other " + fmt.Sprintf("%T", v)
}
func guard(name string, f func()) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Println(name, "panics:", r)
		}
	}()
	f()
}
func at(xs []int, i int) int { return xs[i] }
func div(a, b int) int       { return a / b }
func mod(a, b int) int       { return a % b }
func asInt(v any) int        { return v.(int) }
func sumOf(s Summer) int     { return s.Sum() }
func num(n int) int       { return n }
func u8(n uint8) uint8    { return n }
func i64(n int64) int64   { return n }
func lvl(n Level) Level   { return n }
func upper(s string) string { return strings.ToUpper(s) }
func trim(s string) string {
	if len(s) > 40 {
		return s[:20] + fmt.Sprint(len(s))
	}
	return s
}
func short(s []int) []int {
	if len(s) > 20 {
		return s[:20]
	}
	return s
}

`

var generatedTypes = []string{
	"int", "int", "int", "string", "bool", "[]int", "map[string]int", "Point", "*Point", "func(int) int", "error", "any",
	"uint8", "int64", "[3]int", "Summer", "Level", "Box", "*Box", "float64", "[]string", "[]Point", "Const", "*Stack[string]",
	"func() (int, error)", "[]func() int", "[]Summer", "map[Level]Point",
}

// program is the text of the function that runs program i, without the prelude.
func program(seed uint64, i int) string {
	g := &generator{r: rand.New(rand.NewPCG(seed, uint64(i)))}
	g.line("func program%d() {", i)
	g.depth++
	for range 4 {
		g.declare()
	}
	n := 6 + g.r.IntN(12)
	for range n {
		g.statement()
	}
	g.printAll()
	g.depth--
	g.line("}")
	return g.out.String()
}

func (g *generator) line(format string, args ...any) {
	g.out.WriteString(strings.Repeat("\t", g.depth))
	fmt.Fprintf(&g.out, format, args...)
	g.out.WriteByte('\n')
}

func (g *generator) pick(list ...string) string { return list[g.r.IntN(len(list))] }
func (g *generator) chance(n int) bool          { return g.r.IntN(n) == 0 }

func (g *generator) fresh() string {
	g.next++
	return fmt.Sprintf("v%d", g.next)
}

// scope runs f and forgets the variables that it declared.
func (g *generator) scope(f func()) {
	n := len(g.vars)
	g.depth++
	f()
	g.depth--
	g.vars = g.vars[:n]
}

// local is a variable of the type, or "".
func (g *generator) local(typ string, assigned bool) string {
	var list []string
	for _, v := range g.vars {
		if v.typ == typ && !(assigned && v.fixed) {
			list = append(list, v.name)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return g.pick(list...)
}

func (g *generator) declare() {
	typ := g.pick(generatedTypes...)
	g.declareAs(typ)
}

func (g *generator) declareAs(typ string) string {
	name := g.fresh()
	if g.chance(6) {
		g.line("var %s %s", name, typ)
	} else {
		g.line("var %s %s = %s", name, typ, g.expr(typ, 2))
	}
	g.line("_ = %s", name)
	g.vars = append(g.vars, variable{name: name, typ: typ})
	return name
}

// printAll prints the variables in scope that have a printable form.
func (g *generator) printAll() {
	for _, v := range g.vars {
		switch v.typ {
		case "func(int) int":
			g.line(`guard(%q, func() { fmt.Println(%s(3)) })`, v.name, v.name)
		case "func() (int, error)":
			g.line(`guard(%q, func() { fmt.Println(%s()) })`, v.name, v.name)
		case "[]func() int":
			g.line(`for _, f := range %s { guard(%q, func() { fmt.Println(f()) }) }`, v.name, v.name)
		case "*Point":
			g.line(`if %s != nil { fmt.Println(%q, *%s) }`, v.name, v.name, v.name)
		case "*Box":
			g.line(`if %s != nil { fmt.Println(%q, %s.Point, %s.Lvl, %s.Items, %s.Arr, %s.Next == nil, %s.Attr) }`, v.name, v.name, v.name, v.name, v.name, v.name, v.name, v.name)
		case "Box":
			g.line(`fmt.Println(%q, %s.Point, %s.Lvl, %s.Items, %s.Arr, %s.Next == nil, %s.Attr)`, v.name, v.name, v.name, v.name, v.name, v.name, v.name)
		case "any":
			g.line(`fmt.Println(%q, classify(%s))`, v.name, v.name)
		case "*Stack[string]":
			g.line(`if %s != nil { fmt.Println(%q, %s.items) }`, v.name, v.name, v.name)
		case "string":
			g.line(`fmt.Printf("%%s %%q\n", %q, trim(%s))`, v.name, v.name)
		case "[]Summer":
			g.line(`for _, s := range %s { if s != nil { guard(%q, func() { fmt.Printf("%%T %%v\n", s, s.Sum()) }) } }`, v.name, v.name)
		case "Summer":
			g.line(`if %s != nil { fmt.Printf("%%s %%T %%v\n", %q, %s, classify(%s)) }`, v.name, v.name, v.name, v.name)
		default:
			g.line(`fmt.Println(%q, %s)`, v.name, v.name)
		}
	}
}

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

func (g *generator) statement() {
	if g.depth > 4 {
		g.assign()
		return
	}
	switch g.r.IntN(20) {
	case 0, 1:
		g.declare()
	case 2, 3, 4, 5:
		g.assign()
	case 6, 7:
		g.ifStatement()
	case 8, 9, 10:
		g.loop()
	case 11, 12:
		g.switchStatement()
	case 13:
		g.line("guard(%q, func() {", g.fresh())
		saved := g.loops
		g.loops = nil
		g.inner++
		g.scope(func() {
			if g.chance(2) {
				if v := g.local("int", true); v != "" {
					g.line("defer fmt.Println(\"deferred\", %s, %s)", v, g.expr("string", 1))
					g.line("defer func() { %s++ }()", v)
				}
			}
			g.block(3)
			if g.chance(4) {
				g.line("panic(%s)", g.expr(g.pick("string", "error", "int", "Level"), 1))
			}
		})
		g.inner--
		g.loops = saved
		g.line("})")
	case 14:
		g.parallel()
	case 15:
		g.collect()
	case 16:
		a, b := g.fresh(), g.fresh()
		g.line("%s, %s := quarrel(%s)", a, b, g.expr("int", 2))
		g.line("_, _ = %s, %s", a, b)
		g.vars = append(g.vars, variable{name: a, typ: "int"}, variable{name: b, typ: "error"})
		o := g.fresh()
		g.line("if %s := (*Oops)(nil); errors.As(%s, &%s) {", o, b, o)
		g.scope(func() { g.line("fmt.Println(%q, %s.Code)", o, o) })
		g.line("}")
	case 17:
		if v := g.local("int", true); v != "" {
			a, b := g.fresh(), g.fresh()
			g.line("%s, %s := pair(%s, %s)", a, b, v, g.expr("int", 1))
			g.line("%s, %s = %s, %s", a, b, b, a)
			g.vars = append(g.vars, variable{name: a, typ: "int"}, variable{name: b, typ: "int"})
		}
	case 18:
		// What may panic beside calls stands alone: Go leaves the order open.
		g.line("fmt.Println(%s)", g.pick(
			fmt.Sprintf("%s[num(%s)]", g.leaf("[]int"), g.expr("int", 1)),
			fmt.Sprintf("%s %s num(%s)", g.leaf("int"), g.pick("/", "%"), g.expr("int", 1)),
			fmt.Sprintf("%s.(%s)", g.expr("any", 1), g.pick("int", "error", "Summer", "Level")),
			fmt.Sprintf("%s[:num(%s)]", g.leaf("[]int"), g.expr("int", 1))))
	default:
		g.line("fmt.Println(%s)", g.expr(g.pick("int", "string", "bool", "Point", "Level", "[]int", "float64"), 2))
	}
}

func (g *generator) block(n int) {
	for range 1 + g.r.IntN(n) {
		g.statement()
	}
}

func (g *generator) assign() {
	for range 10 {
		v := g.vars[g.r.IntN(len(g.vars))]
		if v.fixed {
			continue
		}
		switch {
		case v.typ == "int" && g.chance(2):
			g.line("%s %s %s", v.name, g.pick("+=", "-=", "^=", "*="), g.expr("int", 2))
		case v.typ == "int" && g.chance(3):
			g.line("%s%s", v.name, g.pick("++", "--"))
		case v.typ == "[]int" && g.chance(2):
			g.line("if len(%s) > 1 { %s[0], %s[1] = %s[1], %s }", v.name, v.name, v.name, v.name, g.expr("int", 1))
		case v.typ == "map[string]int" && g.chance(2):
			g.line("if %s != nil { %s[%s] %s %s }", v.name, v.name, g.pick(`"a"`, `"c"`), g.pick("=", "+="), g.expr("int", 1))
		case v.typ == "Point" && g.chance(2):
			g.line("%s.%s %s %s", v.name, g.pick("X", "Y"), g.pick("=", "+="), g.expr("int", 1))
		case v.typ == "*Point" && g.chance(2):
			g.line("if %s != nil { %s.Y += %s }", v.name, v.name, g.expr("int", 1))
		case v.typ == "[3]int":
			g.line("%s[%d] = %s", v.name, g.r.IntN(3), g.expr("int", 1))
		case v.typ == "Level" && g.chance(2):
			g.line("%s.Up(%s)", v.name, g.expr("int", 1))
		case v.typ == "*Stack[string]":
			g.line("if %s != nil { fmt.Println(%s.Push(%s), %s.Len()) }", v.name, v.name, g.expr("string", 1), v.name)
		case v.typ == "Box" && g.chance(2):
			g.line("%s.%s", v.name, g.pick("X++", "Arr[2] += 3", "Items = append("+v.name+".Items, 4)", "Lvl.Up(1)", "Point.Shift(3)"))
		case v.typ == "string":
			g.line("%s = trim(%s)", v.name, g.expr("string", 2))
		default:
			g.line("%s = %s", v.name, g.expr(v.typ, 2))
		}
		return
	}
	g.line("global += %s", g.expr("int", 1))
}

// parallel assigns to several variables at once.
func (g *generator) parallel() {
	a, b := g.local("int", true), g.local("int", true)
	if a == "" || a == b {
		g.assign()
		return
	}
	g.line("%s, %s = %s, %s", a, b, g.expr("int", 2), g.expr("int", 2))
}

func (g *generator) ifStatement() {
	if g.chance(3) {
		v := g.fresh()
		g.line("if %s := %s; %s > 3 {", v, g.expr("int", 1), v)
		g.scope(func() {
			g.vars = append(g.vars, variable{name: v, typ: "int"})
			g.block(2)
		})
	} else {
		g.line("if %s {", g.expr("bool", 2))
		g.scope(func() { g.block(3) })
	}
	if g.chance(2) {
		g.line("} else {")
		g.scope(func() { g.block(2) })
	}
	g.line("}")
}

func (g *generator) loop() {
	label := ""
	if g.chance(3) {
		label = "loop" + g.fresh()
		g.line("%s:", label)
	}
	i := g.fresh()
	v := variable{name: i, typ: "int", fixed: true}
	var more []variable
	switch g.r.IntN(7) {
	case 0, 1:
		g.line("for %s := 0; %s < %d; %s++ {", i, i, 1+g.r.IntN(4), i)
	case 2:
		g.line("for %s := range %d {", i, 1+g.r.IntN(4))
	case 3:
		e := g.fresh()
		g.line("for %s, %s := range short(%s) {", i, e, g.expr("[]int", 1))
		more = append(more, variable{name: e, typ: "int"})
	case 4:
		e := g.fresh()
		g.line("for %s, %s := range trim(%s) {", i, e, g.expr("string", 1))
		more = append(more, variable{name: "int(" + e + ")", typ: "int", fixed: true})
	case 5:
		g.line("for %s := range upTo(%s) {", i, g.expr("int", 1))
	default:
		e := g.fresh()
		g.line("for %s, %s := range %s {", i, e, g.expr("[3]int", 1))
		more = append(more, variable{name: e, typ: "int"})
	}
	saved := g.loops
	g.loops = append(append([]string(nil), g.loops...), label)
	g.scope(func() {
		g.line("tick()")
		g.line("_ = %s", i)
		for _, m := range more {
			g.line("_ = %s", m.name)
		}
		g.vars = append(append(g.vars, v), more...)
		g.block(3)
		if g.chance(2) {
			g.line("if %s {", g.expr("bool", 1))
			g.depth++
			if label != "" && g.chance(2) || label != "" {
				g.line("%s %s", g.pick("break", "continue"), label)
			} else {
				g.line("%s", g.pick("break", "continue"))
			}
			g.depth--
			g.line("}")
		}
		if label != "" {
			g.line("if %s == 99 { continue %s }", i, label)
		}
	})
	g.loops = saved
	g.line("}")
}

func (g *generator) switchStatement() {
	switch g.r.IntN(3) {
	case 0:
		g.line("switch {")
		for range 2 + g.r.IntN(2) {
			g.line("case %s:", g.caseList("bool"))
			g.scope(func() { g.block(2) })
		}
		if g.chance(2) {
			g.line("default:")
			g.scope(func() { g.block(2) })
		}
	case 1:
		g.line("switch %s %% 4 {", g.expr("int", 1))
		for k := range 2 {
			if k == 1 && g.chance(3) {
				g.line("default:")
				g.scope(func() { g.block(1) })
			}
			g.line("case %d, %d:", 2*k, 2*k+1)
			g.scope(func() {
				g.block(2)
				if k == 0 && g.chance(3) {
					g.line("fallthrough")
				}
			})
		}
	default:
		x := g.fresh()
		g.line("switch %s := %s.(type) {", x, g.expr("any", 1))
		for _, t := range []string{"int", "string", "Level", "error", "Point", "Summer"} {
			if g.chance(2) {
				continue
			}
			g.line("case %s:", t)
			g.scope(func() {
				g.line("_ = %s", x)
				g.vars = append(g.vars, variable{name: x, typ: t, fixed: t == "any"})
				g.block(2)
			})
		}
		g.line("default:")
		g.scope(func() { g.line("_ = %s", x); g.block(1) })
	}
	g.line("}")
}

func (g *generator) caseList(typ string) string {
	if g.chance(2) {
		return g.expr(typ, 1)
	}
	return g.expr(typ, 1) + ", " + g.expr(typ, 1)
}

// collect makes closures in a loop and calls them afterwards.
func (g *generator) collect() {
	fs, i := g.fresh(), g.fresh()
	g.line("var %s []func() int", fs)
	g.line("for %s := 0; %s < 3; %s++ {", i, i, i)
	g.scope(func() {
		g.vars = append(g.vars, variable{name: i, typ: "int", fixed: true})
		x := g.declareAs("int")
		g.line("%s = append(%s, func() int { %s += %s; return %s })", fs, fs, x, i, x)
		if g.chance(2) {
			g.line("%s = append(%s, func() int { return %s * 2 })", fs, fs, i)
		}
	})
	g.line("}")
	g.line("for _, f := range %s { fmt.Print(f(), \" \", f(), \" \") }", fs)
	g.line("fmt.Println()")
}
