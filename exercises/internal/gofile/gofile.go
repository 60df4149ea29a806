// Package gofile checks Go files that are data: starters, probes, answers. It parses and looks at declarations; it does not
// type-check, which needs the runtime, and runs nothing.
package gofile

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"strings"

	"fieldbook/exercises/strict"
	"fieldbook/grader"
)

// Constraint is the first line of every Go file that is data: the build leaves the file out, editors and gofmt see it.
const Constraint = "//go:build exercise"

// Probe is the type of func Probe.
const Probe = "func(ctx context.Context, w *world.World) (world.Observation, error)"

// File is a parsed file. Name begins its positions.
type File struct {
	Name string
	text []byte
	set  *token.FileSet
	tree *ast.File
}

// Parse reads a file and checks what all of them share: it parses, is formatted, and is kept out of the build. The File is
// nil when it does not parse.
func Parse(name string, text []byte) (*File, []grader.Diagnostic) {
	var found []grader.Diagnostic
	if first, _, _ := bytes.Cut(text, []byte("\n")); string(first) != Constraint {
		found = append(found, strict.Complaint(name, 1, "the first line must be %s", Constraint))
	}
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if list := (scanner.ErrorList)(nil); errors.As(err, &list) {
		for _, e := range list {
			found = append(found, strict.Complaint(name, e.Pos.Line, "%s", e.Msg))
		}
		return nil, found
	}
	var formatted bytes.Buffer
	if err := format.Node(&formatted, set, tree); err == nil && !bytes.Equal(formatted.Bytes(), text) {
		found = append(found, strict.Complaint(name, 0, "the file is not formatted; run gofmt"))
	}
	return &File{Name: name, text: text, set: set, tree: tree}, found
}

// Package is the name in the package clause.
func (f *File) Package() string { return f.tree.Name.Name }

// InPackage complains unless the package clause names want.
func (f *File) InPackage(want string) []grader.Diagnostic {
	if f.Package() == want {
		return nil
	}
	return f.complain(f.tree.Name, "the package is %s; it must be %s", f.Package(), want)
}

// Declares complains unless the file declares a function of that name and type; the names of parameters are free.
func (f *File) Declares(name, signature string) []grader.Diagnostic {
	fn := f.function(name)
	if fn == nil {
		return []grader.Diagnostic{strict.Complaint(f.Name, 0, "the file does not declare func %s", name)}
	}
	if want, err := Shape(signature); err == nil && want != shape(fn.Type) {
		return f.complain(fn, "%s has the type %s; it must be %s", name, shape(fn.Type), want)
	}
	return nil
}

// Unfinished complains unless the function of that name calls exercise.Unfinished.
func (f *File) Unfinished(name string) []grader.Diagnostic {
	fn := f.function(name)
	if fn == nil {
		return nil
	}
	found := false
	ast.Inspect(fn, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && types.ExprString(call.Fun) == "exercise.Unfinished" {
			found = true
		}
		return !found
	})
	if found {
		return nil
	}
	return f.complain(fn, "%s must call exercise.Unfinished", name)
}

// Comment returns the text of the comment that documents a function, or "".
func (f *File) Comment(name string) string {
	if fn := f.function(name); fn != nil {
		return strings.TrimSpace(fn.Doc.Text())
	}
	return ""
}

func (f *File) function(name string) *ast.FuncDecl {
	for _, decl := range f.tree.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == name {
			return fn
		}
	}
	return nil
}

func (f *File) complain(at ast.Node, format string, args ...any) []grader.Diagnostic {
	return []grader.Diagnostic{strict.Complaint(f.Name, f.set.Position(at.Pos()).Line, format, args...)}
}

// Shape reads a function type and returns it without the names of its parameters and results.
func Shape(signature string) (string, error) {
	fn, err := FuncType(signature)
	if err != nil {
		return "", err
	}
	return shape(fn), nil
}

// FuncType parses a function type in which every parameter and result is a field of its own, without a name.
func FuncType(signature string) (*ast.FuncType, error) {
	expr, err := parser.ParseExpr(signature)
	if err != nil {
		return nil, fmt.Errorf("signature %q is no Go type: %w", signature, err)
	}
	fn, ok := expr.(*ast.FuncType)
	if !ok {
		return nil, fmt.Errorf("signature %q is no function type; begin with func", signature)
	}
	return bare(fn), nil
}

// shape is a function type as text without names: func(context.Context, string) error.
func shape(fn *ast.FuncType) string { return types.ExprString(bare(fn)) }

func bare(fn *ast.FuncType) *ast.FuncType {
	return &ast.FuncType{Params: unnamed(fn.Params), Results: unnamed(fn.Results)}
}

func unnamed(list *ast.FieldList) *ast.FieldList {
	if list == nil {
		return nil
	}
	out := &ast.FieldList{}
	for _, field := range list.List {
		for range max(len(field.Names), 1) {
			out.List = append(out.List, &ast.Field{Type: field.Type})
		}
	}
	return out
}
