package lower

import (
	"go/ast"
	"go/token"
	"sort"
)

// refuse records that node cannot be run right.
func (c *compiler) refuse(node ast.Node, code, message, instead string) {
	pkg := c.pkg
	if c.std != nil && c.std.holds(pkg) {
		// A fault inside supplied source is the learner's call's: the place where it was asked for.
		c.refusals = append(c.refusals, Refusal{Code: code, Message: message, Instead: instead})
		return
	}
	pos, end := pkg.Fset.PositionFor(node.Pos(), false), pkg.Fset.PositionFor(node.End(), false)
	r := Refusal{Pos: pos, Code: code, Message: message, Instead: instead}
	if end.Line == pos.Line {
		r.End = end.Column
	}
	c.refusals = append(c.refusals, r)
}

// refuseHere refuses whatever is being compiled.
func (c *compiler) refuseHere(code, message, instead string) {
	if c.node != nil {
		c.refuse(c.node, code, message, instead)
	}
}

func (c *compiler) sortedRefusals() []Refusal {
	sort.SliceStable(c.refusals, func(i, j int) bool {
		a, b := c.refusals[i].Pos, c.refusals[j].Pos
		if a.Filename != b.Filename {
			return a.Filename < b.Filename
		}
		return a.Offset < b.Offset
	})
	var list []Refusal
	for i, r := range c.refusals {
		if i == 0 || r != c.refusals[i-1] {
			list = append(list, r)
		}
	}
	return list
}

// checkPackage refuses what can be seen without compiling.
func (c *compiler) checkPackage(p *Package) {
	c.pkg = p
	for _, f := range p.Files {
		for _, spec := range f.Imports {
			switch spec.Path.Value {
			case `"C"`, `"unsafe"`:
				c.refuse(spec, "unsafe", "the import "+spec.Path.Value+" cannot be run here", "write it without")
			}
		}
	}
}

// looksAtRecovered reports whether the program uses the value of recover for more than a comparison with nil.
func (c *compiler) looksAtRecovered() bool {
	found := false
	for _, p := range c.program {
		for _, f := range p.Files {
			ast.Inspect(f, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					if id, ok := call.Fun.(*ast.Ident); ok && id.Name == "recover" {
						found = true
					}
				}
				return !found
			})
		}
	}
	return found
}

// maxGotos is how many goto statements a function may have: the interpreter runs a retry or a common exit right, and loses
// its way among many.
const maxGotos = 3

func (c *compiler) checkGoto(body *ast.BlockStmt) {
	n := 0
	ast.Inspect(body, func(node ast.Node) bool {
		if b, ok := node.(*ast.BranchStmt); ok && b.Tok == token.GOTO {
			if n++; n == maxGotos+1 {
				c.refuse(b, "goto", "so many goto statements in one function cannot be run here", "use loops, break and continue")
			}
		}
		return true
	})
}
