package holdout_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fieldbook/exercises"
	"fieldbook/exercises/holdout"
	teaching "fieldbook/runtime"
)

// The tests below run every answer with the Go toolchain, in one program: a build for each would take a minute. The copied
// package is compiled once with all answers in it, their package-level names made unique, and the function that the exercise
// replaces passes the call on to the chosen one. Probes are packages of that program.

const (
	module     = "fieldbook"
	runnerPath = "exercises/holdout/natively" // exists in the build's overlay alone
	reference  = "reference"
	starter    = "starter"
)

// program generates the files of the runner.
type program struct {
	files    map[string][]byte // by path from the module's root
	registry struct {
		imports, probes, choose, functions []string
	}
}

// buildRunner returns the path of the built runner.
func buildRunner(t *testing.T) string {
	t.Helper()
	runner, err := os.ReadFile("testdata/runner.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	p := &program{files: map[string][]byte{runnerPath + "/runner.go": runner}}
	for _, s := range holdout.All() {
		if err := p.add(s); err != nil {
			t.Fatalf("%s: %v", s.Exercise.Name, err)
		}
	}
	links, err := os.ReadFile("testdata/links.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	p.probe("links", links)
	p.files[runnerPath+"/registry.go"] = p.generated()
	binary := filepath.Join(t.TempDir(), "runner")
	if out, err := p.build(t, "-o", binary, "./"+runnerPath); err != nil {
		t.Fatalf("the answers and probes do not compile: %v\n%s", err, out)
	}
	return binary
}

// build runs go build with the program's files laid over the module.
func (p *program) build(t *testing.T, args ...string) ([]byte, error) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for i, name := range slices.Sorted(maps.Keys(p.files)) {
		file := filepath.Join(folder, fmt.Sprintf("%d.go", i))
		if err := os.WriteFile(file, p.files[name], 0o600); err != nil {
			t.Fatal(err)
		}
		overlay.Replace[filepath.Join(root, filepath.FromSlash(name))] = file
	}
	list, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "overlay.json")
	if err := os.WriteFile(file, list, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", append([]string{"build", "-buildvcs=false", "-overlay", file}, args...)...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOPROXY=off", "GOTOOLCHAIN=local")
	return cmd.CombinedOutput()
}

// add puts the answers and probes of one exercise into the program.
func (p *program) add(s *holdout.Set) error {
	e := s.Exercise
	replaced := e.Replaces[0]
	answers := map[string][]byte{}
	for name, read := range map[string]func() ([]byte, error){
		reference: func() ([]byte, error) { return teaching.Source(replaced.File) },
		starter:   func() ([]byte, error) { return e.File(replaced.Starter) },
	} {
		text, err := read()
		if err != nil {
			return err
		}
		answers[name] = text
	}
	for _, c := range slices.Concat([]holdout.Candidate{s.Solution}, s.Variants, s.Wrong) {
		if !c.Foreign {
			answers[answerName(c)] = c.Text
		}
	}
	for _, f := range e.Faults {
		text, err := e.File(f.Supplied)
		if err != nil {
			return err
		}
		answers[f.Name] = text
	}
	for _, m := range e.Impostors {
		text, err := e.File(m.File)
		if err != nil {
			return err
		}
		answers["impostor "+m.Name] = text
	}
	if err := p.answers(e, answers); err != nil {
		return err
	}
	for _, c := range s.Cases {
		if c.ProbeFile != "" {
			p.probe(e.Name+"/"+c.ProbeFile, c.Probe)
		}
	}
	for _, name := range probesOf(e) {
		text, err := e.File(name)
		if err != nil {
			return err
		}
		p.probe(e.Name+"/"+name, text)
	}
	return nil
}

// answerName tells a wrong solution from a correct one of the same name.
func answerName(c holdout.Candidate) string {
	if c.Mistake != "" {
		return "wrong " + c.Name
	}
	return "right " + c.Name
}

// probesOf names the probes of an exercise's own folder.
func probesOf(e *exercises.Exercise) (names []string) {
	if e.Probe != "" {
		names = append(names, e.Probe)
	}
	for _, f := range e.Faults {
		if f.Probe != "" {
			names = append(names, f.Probe)
		}
	}
	return names
}

