package probe

import (
	"go/ast"
	"go/parser"
	"go/token"
)

// sameStatement reports whether two lines of a file belong to the same statement: the interpreter knows at which statement a
// panic began, the compiler at which line of it. Without a text that parses, the lines must be the same.
func sameStatement(text []byte, a, b int) bool {
	if a == b {
		return true
	}
	files := token.NewFileSet()
	syntax, err := parser.ParseFile(files, "", text, parser.SkipObjectResolution)
	if err != nil {
		return false
	}
	return innermost(files, syntax, a) == innermost(files, syntax, b)
}

// lines is the extent of a statement, from and to included.
type lines struct{ from, to int }

func (l lines) holds(line int) bool { return l.from <= line && line <= l.to }

// innermost is the shortest extent of a statement that holds a line. Of a statement with a body, the body is not part of
// its own extent.
func innermost(files *token.FileSet, syntax *ast.File, line int) lines {
	best := lines{line, line}
	found := false
	ast.Inspect(syntax, func(n ast.Node) bool {
		from, to := extent(n)
		if from == token.NoPos {
			return true
		}
		l := lines{files.PositionFor(from, false).Line, files.PositionFor(to, false).Line}
		if l.holds(line) && (!found || l.to-l.from < best.to-best.from) {
			best, found = l, true
		}
		return true
	})
	return best
}

// extent is where a statement, or a declaration of variables, begins and ends without its body; NoPos for any other node.
func extent(n ast.Node) (from, to token.Pos) {
	switch n := n.(type) {
	case *ast.BlockStmt, *ast.LabeledStmt, nil:
		return token.NoPos, token.NoPos
	case *ast.IfStmt:
		return n.Pos(), n.Body.Lbrace
	case *ast.ForStmt:
		return n.Pos(), n.Body.Lbrace
	case *ast.RangeStmt:
		return n.Pos(), n.Body.Lbrace
	case *ast.SwitchStmt:
		return n.Pos(), n.Body.Lbrace
	case *ast.TypeSwitchStmt:
		return n.Pos(), n.Body.Lbrace
	case *ast.SelectStmt:
		return n.Pos(), n.Body.Lbrace
	case *ast.CaseClause:
		return n.Pos(), n.Colon
	case *ast.CommClause:
		return n.Pos(), n.Colon
	case ast.Stmt, *ast.ValueSpec:
		return n.Pos(), n.End()
	default:
		return token.NoPos, token.NoPos
	}
}
