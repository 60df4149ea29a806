package fault

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"sort"
	"strings"
)

// kind orders the candidates: the edits that most often give a small, readable fault come first.
type kind int

const (
	textLiteral kind = iota // 1 <-> 0 inside a text, SQL above all
	numberLiteral
	truthValue
	elementDropped
	statementRemoved
	conditionNegated
	argumentDropped
	operatorReplaced
	resultDropped
)

// Mutants returns every single-node edit of a Go file in a fixed order: by kind, then by position. The whole file counts,
// constants and helpers outside the declared function too. Many of the edits do not type-check; the caller finds out.
func Mutants(source []byte) ([]Edit, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "source.go", source, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("parse the source to be broken: %w", err)
	}
	c := collector{source: source, file: fset.File(file.FileStart), fset: fset}
	for _, decl := range file.Decls {
		if d, ok := decl.(*ast.GenDecl); ok && d.Tok == token.IMPORT {
			continue
		}
		ast.Inspect(decl, c.visit)
	}
	sort.SliceStable(c.edits, func(i, j int) bool {
		a, b := c.edits[i], c.edits[j]
		if a.kind != b.kind {
			return a.kind < b.kind
		}
		if a.Start != b.Start {
			return a.Start < b.Start
		}
		return a.End < b.End
	})
	return c.edits, nil
}

type collector struct {
	source []byte
	file   *token.File
	fset   *token.FileSet
	edits  []Edit
}

// add records the edit of the bytes from pos to end.
func (c *collector) add(k kind, what string, pos, end token.Pos, text string) {
	start := c.file.Offset(pos)
	at := c.fset.PositionFor(pos, false) // a //line comment changes nothing
	c.edits = append(c.edits, Edit{Start: start, End: c.file.Offset(end), Text: text, Line: at.Line, Column: at.Column, What: what, kind: k})
}

func (c *collector) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BasicLit:
		c.literal(n)
	case *ast.Ident:
		switch n.Name {
		case "true":
			c.add(truthValue, "one truth value", n.Pos(), n.End(), "false")
		case "false":
			c.add(truthValue, "one truth value", n.Pos(), n.End(), "true")
		}
	case *ast.BlockStmt:
		c.statements(n.List)
	case *ast.CaseClause:
		c.statements(n.Body)
	case *ast.CompositeLit:
		c.dropped(elementDropped, "one element dropped", n.Elts)
	case *ast.CallExpr:
		c.dropped(argumentDropped, "one argument dropped", n.Args)
	case *ast.BinaryExpr:
		c.operator(n)
	case *ast.ReturnStmt:
		c.results(n)
	case *ast.IfStmt:
		c.negated(n.Cond)
	case *ast.ForStmt:
		if n.Cond != nil {
			c.negated(n.Cond)
		}
	case *ast.SelectorExpr: // in x.true only x is an expression
		ast.Inspect(n.X, c.visit)
		return false
	}
	return true
}

func (c *collector) literal(lit *ast.BasicLit) {
	switch lit.Kind {
	case token.INT:
		if lit.Value == "0" || lit.Value == "1" {
			c.add(numberLiteral, "one number", lit.Pos(), lit.End(), flipped(lit.Value))
		}
	case token.STRING:
		// The bytes of the file, not lit.Value: the scanner drops carriage returns from raw strings.
		start := c.file.Offset(lit.Pos())
		text := string(c.source[start:c.file.Offset(lit.End())])
		if text[0] == '`' {
			rest := string(c.source[start+1:])
			text = "`" + rest[:strings.IndexByte(rest, '`')+1]
		}
		for i := range len(text) {
			if digit := text[i : i+1]; (digit == "0" || digit == "1") && alone(text, i) {
				pos := c.file.Pos(start + i)
				c.add(textLiteral, "one literal inside a text", pos, pos+1, flipped(digit))
			}
		}
	}
}

func flipped(digit string) string {
	if digit == "0" {
		return "1"
	}
	return "0"
}

// alone reports whether the character at i belongs to no longer word or number.
func alone(text string, i int) bool {
	word := func(b byte) bool {
		return b == '_' || b == '.' || b == '\\' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
	}
	return (i == 0 || !word(text[i-1])) && (i+1 == len(text) || !word(text[i+1]))
}

// statements proposes to remove each statement; a declaration that others need is refused by the type-checker.
func (c *collector) statements(list []ast.Stmt) {
	for _, s := range list {
		if _, empty := s.(*ast.EmptyStmt); empty {
			continue
		}
		start, end := c.file.Offset(s.Pos()), c.file.Offset(s.End())
		// Take the whole lines when nothing else stands on them, so that no blank line gives the place away.
		lineStart := strings.LastIndexByte(string(c.source[:start]), '\n') + 1
		rest := strings.IndexByte(string(c.source[end:]), '\n')
		if strings.TrimSpace(string(c.source[lineStart:start])) == "" && rest >= 0 && strings.TrimSpace(string(c.source[end:end+rest])) == "" {
			start, end = lineStart, end+rest+1
		}
		at := c.fset.PositionFor(s.Pos(), false)
		c.edits = append(c.edits, Edit{Start: start, End: end, Line: at.Line, Column: at.Column, What: "one statement removed", kind: statementRemoved})
	}
}

// dropped proposes to leave out each expression of a list together with the comma beside it.
func (c *collector) dropped(k kind, what string, list []ast.Expr) {
	for i, e := range list {
		switch {
		case i+1 < len(list):
			c.add(k, what, e.Pos(), list[i+1].Pos(), "")
		case i > 0:
			c.add(k, what, list[i-1].End(), e.End(), "")
		default:
			c.add(k, what, e.Pos(), e.End(), "")
		}
	}
}

func (c *collector) negated(condition ast.Expr) {
	start, end := c.file.Offset(condition.Pos()), c.file.Offset(condition.End())
	c.add(conditionNegated, "one condition negated", condition.Pos(), condition.End(), "!("+string(c.source[start:end])+")")
}

// opposite is the operator that is taken for another; token.ILLEGAL for one that is taken for none.
func opposite(operator token.Token) token.Token {
	for _, pair := range [...][2]token.Token{{token.LAND, token.LOR}, {token.EQL, token.NEQ}, {token.LSS, token.LEQ}, {token.GTR, token.GEQ}, {token.ADD, token.SUB}} {
		switch operator {
		case pair[0]:
			return pair[1]
		case pair[1]:
			return pair[0]
		}
	}
	return token.ILLEGAL
}

func (c *collector) operator(n *ast.BinaryExpr) {
	if other := opposite(n.Op); other != token.ILLEGAL {
		c.add(operatorReplaced, "one operator replaced", n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), other.String())
	}
}

// results proposes nil for each result of a return: an error that is swallowed, above all. Where nil is no value of the
// result's type the type-checker refuses it.
func (c *collector) results(n *ast.ReturnStmt) {
	for _, r := range n.Results {
		if name, ok := r.(*ast.Ident); !ok || name.Name != "nil" {
			c.add(resultDropped, "one result dropped", r.Pos(), r.End(), "nil")
		}
	}
}
