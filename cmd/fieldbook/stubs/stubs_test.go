package stubs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"fieldbook/cmd/fieldbook/stubs"
	"fieldbook/grader/engine/offered"
)

func TestEveryOfferedPackageHasAStub(t *testing.T) {
	files, err := stubs.Generate()
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, f := range files {
		texts["fieldbook/"+strings.TrimSuffix(f.Path, "/"+stubs.Name)] = string(f.Text)
	}
	for _, path := range offered.Supplied() {
		text, ok := texts[path]
		if !ok {
			t.Errorf("%s has no stub", path)
			continue
		}
		if !strings.HasPrefix(text, "// SUPPLIED") {
			t.Errorf("%s does not say what it is", path)
		}
	}
}

// A stub holds declarations, and not a line of what the real functions do.
func TestStubsHaveNoBodies(t *testing.T) {
	files, err := stubs.Generate()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), f.Path, f.Text, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		documented := 0
		for _, d := range parsed.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if fn.Doc != nil {
				documented++
			}
			if len(fn.Body.List) != 1 {
				t.Errorf("%s: %s has a body of %d statements", f.Path, fn.Name.Name, len(fn.Body.List))
			}
			if !fn.Name.IsExported() {
				t.Errorf("%s: %s is not of the API", f.Path, fn.Name.Name)
			}
		}
		if strings.Contains(f.Path, "database") && documented < 10 {
			t.Errorf("%s: %d functions have comments", f.Path, documented)
		}
	}
}

func TestStubsAreTheSameEachTime(t *testing.T) {
	first, err := stubs.Generate()
	if err != nil {
		t.Fatal(err)
	}
	second, err := stubs.Generate()
	if err != nil {
		t.Fatal(err)
	}
	for i := range first {
		if first[i].Path != second[i].Path || string(first[i].Text) != string(second[i].Text) {
			t.Errorf("%s differs from one time to the next", first[i].Path)
		}
	}
}

func BenchmarkGenerate(b *testing.B) {
	for b.Loop() {
		if _, err := stubs.Generate(); err != nil {
			b.Fatal(err)
		}
	}
}
