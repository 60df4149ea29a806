package engine_test

import (
	"context"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"
	"testing"

	"fieldbook/grader/engine"
	teaching "fieldbook/runtime"
)

// mainProgram is one package main, as fieldbook try makes it.
func mainProgram(text string) engine.Program {
	return engine.Program{
		Sources: []engine.Source{{Path: "main.go", Name: "main.go", Text: []byte(text), Learner: true}},
		Entry:   engine.Entry{Package: "main", Function: "main"},
		Rules:   engine.Rules{Main: true},
	}
}

// The positions of faults are those that go/types finds with the sources of GOROOT, for programs that do not compile.
// testdata/illtyped.txt holds the programs: each begins with a line "-- name --".
func TestIllTypedPositions(t *testing.T) {
	data, err := os.ReadFile("testdata/illtyped.txt")
	if err != nil {
		t.Fatal(err)
	}
	e := engine.New(teaching.Tree())
	files := token.NewFileSet()
	fromSource := importer.ForCompiler(files, "source", nil)
	count := 0
	for part := range strings.SplitSeq("\n"+string(data), "\n-- ") {
		name, text, ok := strings.Cut(part, " --\n")
		if !ok {
			continue
		}
		count++
		t.Run(name, func(t *testing.T) {
			want := sourcePositions(t, files, fromSource, text)
			if len(want) == 0 {
				t.Fatal("go/types accepts this program")
			}
			_, found, err := e.Prepare(context.Background(), mainProgram(text))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range found {
				got = append(got, fmt.Sprintf("%d:%d", d.Line, d.Column))
			}
			slices.Sort(got)
			if !slices.Equal(slices.Compact(got), want) {
				t.Errorf("positions %v, want %v\n%v", got, want, found)
			}
		})
	}
	if count < 60 {
		t.Errorf("%d programs, want at least 60", count)
	}
}

func sourcePositions(t *testing.T, files *token.FileSet, imports types.Importer, text string) []string {
	t.Helper()
	syntax, err := parser.ParseFile(files, "main.go", text, parser.SkipObjectResolution|parser.AllErrors)
	if err != nil {
		t.Fatalf("a syntax error: %v", err)
	}
	var positions []string
	config := types.Config{Importer: imports, GoVersion: "go1.26", Error: func(err error) {
		fault := err.(types.Error)
		if !strings.HasPrefix(fault.Msg, "\t") {
			p := files.PositionFor(fault.Pos, false)
			positions = append(positions, fmt.Sprintf("%d:%d", p.Line, p.Column))
		}
	}}
	_, _ = config.Check("main", files, []*ast.File{syntax}, nil)
	slices.Sort(positions)
	return slices.Compact(positions)
}
