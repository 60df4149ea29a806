package author

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"fieldbook/exercises"
	"fieldbook/grader/task"
	"fieldbook/runtime/world"
)

// Generated is an answer that says nothing about the exercise: it could be written without reading it.
type Generated struct {
	Name string // "empty", "constant true", "echo of source"
	Text []byte
}

// generated are the answers that are made from the signature alone, each of which must fail.
func (s *subject) generated() []job {
	var jobs []job
	text, err := s.exercise.File(s.exercise.Replaces[0].Starter)
	var answers []Generated
	if err == nil {
		answers, err = Generate(s.exercise, text)
	}
	if err != nil {
		return []job{s.job("answers without content", func(_ context.Context, i *Item) error {
			i.complain(s.exercise.Name+"/"+s.exercise.Replaces[0].Starter, 0, "no answer can be made from it: %v", err)
			return nil
		})}
	}
	for _, g := range answers {
		source := task.Source{Path: s.exercise.Replaces[0].File, Name: "generated.go", Text: g.Text}
		jobs = append(jobs, s.wrong(g.Name+" answer", casesName, source))
	}
	return jobs
}

// Generate makes the empty, the constant and the echoing answers to an exercise out of its starter: of a file with several
// functions, all of them return the same kind of nothing.
func Generate(e *exercises.Exercise, starter []byte) ([]Generated, error) {
	g, err := newGenerator(e.Replaces[0], starter)
	if err != nil {
		return nil, err
	}
	answers := []Generated{}
	add := func(name string, result func(*ast.FuncType) []string, imports ...string) error {
		text, err := g.answer(result, imports)
		if err != nil {
			return fmt.Errorf("the %s answer: %w", name, err)
		}
		if text != nil {
			answers = append(answers, Generated{Name: name, Text: text})
		}
		return nil
	}
	if err := add("empty", zeros); err != nil {
		return nil, err
	}
	for _, c := range constants(e) {
		if err := add("constant "+c.name, c.results, c.imports...); err != nil {
			return nil, err
		}
	}
	for _, name := range g.parameters() {
		if err := add("echo of "+name, echo(name)); err != nil {
			return nil, err
		}
	}
	return answers, nil
}

// constant is an answer that returns the same whatever it is given.
type constant struct {
	name    string
	imports []string
	results func(*ast.FuncType) []string
}

// constants are answers that a person would try: of a direct exercise each result that its own table expects, and for every
// kind of result some values that are no zero.
func constants(e *exercises.Exercise) []constant {
	list := []constant{
		{name: "true", results: only("bool", "true")},
		{name: "one", results: only("int", "1")},
		{name: "text", results: only("string", `"x"`)},
		{name: "error", imports: []string{"errors"}, results: only("error", `errors.New("refused")`)},
	}
	seen := map[string]bool{"true": true, "1": true, `"x"`: true}
	for _, row := range e.Table {
		text, kind := literal(row.Expected)
		if text != "" && !seen[text] {
			list = append(list, constant{name: text, results: only(kind, text)})
		}
		seen[text] = true
	}
	return list
}

// literal is a value in Go, with the type that holds it; "" for one that is no simple literal.
func literal(v world.Value) (text, kind string) {
	switch v.Kind() {
	case world.Bool:
		return v.String(), "bool"
	case world.Int:
		return v.String(), "int"
	case world.Float:
		return v.String(), "float64"
	case world.String:
		return strconv.Quote(v.String()), "string"
	default:
		return "", ""
	}
}

// zeros are the zero values of a function's results: "" each.
func zeros(fn *ast.FuncType) []string { return make([]string, len(resultTypes(fn))) }

// only are a function's results with one value for every result of a type, and the zero value for the others; nil when no
// result has the type.
func only(kind, value string) func(*ast.FuncType) []string {
	return func(fn *ast.FuncType) []string {
		list, found := zeros(fn), false
		for i, t := range resultTypes(fn) {
			if t == kind {
				list[i], found = value, true
			}
		}
		if !found {
			return nil
		}
		return list
	}
}