// answers adds a file for each answer, and in the place of the replaced file the functions that pass calls on.
func (p *program) answers(e *exercises.Exercise, answers map[string][]byte) error {
	replaced := e.Replaces[0]
	folder := path.Dir(replaced.File)
	alias := "p" + strconv.Itoa(len(p.registry.imports))
	chosen := "Chosen" + strings.ReplaceAll(e.Name, "-", "")
	var out bytes.Buffer
	fmt.Fprintf(&out, "package %s\n\n", replaced.Package())
	imports := map[string]bool{}
	tables := map[string]string{}
	for i, name := range slices.Sorted(maps.Keys(answers)) {
		suffix := fmt.Sprintf("_%s%d", strings.ReplaceAll(e.Name, "-", ""), i)
		text, err := unique(path.Base(replaced.File), answers[name], suffix)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		p.files[fmt.Sprintf("%s/answer%s.go", folder, suffix)] = text
		for _, f := range replaced.Functions {
			tables[f.Name] += fmt.Sprintf("\t%q: %s%s,\n", name, f.Name, suffix)
		}
	}
	var body bytes.Buffer
	fmt.Fprintf(&body, "var %s = %q\n\n", chosen, reference) // another exercise of the package may call it
	for _, f := range replaced.Functions {
		if err := passOn(&body, f, chosen, tables[f.Name], answers[starter], imports); err != nil {
			return err
		}
		if e.Kind == exercises.Direct {
			p.registry.functions = append(p.registry.functions, fmt.Sprintf("%q: %s.%s", e.Name, alias, f.Name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(imports)) {
		fmt.Fprintf(&out, "import %s\n", name)
	}
	out.Write(body.Bytes())
	p.files[replaced.File] = out.Bytes()
	p.registry.imports = append(p.registry.imports, fmt.Sprintf("%s %q", alias, module+"/"+folder))
	p.registry.choose = append(p.registry.choose, fmt.Sprintf("%q: func(answer string) { %s.%s = answer }", e.Name, alias, chosen))
	return nil
}

// passOn writes one replaced function, and notes the imports that its type needs; they stand in the starter.
func passOn(out *bytes.Buffer, f exercises.Function, chosen, table string, starter []byte, imports map[string]bool) error {
	expr, err := parser.ParseExpr(f.Signature)
	if err != nil {
		return err
	}
	fn := expr.(*ast.FuncType)
	var params, names []string
	for _, field := range fn.Params.List {
		for range max(len(field.Names), 1) {
			name := "a" + strconv.Itoa(len(names))
			names = append(names, name)
			params = append(params, name+" "+types.ExprString(field.Type))
		}
	}
	results := ""
	if fn.Results != nil {
		results = strings.TrimPrefix(types.ExprString(&ast.FuncType{Params: &ast.FieldList{}, Results: fn.Results}), "func()")
	}
	fmt.Fprintf(out, "var choices%s = map[string]%s{\n%s}\n\n", f.Name, f.Signature, table)
	fmt.Fprintf(out, "func %s(%s)%s { return choices%s[%s](%s) }\n\n", f.Name, strings.Join(params, ", "), results, f.Name, chosen, strings.Join(names, ", "))
	file, err := parser.ParseFile(token.NewFileSet(), "", starter, parser.ImportsOnly)
	if err != nil {
		return err
	}
	for _, i := range file.Imports {
		name, _ := strconv.Unquote(i.Path.Value)
		if strings.Contains(f.Signature, path.Base(name)+".") {
			imports[i.Path.Value] = true
		}
	}
	return nil
}

// probe adds a probe as a package of its own.
func (p *program) probe(name string, text []byte) {
	folder := fmt.Sprintf("%s/probe%d", runnerPath, len(p.registry.probes))
	if slices.ContainsFunc(p.registry.probes, func(entry string) bool { return strings.HasPrefix(entry, strconv.Quote(name)) }) {
		return
	}
	alias := path.Base(folder)
	p.files[folder+"/probe.go"] = bytes.Replace(text, []byte("//go:build exercise"), nil, 1)
	p.registry.imports = append(p.registry.imports, fmt.Sprintf("%s %q", alias, module+"/"+folder))
	p.registry.probes = append(p.registry.probes, fmt.Sprintf("%q: %s.Probe", name, alias))
}

// generated is the runner's registry.go.
func (p *program) generated() []byte {
	var out bytes.Buffer
	out.WriteString("package main\n\n")
	for _, i := range p.registry.imports {
		fmt.Fprintf(&out, "import %s\n", i)
	}
	out.WriteString("func init() {\n")
	for table, entries := range map[string][]string{"probes": p.registry.probes, "choose": p.registry.choose, "functions": p.registry.functions} {
		for _, entry := range entries {
			key, value, _ := strings.Cut(entry, ": ")
			fmt.Fprintf(&out, "\t%s[%s] = %s\n", table, key, value)
		}
	}
	out.WriteString("}\n")
	return out.Bytes()
}

// unique appends a suffix to every package-level name that the file declares, and sees to it that positions are those of
// the file called name: the operation log knows a learner's line by them.
func unique(name string, text []byte, suffix string) ([]byte, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	// Nothing is imported, so most of the file does not type-check; its own names resolve all the same.
	config := types.Config{Importer: noImports{}, Error: func(error) {}}
	pkg, _ := config.Check("answer", set, []*ast.File{file}, info)
	ends := map[int]bool{}
	for _, objects := range []map[*ast.Ident]types.Object{info.Defs, info.Uses} {
		for ident, object := range objects {
			if object != nil && object.Parent() == pkg.Scope() {
				ends[set.Position(ident.End()).Offset] = true
			}
		}
	}
	out := slices.Clone(text)
	for _, end := range slices.Backward(slices.Sorted(maps.Keys(ends))) {
		out = slices.Insert(out, end, []byte(suffix)...)
	}
	first, rest, _ := bytes.Cut(out, []byte("\n"))
	if bytes.HasPrefix(first, []byte("//go:build")) {
		out = append(fmt.Appendf(nil, "//line %s:2\n", name), rest...)
	} else {
		out = append(fmt.Appendf(nil, "//line %s:1\n", name), out...)
	}
	if _, err := format.Source(out); err != nil {
		return nil, err
	}
	return out, nil
}

type noImports struct{}

func (noImports) Import(string) (*types.Package, error) { return nil, errors.New("not imported") }
