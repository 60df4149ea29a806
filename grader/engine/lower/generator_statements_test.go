package lower_test

import (
	"fmt"
)

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
