package engine

import (
	"go/ast"
	"go/token"
)

// longConstant finds a constant string that could be longer than maxConstantString. It counts without evaluating, since
// evaluating is what must not be tried: thirty lines that each add the line before to itself make a gigabyte. Names are
// told apart by their spelling alone, and of several constants of one spelling the longest counts.
func longConstant(syntax *ast.File) ast.Node {
	c := constantLengths{values: map[string][]ast.Expr{}, known: map[string]int{}}
	ast.Inspect(syntax, func(n ast.Node) bool {
		decl, ok := n.(*ast.GenDecl)
		if !ok || decl.Tok != token.CONST {
			return true
		}
		var repeated []ast.Expr
		for _, spec := range decl.Specs {
			value := spec.(*ast.ValueSpec)
			if len(value.Values) > 0 {
				repeated = value.Values
			}
			for i, name := range value.Names {
				if i < len(repeated) {
					c.values[name.Name] = append(c.values[name.Name], repeated[i])
				}
			}
		}
		return true
	})
	var long ast.Node
	part := map[ast.Expr]bool{} // left sides of sums that were counted as a whole
	ast.Inspect(syntax, func(n ast.Node) bool {
		if sum, ok := n.(*ast.BinaryExpr); ok && sum.Op == token.ADD && long == nil {
			part[sum.X] = true
			if !part[sum] && c.length(sum) > maxConstantString {
				long = sum
			}
		}
		return long == nil
	})
	return long
}

type constantLengths struct {
	values map[string][]ast.Expr
	known  map[string]int // -1 while it is being computed
}

// length bounds the bytes of a constant string expression from above, as far as it matters; 0 for everything else.
func (c constantLengths) length(e ast.Expr) int {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			return len(e.Value)
		}
	case *ast.ParenExpr:
		return c.length(e.X)
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			return min(c.length(e.X)+c.length(e.Y), 2*maxConstantString)
		}
	case *ast.CallExpr: // a conversion
		if len(e.Args) == 1 {
			return c.length(e.Args[0])
		}
	case *ast.Ident:
		return c.named(e.Name)
	}
	return 0
}

func (c constantLengths) named(name string) int {
	if n, ok := c.known[name]; ok {
		return max(n, 0)
	}
	c.known[name] = -1
	longest := 0
	for _, value := range c.values[name] {
		longest = max(longest, c.length(value))
	}
	c.known[name] = longest
	return longest
}
