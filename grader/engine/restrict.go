package engine

import (
	"fmt"
	"go/ast"
	"go/types"

	"fieldbook/grader/engine/offered"
)

const clockHint = "Time and identities are handed to you, so that a run can be repeated: use Now and NewEpoch of the database."

// wallClock are the names of package time that read the machine's clock or time zone, or wait.
func wallClock(name string) bool {
	switch name {
	case "Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker", "Timer", "Ticker", "Local", "LoadLocation":
		return true
	}
	return false
}

// restrict refuses, in learner files, uses of names that compile and are not offered: the wall clock where the exercise
// has one of its own, and values through which packages that are not offered could be reached.
func (c *checker) restrict(p *checked) {
	for _, f := range p.unit.files {
		if !f.learner {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			ident, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			object := p.info.Uses[ident]
			if object == nil || object.Pkg() == nil || object.Pkg() == p.types {
				return true
			}
			if c.in.program.Rules.RefuseClock && object.Pkg().Path() == "time" && object.Parent() == object.Pkg().Scope() && wallClock(object.Name()) {
				c.found = append(c.found, f.node(codeClock, ident,
					fmt.Sprintf("time.%s is not used here: a run must be repeatable", object.Name()), clockHint))
			}
			if name := closed(object.Type()); name != "" {
				c.found = append(c.found, f.node(codeNotOffered, ident,
					fmt.Sprintf("%s has the type %s, whose package is not offered", ident.Name, name), "Use what the offered packages give you."))
			}
			return true
		})
	}
}

// closed names a type of package reflect or unsafe in t, or is "". Such a value would be a way around the list of what
// is offered.
func closed(t types.Type) string {
	switch t := t.(type) {
	case *types.Alias:
		return closed(types.Unalias(t))
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			return "unsafe.Pointer"
		}
	case *types.Named:
		if p := t.Obj().Pkg(); p != nil && !offered.Has(p.Path()) && (p.Path() == "reflect" || p.Path() == "unsafe") {
			return p.Name() + "." + t.Obj().Name()
		}
	case *types.Pointer:
		return closed(t.Elem())
	case *types.Slice:
		return closed(t.Elem())
	case *types.Signature:
		for v := range t.Params().Variables() {
			if name := closed(v.Type()); name != "" {
				return name
			}
		}
		for v := range t.Results().Variables() {
			if name := closed(v.Type()); name != "" {
				return name
			}
		}
	}
	return ""
}
