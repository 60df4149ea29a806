// Package scaffold makes the folders of a new exercise: every file that an author must write, with a marker wherever
// something is to be written. The author's check asks for each of them until it is there. It belongs to the instructor's
// command and writes below the folder that it is told, never over a file.
package scaffold

import (
	"crypto/rand"
	"embed"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/types"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/engine"
	"fieldbook/grader/engine/offered"
	"fieldbook/handoff"
)

//go:embed template
var templates embed.FS

// Spec is what has to be known of an exercise before it has any file.
type Spec struct {
	Name      string // "greeting-cards"
	Kind      exercises.Kind
	File      string // of the runtime, "runtime/assistant/greeting.go"
	Function  string
	Signature string // "func(name string) string"
}

// File is one file of a new exercise; its path begins at the module's root.
type File struct {
	Path string
	Text []byte
}

// Files are the files of a new exercise, in the order in which an author writes them. The reference is among them when the
// runtime has no such file yet.
func Files(s Spec, withReference bool) ([]File, error) {
	d, err := newData(s)
	if err != nil {
		return nil, err
	}
	own, held := path.Join("exercises", s.Name), path.Join("exercises", "holdout", s.Name)
	base := path.Base(s.File)
	var files []File
	add := func(at, from string, d data) {
		if err != nil {
			return
		}
		var text []byte
		if text, err = d.render(from, path.Ext(at) == ".go"); err == nil {
			files = append(files, File{Path: at, Text: text})
		}
	}
	if withReference {
		add(s.File, "reference.go.tmpl", d)
	}
	add(path.Join(own, "exercise.yaml"), "exercise_"+string(s.Kind)+".yaml.tmpl", d)
	add(path.Join(own, "starter.go"), "starter.go.tmpl", d)
	if s.Kind == exercises.Source {
		add(path.Join(own, "probe.go"), "probe.go.tmpl", d)
	}
	add(path.Join(held, "cases.yaml"), "cases_"+string(s.Kind)+".yaml.tmpl", d)
	if s.Kind == exercises.Source {
		add(path.Join(held, "cases", "first.go"), "probe.go.tmpl", d.held("case first", ""))
	}
	add(path.Join(held, "solution", base), "answer.go.tmpl", d.held("solution", "// "+s.Function+" WRITE: your own solution; it may be the reference in other words"))
	add(path.Join(held, "variants", "another-style.go"), "answer.go.tmpl", d.held("variant another-style", "// "+s.Function+" WRITE: a correct answer in another style; name the file after the style"))
	for _, n := range []string{"first", "second", "third"} {
		add(path.Join(held, "wrong", n+"-mistake.go"), "answer.go.tmpl", d.held("wrong "+n+"-mistake", "// Mistake: WRITE: the one mistake of this answer, one that a student would make; name the file after it"))
	}
	add(path.Join(held, "equivalent.yaml"), "equivalent.yaml.tmpl", d)
	return files, err
}