// echo are a function's results with a parameter for every result of its type; nil when no result has it.
func echo(parameter string) func(*ast.FuncType) []string {
	return func(fn *ast.FuncType) []string {
		for _, field := range fn.Params.List {
			for _, name := range field.Names {
				if name.Name == parameter {
					return only(types.ExprString(field.Type), parameter)(fn)
				}
			}
		}
		return nil
	}
}

func resultTypes(fn *ast.FuncType) []string {
	var list []string
	if fn.Results == nil {
		return nil
	}
	for _, field := range fn.Results.List {
		for range max(len(field.Names), 1) {
			list = append(list, types.ExprString(field.Type))
		}
	}
	return list
}

// generator writes answers with the starter's package and imports.
type generator struct {
	pkg       string
	imports   map[string]string // path by the name that the signatures use
	functions []*ast.FuncDecl
}

func newGenerator(r exercises.Replaced, starter []byte) (*generator, error) {
	file, err := parser.ParseFile(token.NewFileSet(), r.Starter, starter, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	g := &generator{pkg: file.Name.Name, imports: map[string]string{}}
	for _, spec := range file.Imports {
		at, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		name := path.Base(at)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		g.imports[name] = at
	}
	for _, f := range r.Functions {
		for _, decl := range file.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == f.Name {
				g.functions = append(g.functions, fn)
			}
		}
	}
	return g, nil
}

// parameters are the names of all parameters, in their order.
func (g *generator) parameters() []string {
	var names []string
	for _, fn := range g.functions {
		for _, field := range fn.Type.Params.List {
			for _, name := range field.Names {
				if name.Name != "_" {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}

// answer writes a file in which every function returns what result says; nil when it has nothing to say for any of them.
func (g *generator) answer(result func(*ast.FuncType) []string, imports []string) ([]byte, error) {
	needed := map[string]bool{}
	for _, at := range imports {
		needed[at] = true
	}
	var body bytes.Buffer
	found := false
	for _, fn := range g.functions {
		values := result(fn.Type)
		if values != nil {
			found = true
		} else {
			values = zeros(fn.Type)
		}
		ast.Inspect(fn.Type, func(n ast.Node) bool {
			if selector, ok := n.(*ast.SelectorExpr); ok {
				if name, ok := selector.X.(*ast.Ident); ok && g.imports[name.Name] != "" {
					needed[g.imports[name.Name]] = true
				}
			}
			return true
		})
		writeFunction(&body, fn, values)
	}
	if !found {
		return nil, nil
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "package %s\n\n", g.pkg)
	for _, at := range slices.Sorted(maps.Keys(needed)) {
		fmt.Fprintf(&out, "import %s%q\n", g.alias(at), at)
	}
	out.Write(body.Bytes())
	return format.Source(out.Bytes())
}

// writeFunction writes a function that returns values; "" stands for a zero value.
func writeFunction(out *bytes.Buffer, fn *ast.FuncDecl, values []string) {
	fmt.Fprintf(out, "\nfunc %s%s {\n", fn.Name.Name, strings.TrimPrefix(types.ExprString(fn.Type), "func"))
	var names []string
	for i, t := range resultTypes(fn.Type) {
		name := "result" + strconv.Itoa(i)
		names = append(names, name)
		fmt.Fprintf(out, "\tvar %s %s\n", name, t)
		if values[i] != "" {
			fmt.Fprintf(out, "\t%s = %s\n", name, values[i])
		}
	}
	fmt.Fprintf(out, "\treturn %s\n}\n", strings.Join(names, ", "))
}

// alias is the name under which a path is imported, when it is not the path's own.
func (g *generator) alias(at string) string {
	for name, known := range g.imports {
		if known == at && name != path.Base(at) {
			return name + " "
		}
	}
	return ""
}
