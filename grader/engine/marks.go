package engine

import (
	"bytes"
	"go/ast"
	"go/token"
	"slices"
	"strconv"
)

// lineVariable is a variable of lowered programs that always holds the number of the line of lowered text that was
// reached last. The interpreter's own account of where a panic happened names no more than the function.
const lineVariable = "LineReached"

// withMarks writes an assignment to lineVariable in front of statements, on the statement's own line, so line numbers
// stay. A statement is passed over when the one before it stands for the same source line and calls nothing: a mark
// costs about as much as an addition.
func withMarks(files *token.FileSet, syntax *ast.File, text []byte, lines LineMap) []byte {
	m := marker{lines: lines, file: files.File(syntax.FileStart)}
	ast.Inspect(syntax, func(n ast.Node) bool {
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
	var out bytes.Buffer
	from := 0
	for _, mark := range sortedMarks(m.marks) {
		out.Write(text[from:mark.offset])
		out.WriteString(lineVariable + " = " + strconv.Itoa(mark.line) + "; ")
		from = mark.offset
	}
	out.Write(text[from:])
	out.WriteString("\nvar " + lineVariable + " int\n")
	return out.Bytes()
}

type mark struct{ offset, line int }

type marker struct {
	lines LineMap
	file  *token.File
	marks []mark
}

func (m *marker) list(statements []ast.Stmt) {
	reached := [2]int{} // the source line that the mark in force stands for
	for _, s := range statements {
		line := m.file.Line(s.Pos())
		var source [2]int
		if line <= len(m.lines.Marks) {
			source = m.lines.Marks[line-1]
		}
		if source[1] != 0 && source != reached {
			m.marks = append(m.marks, mark{m.file.Offset(s.Pos()), line})
			reached = source
		}
		if reaches(s) {
			reached = [2]int{}
		}
	}
}

// reaches reports whether other marks may be passed while a statement runs.
func reaches(s ast.Stmt) bool {
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

func sortedMarks(marks []mark) []mark {
	slices.SortFunc(marks, func(a, b mark) int { return a.offset - b.offset })
	return marks
}