// Write puts the files below root, the module's folder. When one of them is there already nothing is written.
func Write(root string, files []File) error {
	for _, f := range files {
		if _, err := os.Lstat(filepath.Join(root, filepath.FromSlash(f.Path))); !errors.Is(err, fs.ErrNotExist) {
			return &grader.Error{
				Code: "exercise_exists", Exit: grader.ExitUsage, Message: "there is a file " + f.Path + " already, and nothing is overwritten", Cause: err,
				Hint: "Choose another name, or go on with that exercise: proctor check says what it lacks.",
			}
		}
	}
	for _, f := range files {
		at := filepath.Join(root, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return fmt.Errorf("make a folder for %s: %w", f.Path, err)
		}
		if err := handoff.CreateFile(at, f.Text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// data is what the templates know.
type data struct {
	Spec
	Package    string
	Module     string   // "fieldbook/"
	Shape      string   // "(name string) string"
	Standard   []string // imports
	Supplied   []string
	ReturnZero string // a line, or nothing
	Role       string // of a held file
	Canary     string
	Comment    string
}

// held is the data of a file that students never get: each has a canary of its own.
func (d data) held(role, comment string) data {
	d.Role, d.Comment = role, comment
	d.Canary = strings.ToLower(rand.Text()[:8])
	return d
}

func (d data) render(name string, code bool) ([]byte, error) {
	t, err := template.ParseFS(templates, "template/"+name)
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	if err := t.Execute(&out, d); err != nil {
		return nil, err
	}
	if !code {
		return []byte(out.String()), nil
	}
	text, err := format.Source([]byte(out.String()))
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", name, err)
	}
	return text, nil
}

func newData(s Spec) (data, error) {
	refuse := func(format string, args ...any) (data, error) {
		return data{}, &grader.Error{Code: "usage", Exit: grader.ExitUsage, Message: fmt.Sprintf(format, args...), Hint: "See `proctor new --help`."}
	}
	if !regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`).MatchString(s.Name) {
		return refuse("%q is no name for an exercise: write lower-case words joined by hyphens", s.Name)
	}
	if s.Kind != exercises.Direct && s.Kind != exercises.Source {
		return refuse("the kind is %q; write %s or %s", s.Kind, exercises.Direct, exercises.Source)
	}
	if path.Clean(s.File) != s.File || !strings.HasPrefix(s.File, "runtime/") || path.Ext(s.File) != ".go" || strings.Count(s.File, "/") != 2 {
		return refuse("the file is %q; write runtime/PACKAGE/FILE.go", s.File)
	}
	if !ast.IsExported(s.Function) || !regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*$`).MatchString(s.Function) {
		return refuse("%q is no exported Go name", s.Function)
	}
	expr, err := parser.ParseExpr(s.Signature)
	fn, ok := expr.(*ast.FuncType)
	if err != nil || !ok {
		return refuse("the signature is %q; write a function type, func(name string) bool", s.Signature)
	}
	nameParameters(fn)
	standard, supplied, unknown := importsOf(fn)
	if unknown != "" {
		return refuse("the signature names a package %s, which is not offered to learners", unknown)
	}
	d := data{Spec: s, Package: path.Base(path.Dir(s.File)), Shape: strings.TrimPrefix(types.ExprString(fn), "func"), Standard: standard, Supplied: supplied, ReturnZero: returnZero(fn)}
	d.Module = strings.TrimSuffix(engine.ImportPath("runtime/world/world.go"), "runtime/world")
	return d, nil
}

// nameParameters gives parameters without a name one, so that a body can use them.
func nameParameters(fn *ast.FuncType) {
	n := 0
	for _, field := range fn.Params.List {
		if len(field.Names) == 0 {
			field.Names = []*ast.Ident{ast.NewIdent(string(rune('a' + n%26)))}
		}
		n++
	}
}

// importsOf are the packages that a signature names, and that of Unfinished, the standard library's apart; unknown is the
// first that is not offered.
func importsOf(fn *ast.FuncType) (standard, supplied []string, unknown string) {
	known := map[string]string{}
	for _, p := range offered.Packages() {
		known[path.Base(p)] = p
	}
	supplied = []string{known["exercise"]}
	ast.Inspect(fn, func(n ast.Node) bool {
		selector, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if name, ok := selector.X.(*ast.Ident); ok {
			switch at := known[name.Name]; {
			case at == "" && unknown == "":
				unknown = name.Name
			case strings.HasPrefix(at, strings.TrimSuffix(engine.ImportPath("runtime/world/world.go"), "world")):
				supplied = append(supplied, at)
			default:
				standard = append(standard, at)
			}
		}
		return true
	})
	slices.Sort(standard)
	slices.Sort(supplied)
	return slices.Compact(standard), slices.Compact(supplied), unknown
}

// returnZero returns nothing of a function's results.
func returnZero(fn *ast.FuncType) string {
	if fn.Results == nil {
		return ""
	}
	var values []string
	for _, field := range fn.Results.List {
		for range max(len(field.Names), 1) {
			values = append(values, zero(field.Type))
		}
	}
	return "\treturn " + strings.Join(values, ", ") + "\n"
}

func zero(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.Ident:
		switch t.Name {
		case "bool":
			return "false"
		case "string":
			return `""`
		case "error", "any":
			return "nil"
		case "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "byte", "rune":
			return "0"
		}
	case *ast.MapType, *ast.StarExpr, *ast.FuncType, *ast.ChanType, *ast.InterfaceType:
		return "nil"
	case *ast.ArrayType:
		if t.Len == nil {
			return "nil"
		}
	}
	return "*new(" + types.ExprString(t) + ")"
}
