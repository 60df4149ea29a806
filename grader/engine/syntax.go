package engine

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"
	"unicode"

	"fieldbook/grader"
)

// parse reads the file's syntax into files and returns every syntax error.
func (f *file) parse(files *token.FileSet) []grader.Diagnostic {
	syntax, err := parser.ParseFile(files, f.path, f.text, parser.ParseComments|parser.AllErrors|parser.SkipObjectResolution)
	f.syntax = syntax
	if syntax != nil && syntax.FileStart.IsValid() {
		f.token = files.File(syntax.FileStart)
	}
	if err == nil {
		return f.bounded()
	}
	var list scanner.ErrorList
	if !errors.As(err, &list) {
		return []grader.Diagnostic{f.whole(codeSyntax, err.Error(), "")}
	}
	var found []grader.Diagnostic
	line := 0
	for _, e := range list {
		// The offset alone is true: line and column follow //line comments.
		message := syntaxMessage(e.Msg)
		d := f.at(codeSyntax, e.Pos.Offset, e.Pos.Offset, message, syntaxHint(message))
		if d.Line == line {
			continue // what follows on the same line comes from the first error there
		}
		line = d.Line
		found = append(found, d)
	}
	return found
}

// syntaxMessage turns the parser's words into the compiler's: "expected ')', found newline" becomes "syntax error:
// unexpected newline, expected )".
func syntaxMessage(message string) string {
	expected, found, ok := strings.Cut(message, ", found ")
	what, isExpected := strings.CutPrefix(expected, "expected ")
	if !ok || !isExpected {
		return "syntax error: " + message
	}
	return fmt.Sprintf("syntax error: unexpected %s, expected %s", spelled(found), expectedSpelling(what))
}

// syntaxHint says what to do about the commonest syntax errors.
func syntaxHint(message string) string {
	for _, h := range []struct{ part, hint string }{
		{"unexpected EOF", "A {, ( or [ is still open at the end of the file."},
		{"before {", "Put { at the end of the line above."},
		{"string literal not terminated", "Close the string with \" on its line; a string of several lines stands between two `."},
		{"illegal rune literal", "One character stands in single quotes; a string stands in double quotes."},
		{"missing ',' before newline", "Put a comma at the end of the line."},
		{"comment not terminated", "Close the comment with */."},
		{"expected keyword package", "A Go file begins with its package clause."},
		{"imports must appear before other declarations", "Move the import up, below the package clause."},
	} {
		if strings.Contains(message, h.part) {
			return h.hint
		}
	}
	return ""
}

// spelled names a token or a kind of token as the compiler does. The parser quotes operators and keywords, and gives
// names and literals as they stand in the source.
func spelled(tok string) string {
	inner := tok
	if len(tok) > 2 && tok[0] == '\'' && tok[len(tok)-1] == '\'' {
		inner = tok[1 : len(tok)-1]
	}
	switch {
	case inner == "IDENT":
		return "name"
	case inner == ";":
		return "semicolon or newline"
	case inner == ",":
		return "comma"
	case inner == "EOF" || inner == "newline":
		return inner
	case inner != tok && token.IsKeyword(inner):
		return "keyword " + inner
	case inner != tok && !strings.ContainsFunc(inner, letterOrDigit):
		return inner // an operator
	case token.IsIdentifier(tok):
		return "name " + tok
	case strings.ContainsAny(tok[:1], "0123456789.\"'`"):
		return "literal " + tok
	}
	return tok // "operand", "expression", "type"
}

// expectedSpelling is spelled for what the parser wanted: kinds of syntax stay words.
func expectedSpelling(what string) string {
	if strings.HasPrefix(what, "'") {
		return spelled(what)
	}
	return what
}

func letterOrDigit(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// bounded refuses syntax whose checking could take the process down: trees too deep to walk, constants that grow by
// doubling.
func (f *file) bounded() []grader.Diagnostic {
	depth := 0
	var deep ast.Node
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if n == nil {
			depth--
			return true
		}
		depth++
		if depth > maxDepth && deep == nil {
			deep = n
		}
		return true
	})
	if deep != nil {
		return []grader.Diagnostic{f.at(codeTooDeep, f.offset(deep.Pos()), 0,
			fmt.Sprintf("this is nested more than %d levels deep", maxDepth), "Split the expression or the statement.")}
	}
	if n := longConstant(f.syntax); n != nil {
		return []grader.Diagnostic{f.node(codeConstant, n,
			fmt.Sprintf("this constant string can have more than %d bytes", maxConstantString), "Build it when the program runs, with strings.Repeat.")}
	}
	return nil
}
