package engine

import (
	"bytes"
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// lineVariable is a variable of lowered programs that always holds the number of the line of lowered text that was
// reached last. The interpreter's own account of where a panic happened names no more than the function.
const lineVariable = "LineReached"

// finish makes the text that travels from text that was checked. It writes an assignment to lineVariable in front of
// statements, on the statement's own line, so line numbers stay. A statement is passed over when the one before it stands
// for the same source line and calls nothing: a mark costs about as much as an addition. Functions that nothing reaches
// from the roots are left out, lines excepted: the interpreter would compile them.
func finish(files *token.FileSet, syntax *ast.File, text []byte, lines LineMap, roots ...string) []byte {
	m := marker{lines: lines, file: files.File(syntax.FileStart)}
	reached := reachable(syntax, roots)
	for _, decl := range syntax.Decls {
		if function, ok := decl.(*ast.FuncDecl); ok && !reached[function.Name.Name] {
			m.edits = append(m.edits, m.omit(function, text))
			continue
		}
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
	slices.SortFunc(m.edits, func(a, b edit) int { return a.start - b.start })
	var out bytes.Buffer
	from := 0
	for _, e := range m.edits {
		out.Write(text[from:e.start])
		out.WriteString(e.text)
		from = e.end
	}
	out.Write(text[from:])
	out.WriteString("\nvar " + lineVariable + " int\n")
	return out.Bytes()
}

// reachable returns the names that the declarations of roots need, and all that theirs need. Names are told apart by
// spelling alone, and every variable counts as needed: too much is kept rather than too little.
func reachable(syntax *ast.File, roots []string) map[string]bool {
	functions := map[string]*ast.FuncDecl{}
	reached := map[string]bool{}
	var todo []ast.Node
	reach := func(name string) {
		if function := functions[name]; function != nil && !reached[name] {
			reached[name] = true
			todo = append(todo, function)
		}
	}
	for _, decl := range syntax.Decls {
		if function, ok := decl.(*ast.FuncDecl); ok {
			functions[function.Name.Name] = function
			if function.Recv != nil || function.Name.Name == "init" {
				reached[function.Name.Name] = true
				todo = append(todo, function)
			}
		} else {
			todo = append(todo, decl)
		}
	}
	for _, root := range roots {
		reach(root)
	}
	for len(todo) > 0 {
		node := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		ast.Inspect(node, func(n ast.Node) bool {
			if ident, ok := n.(*ast.Ident); ok {
				reach(ident.Name)
			}
			return true
		})
	}
	return reached
}

// edit replaces the bytes from start to end.
type edit struct {
	start, end int
	text       string
}

// omit replaces a declaration by its line ends.
func (m *marker) omit(decl ast.Decl, text []byte) edit {
	start, end := m.file.Offset(decl.Pos()), m.file.Offset(decl.End())
	return edit{start, end, strings.Repeat("\n", bytes.Count(text[start:end], []byte("\n")))}
}

type marker struct {
	lines LineMap
	file  *token.File
	edits []edit
}

func (m *marker) list(statements []ast.Stmt) {
	if len(statements) > 0 && isClause(statements[0]) {
		return // the body of a switch or select: its clauses have lists of their own
	}
	reached := [2]int{} // the source line that the mark in force stands for
	for _, s := range statements {
		line := m.file.Line(s.Pos())
		var source [2]int
		if line <= len(m.lines.Marks) {
			source = m.lines.Marks[line-1]
		}
		if source[1] != 0 && source != reached {
			at := m.file.Offset(s.Pos())
			m.edits = append(m.edits, edit{at, at, lineVariable + " = " + strconv.Itoa(line) + "; "})
			reached = source
		}
		if reaches(s) {
			reached = [2]int{}
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
