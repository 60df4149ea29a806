package engine_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"fieldbook/grader"
	"fieldbook/grader/engine"
	teaching "fieldbook/runtime"
)

// divided is a program that stands alone, its main function in a driver's file and every other function and method in a
// learner's. moved is how many are the learner's.
func divided(t *testing.T, text []byte) (p engine.Program, moved int) {
	t.Helper()
	files := token.NewFileSet()
	syntax, err := parser.ParseFile(files, "main.go", text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var driver, learner []ast.Decl
	turn := false
	for _, decl := range syntax.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if ok && f.Name.Name != "main" && f.Name.Name != "init" {
			turn = !turn
			if turn {
				learner = append(learner, decl)
				continue
			}
		}
		driver = append(driver, decl)
	}
	file := func(decls []ast.Decl) []byte {
		var out bytes.Buffer
		fmt.Fprintf(&out, "package %s\n\n", syntax.Name.Name)
		used := usedPackages(decls)
		for _, spec := range syntax.Imports {
			name, _ := strconv.Unquote(spec.Path.Value)
			name = path.Base(name)
			if spec.Name != nil {
				name = spec.Name.Name
			}
			if used[name] {
				fmt.Fprintf(&out, "import %s %s\n", name, spec.Path.Value)
			}
		}
		for _, decl := range decls {
			if g, ok := decl.(*ast.GenDecl); !ok || g.Tok != token.IMPORT {
				out.WriteByte('\n')
				out.Write(text[files.Position(decl.Pos()).Offset:files.Position(decl.End()).Offset])
				out.WriteByte('\n')
			}
		}
		return out.Bytes()
	}
	return engine.Program{
		Sources: []engine.Source{
			{Path: "main/driver.go", Name: "main.go", Text: file(driver)},
			{Path: "main/learner.go", Name: "main.go", Text: file(learner), Learner: true},
		},
		Entry: engine.Entry{Package: "fieldbook/main", Function: "main"},
	}, len(learner)
}

// usedPackages are the names that something is selected from.
func usedPackages(decls []ast.Decl) map[string]bool {
	used := map[string]bool{}
	for _, decl := range decls {
		ast.Inspect(decl, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok {
					used[x.Name] = true
				}
			}
			return true
		})
	}
	return used
}

// TestConformanceInTwoTexts divides the conformance cases between a driver and a learner. Each must do what it does in one
// piece: the two texts call each other in every way that Go has.
func TestConformanceInTwoTexts(t *testing.T) {
	cases, err := filepath.Glob("testdata/conformance/cases/*.go")
	if err != nil || len(cases) == 0 {
		t.Fatalf("no conformance cases: %v", err)
	}
	e := engine.New(teaching.Tree())
	right, whole, refused, linked := 0, 0, 0, 0
	for _, file := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".go"), func(t *testing.T) {
			text, want := readCase(t, file)
			program, moved := divided(t, text)
			if moved == 0 {
				whole++
				return
			}
			prepared, found, err := e.Prepare(t.Context(), program)
			if err != nil {
				t.Fatal(err)
			}
			if len(found) > 0 {
				t.Log(found)
				if engine.OutcomeOf(found) != grader.Unsupported {
					t.Fatalf("refused: %v", found)
				}
				refused++
				return
			}
			if !strings.Contains(prepared.First, "func f_main_") {
				t.Errorf("the driver is not in the first text:\n%s", prepared.First)
			}
			if strings.Contains(prepared.First, "link_") {
				linked++
			}
			if stdout, stderr, code := process(t, prepared); stdout != string(want) {
				t.Errorf("exit %d, stderr %s\ngot:\n%s\nwant:\n%s", code, stderr, stdout, want)
				return
			}
			right++
		})
	}
	t.Logf("%d right, %d of them calling the learner's functions; %d without a function to move, %d refused, of %d", right, linked, whole, refused, len(cases))
	if linked < right/2 {
		t.Error("too few call from one text into the other")
	}
}
