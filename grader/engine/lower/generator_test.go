package lower_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// generator writes random well-typed programs: functions over ints, strings, slices, maps, structs, closures, interfaces
// and errors, with loops, switches, defers and panics. They end and print what they compute. Of what Go
// leaves open they depend on one order: variables are read after the calls beside them, as its compiler reads them.
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

func (g *generator) chance(n int) bool { return g.r.IntN(n) == 0 }

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
