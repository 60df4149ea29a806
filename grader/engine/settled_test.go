package engine_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"fieldbook/grader/engine"
	teaching "fieldbook/runtime"
)

// Of the copied runtime's own functions only the signatures are checked again after lowering. Here every file of it is a
// source of the program, which mentions all that it exports, so everything is checked whole.
func TestCopiedRuntimeIsRightWhenLowered(t *testing.T) {
	tree := teaching.Tree()
	program := engine.Program{
		Entry: engine.Entry{Package: "main", Function: "main"},
		Rules: engine.Rules{Main: true},
	}
	exported := map[string][]string{} // names by import path
	err := fs.WalkDir(tree, ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".go" {
			return err
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		program.Sources = append(program.Sources, engine.Source{Path: name, Text: text})
		syntax, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		in := engine.ImportPath(name)
		for _, decl := range syntax.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Name.IsExported() {
				exported[in] = append(exported[in], mention(f))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(exported) < 2 {
		t.Fatalf("%d copied packages were found", len(exported))
	}
	var text bytes.Buffer
	text.WriteString("package main\n\n")
	paths := slices.Sorted(maps.Keys(exported))
	for i, path := range paths {
		fmt.Fprintf(&text, "import p%d %q\n", i, path)
	}
	text.WriteString("\nfunc main() {\n")
	for i, path := range paths {
		for _, name := range exported[path] {
			fmt.Fprintf(&text, "\t_ = "+name+"\n", fmt.Sprintf("p%d", i))
		}
	}
	text.WriteString("}\n")
	program.Sources = append(program.Sources, engine.Source{Path: "main.go", Text: text.Bytes()})
	prepared, found, err := engine.New(tree).Prepare(t.Context(), program)
	if err != nil || len(found) > 0 {
		t.Fatalf("%v, error %v, in\n%s", found, err, text.Bytes())
	}
	mentions := bytes.Count(text.Bytes(), []byte("\t_ = "))
	if functions := strings.Count(prepared.First+prepared.Text, "\nfunc "); functions < mentions {
		t.Errorf("%d functions were checked, and %d are mentioned", functions, mentions)
	}
}

// mention is how a main package names an exported function or method: %s is the package.
func mention(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return "%s." + f.Name.Name
	}
	receiver := f.Recv.List[0].Type
	if pointer, ok := receiver.(*ast.StarExpr); ok {
		receiver = pointer.X
	}
	return "(*%s." + receiver.(*ast.Ident).Name + ")." + f.Name.Name
}
