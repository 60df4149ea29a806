package teaching_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	teaching "fieldbook/runtime"
)

// source is one parsed file of the runtime.
type source struct {
	path string
	file *ast.File
}

func parse(t *testing.T, tree fs.FS, paths []string) []source {
	t.Helper()
	var list []source
	for _, p := range paths {
		data, err := fs.ReadFile(tree, p)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), p, data, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, source{p, file})
	}
	return list
}

// TestArrows holds what each package of the runtime may import of ours. Copied packages know supplied ones and no other;
// nothing here knows what lies above.
func TestArrows(t *testing.T) {
	allowed := map[string][]string{
		"runtime/clock":      nil,
		"runtime/shop":       nil,
		"runtime/exercise":   nil,
		"runtime/operation":  nil,
		"runtime/files":      {"files/lock", "operation"},
		"runtime/files/lock": nil,
		"runtime/database":   {"clock", "files/lock", "operation"},
		"runtime/world":      {"clock", "database", "operation"},
		"runtime/fieldnotes": {"files", "operation"},
		"runtime/assistant":  {"database", "files", "shop"},
		"runtime/recovery":   {"fieldnotes"},
	}
	all := append(parse(t, teaching.Tree(), teaching.CopiedFiles()), parse(t, teaching.Supplied(), teaching.SuppliedFiles())...)
	for _, s := range all {
		folder := path.Dir(s.path)
		may, known := allowed[folder]
		if !known {
			t.Errorf("%s: this test does not say what %s may import", s.path, folder)
		}
		for _, imported := range s.file.Imports {
			name, ours := strings.CutPrefix(strings.Trim(imported.Path.Value, `"`), "fieldbook/")
			if !ours {
				continue
			}
			if name, below := strings.CutPrefix(name, "runtime/"); !below || !slices.Contains(may, name) {
				t.Errorf("%s imports %s", s.path, imported.Path.Value)
			}
		}
	}
}

// TestCopiedFilesAreInterpretable holds the rules that make copied sources mean the same to the interpreter as to the
// compiler: no type declared, no package variable, no init, no method, no type parameter, no directive.
func TestCopiedFilesAreInterpretable(t *testing.T) {
	for _, s := range parse(t, teaching.Tree(), teaching.CopiedFiles()) {
		for _, declaration := range s.file.Decls {
			switch d := declaration.(type) {
			case *ast.GenDecl:
				if d.Tok == token.TYPE || d.Tok == token.VAR {
					t.Errorf("%s declares a %s in the package block", s.path, d.Tok)
				}
			case *ast.FuncDecl:
				if d.Recv != nil || d.Name.Name == "init" || d.Type.TypeParams != nil {
					t.Errorf("%s: %s is a method, an init or generic", s.path, d.Name.Name)
				}
			}
		}
		for _, group := range s.file.Comments {
			for _, comment := range group.List {
				if strings.HasPrefix(comment.Text, "//go:") {
					t.Errorf("%s has the directive %s", s.path, comment.Text)
				}
			}
		}
	}
}

// TestReplacedFunctionsStandAlone holds that the file of a function that an exercise replaces declares nothing else.
func TestReplacedFunctionsStandAlone(t *testing.T) {
	for file, function := range map[string]string{
		"runtime/assistant/restore.go":    "Restore",
		"runtime/assistant/manifest.go":   "ManifestAgrees",
		"runtime/recovery/decide.go":      "Decide",
		"runtime/recovery/execute.go":     "Execute",
		"runtime/recovery/run.go":         "Run",
		"runtime/recovery/outstanding.go": "Outstanding",
	} {
		var names []string
		for _, s := range parse(t, teaching.Tree(), []string{file}) {
			for _, declaration := range s.file.Decls {
				switch d := declaration.(type) {
				case *ast.FuncDecl:
					names = append(names, d.Name.Name)
				case *ast.GenDecl:
					if d.Tok != token.IMPORT {
						names = append(names, d.Tok.String())
					}
				}
			}
		}
		if !slices.Equal(names, []string{function}) {
			t.Errorf("%s declares %v, want %s alone", file, names, function)
		}
	}
}

// TestSuppliedNamesSurviveExtraction holds that supplied packages export nothing generic, which the extractor of symbols
// leaves out without a word.
func TestSuppliedNamesSurviveExtraction(t *testing.T) {
	for _, s := range parse(t, teaching.Supplied(), teaching.SuppliedFiles()) {
		for _, declaration := range s.file.Decls {
			switch d := declaration.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && d.Type.TypeParams != nil {
					t.Errorf("%s exports the generic function %s", s.path, d.Name.Name)
				}
				if d.Name.Name == "init" {
					t.Errorf("%s has an init", s.path)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if spec, ok := spec.(*ast.TypeSpec); ok && spec.Name.IsExported() && spec.TypeParams != nil {
						t.Errorf("%s exports the generic type %s", s.path, spec.Name.Name)
					}
				}
			}
		}
	}
}
