package engine

import (
	"fmt"
	"go/ast"
	"go/token"
	"strconv"
)

// lineVariable is a variable of lowered programs that always holds the number of the line of lowered text that was
// reached last. The interpreter's own account of where a panic happened names no more than the function.
const lineVariable = "LineReached"

// edit replaces the bytes from start to end.
type edit struct {
	start, end int
	text       string
}

// passWhole lets a function take floating-point arguments as interfaces. The interpreter passes over an argument that reflect
// takes for zero, and negative zero is one: the parameter would be positive.
func (m *marker) passWhole(f *ast.FuncDecl) {
	for _, field := range f.Type.Params.List {
		if !passedWhole(field) {
			continue
		}
		t := field.Type.(*ast.Ident)
		for _, name := range field.Names {
			m.replace(name, "in_"+name.Name)
			m.insert(f.Body.Lbrace+1, fmt.Sprintf(" %s := in_%s.(%s);", name.Name, name.Name, t.Name))
		}
		m.replace(t, "any")
	}
}

func (m *marker) replace(name *ast.Ident, text string) {
	m.edits = append(m.edits, edit{m.file.Offset(name.Pos()), m.file.Offset(name.End()), text})
}

func (m *marker) insert(at token.Pos, text string) {
	m.edits = append(m.edits, edit{m.file.Offset(at), m.file.Offset(at), text})
}

// passedWhole reports whether passWhole changes the type of parameters.
func passedWhole(field *ast.Field) bool {
	t, ok := field.Type.(*ast.Ident)
	return ok && floating(t.Name)
}

func floating(name string) bool {
	return name == "float64" || name == "float32" || name == "complex128" || name == "complex64"
}

// marker has statements say which line was reached.
type marker struct {
	lines LineMap // of the lowered file
	file  *token.File
	moved map[int]int // lines of the lowered file: what they become
	edits []edit
}

// mark writes an assignment to lineVariable in front of statements that may panic. A statement is passed over when the one
// before it stands for the same source line and calls nothing: a mark costs about as much as an addition.
func (m *marker) mark(decl ast.Decl) {
	ast.Inspect(decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			m.list(n.List)
		case *ast.CaseClause:
			m.list(n.Body)
		case *ast.CommClause:
			m.list(n.Body)
		}
		return true
	})
}

func (m *marker) list(statements []ast.Stmt) {
	if len(statements) > 0 && isClause(statements[0]) {
		return // the body of a switch or select: its clauses have lists of their own
	}
	inForce := [2]int{} // the source line that the last mark stands for, while no other mark can have been passed
	for _, s := range statements {
		line := m.file.Line(s.Pos())
		var source [2]int
		if line <= len(m.lines.Marks) {
			source = m.lines.Marks[line-1]
		}
		if source[1] != 0 && source != inForce && mayPanic(s) {
			m.insert(s.Pos(), lineVariable+" = "+strconv.Itoa(m.moved[line])+"; ")
			inForce = source
		}
		if leads(s) {
			inForce = [2]int{}
		}
	}
}

func isClause(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}

// mayPanic reports whether a statement itself, the statements inside it aside, could panic: by a call, an index, a
// dereference, a division, a channel.
func mayPanic(s ast.Stmt) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			for _, value := range n.Values {
				found = found || mayPanic(&ast.ExprStmt{X: value})
			}
			return false
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause, *ast.FuncLit, *ast.ArrayType, *ast.MapType, *ast.FuncType:
			return false
		case *ast.CallExpr, *ast.IndexExpr, *ast.SliceExpr, *ast.StarExpr, *ast.SelectorExpr, *ast.TypeAssertExpr, *ast.SendStmt,
			*ast.RangeStmt, *ast.SelectStmt, *ast.GoStmt:
			found = true
		case *ast.BinaryExpr:
			found = found || n.Op == token.QUO || n.Op == token.REM || n.Op == token.SHL || n.Op == token.SHR
		case *ast.AssignStmt:
			found = found || n.Tok == token.QUO_ASSIGN || n.Tok == token.REM_ASSIGN || n.Tok == token.SHL_ASSIGN || n.Tok == token.SHR_ASSIGN
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}

// leads reports whether other marks may be passed while a statement runs.
func leads(s ast.Stmt) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr, *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
			found = true
		}
		return !found
	})
	return found
}
