package lower_test

import (
	"fmt"
	"go/types"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/traefik/yaegi/interp"
	"github.com/traefik/yaegi/stdlib"

	"fieldbook/grader/engine/lower"
	"fieldbook/grader/engine/lower/object"
)

// imported checks packages that import each other.
type imported map[string]*types.Package

func (i imported) Import(path string) (*types.Package, error) {
	if p, ok := i[path]; ok {
		return p, nil
	}
	e := exported{offered()}
	if err := e.packages.Load([]string{path}); err != nil {
		return nil, err
	}
	return e.Import(path)
}

// checkAll type-checks packages given as path and text, in dependency order.
func checkAll(t *testing.T, texts ...[2]string) []*lower.Package {
	t.Helper()
	have := imported{}
	var list []*lower.Package
	for _, text := range texts {
		p, err := checkWith(have, text[0], text[0]+"/file.go", []byte(text[1]))
		if err != nil {
			t.Fatal(err)
		}
		have[text[0]] = p.Types
		list = append(list, p)
	}
	return list
}

func mustLower(t *testing.T, packages []*lower.Package, o lower.Options) *lower.Lowered {
	t.Helper()
	lowered, refusals, err := lower.Program(packages, o)
	if err != nil || len(refusals) > 0 {
		t.Fatal(err, refusals)
	}
	return lowered
}

func TestPackagesBecomeOne(t *testing.T) {
	packages := checkAll(t,
		[2]string{"base", `package base

import "fmt"

var Order []string

func init() { Order = append(Order, "base") }

type Level int

func (l Level) String() string { return fmt.Sprintf("level %d", int(l)) }

type hidden struct{ n int }

func (h *hidden) bump() int { h.n++; return h.n }

func New() *hidden { return &hidden{} }

func Bump(h *hidden) int { return h.bump() }

func helper() string { return "base helper" }

func Help() string { return helper() }
`},
		[2]string{"top", `package top

import (
	"fmt"

	"base"
)

var started = func() string { base.Order = append(base.Order, "top variable"); return "s" }()

func init() { base.Order = append(base.Order, "top init "+started) }

func helper() string { return "top helper" }

func Report() string {
	h := base.New()
	base.Bump(h)
	return fmt.Sprint(base.Order, base.Level(3), base.Bump(h), " "+base.Help()+", "+helper())
}
`})
	lowered := mustLower(t, packages, lower.Options{})
	if got := lowered.Function("top", "none"); got != "" {
		t.Errorf("a function that is not there is called %q", got)
	}
	i := newInterpreter(t, nil)
	if _, err := i.Eval(string(lowered.Text)); err != nil {
		t.Fatalf("%v\n%s", err, lowered.Text)
	}
	symbol(t, i, lowered.Start).(func())()
	got := symbol(t, i, lowered.Function("top", "Report")).(func() string)()
	const want = "[base top variable top init s] level 3 2 base helper, top helper"
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func newInterpreter(t *testing.T, more interp.Exports) *interp.Interpreter {
	t.Helper()
	i := interp.New(interp.Options{Stdout: os.Stderr, Stderr: os.Stderr})
	for _, symbols := range []interp.Exports{interp.Exports(stdlib.Symbols), interp.Exports(object.Symbols(stdlib.Symbols)), more} {
		if err := i.Use(symbols); err != nil {
			t.Fatal(err)
		}
	}
	return i
}

func symbol(t *testing.T, i *interp.Interpreter, name string) any {
	t.Helper()
	v, err := i.Eval("program." + name)
	if err != nil {
		t.Fatal(err)
	}
	return v.Interface()
}

func TestPositions(t *testing.T) {
	const text = `package main

import "fmt"

//line elsewhere.go:900
func main() {
	total := 0
	for i := range 3 {
		total += i
	}
	f := func() {
		fmt.Println("in f",
			total)
	}
	f()
}
`
	lowered := mustLower(t, []*lower.Package{check(t, "dir/main.go", []byte(text))}, lower.Options{})
	lines := strings.Split(string(lowered.Text), "\n")
	for _, want := range []struct {
		in   string
		line int
	}{
		{" := new(int)", 7}, {"Println(", 12}, {"func f_main", 6},
	} {
		found := false
		for i, line := range lines {
			if !strings.Contains(line, want.in) || found {
				continue
			}
			found = true
			file, got, ok := lowered.Position(i + 1)
			if !ok || file != "dir/main.go" || got != want.line {
				t.Errorf("%q comes from %s:%d (%t), want dir/main.go:%d", line, file, got, ok, want.line)
			}
		}
		if !found {
			t.Errorf("no line has %q", want.in)
		}
	}
	for _, line := range []int{0, -1, 1, len(lines) + 5} {
		if file, source, ok := lowered.Position(line); ok {
			t.Errorf("line %d comes from %s:%d, want nowhere", line, file, source)
		}
	}
}

// TestSuppliedCalls counts strings as a supplied package and looks at the line that each call into it is put down to.
func TestSuppliedCalls(t *testing.T) {
	const text = `package main

import "strings"

func once(s string) bool {
	return strings.HasPrefix(s, "a")
}

func main() {
	s := strings.ToUpper(
		strings.Repeat("a", 2) +
			strings.TrimSpace(" b "))
	for i := 0; i < strings.Count(s, "A"); i++ {
		defer func() {
			strings.ToLower(s)
		}()
	}
	if once(s) || strings.Contains(s, "B") &&
		strings.HasSuffix(s, "B") {
		s = strings.NewReplacer("A", "x").
			Replace(s)
	}
	defer strings.Title(s)
}
`
	supplied := func(path string) bool { return path == "strings" }
	lowered := mustLower(t, []*lower.Package{check(t, "main.go", []byte(text))}, lower.Options{Supplied: supplied})
	var lines []int // of the calls, in the order of the text
	for at, line := range strings.Split(string(lowered.Text), "\n") {
		if strings.Contains(line, "p0_strings.") || strings.Contains(line, ".Replace(") {
			file, source, ok := lowered.Position(at + 1)
			if !ok || file != "main.go" {
				t.Errorf("%q is put down to %s:%d", line, file, source)
			}
			lines = append(lines, source)
		}
	}
	want := []int{6, 15, 23, 11, 12, 10, 13, 18, 19, 20, 21}
	if !slices.Equal(lines, want) {
		t.Errorf("the calls stand on lines %v, want %v\n%s", lines, want, lowered.Text)
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"unsafe", "import \"unsafe\"\n\nvar p unsafe.Pointer\n\nfunc main() {}\n", "3:8 unsafe"},
		{"no body", "func f()\n\nfunc main() { f() }\n", "3:1 no_body"},
		{"reflection", "import \"reflect\"\n\ntype T struct{}\n\nfunc main() { println(reflect.TypeOf(T{}).Name()) }\n", "7:23 reflect"},
		{"errors.As of an any", "import \"errors\"\n\nfunc main() { var target any; println(errors.As(nil, target)) }\n", "5:54 errors_as"},
		{"many gotos", "func main() {\na:\n\tfor {\n\t\tgoto a\n\t\tgoto a\n\t\tgoto a\n\t\tgoto a\n\t}\n}\n", "9:3 goto"},
		{"goto out of a loop over a function", "func main() {\n\tfor range func(yield func() bool) {} {\n\t\tgoto end\n\t}\nend:\n}\n", "5:3 goto"},
		{"decoding into a recursive type", "import \"encoding/json\"\n\ntype A struct{ B *B }\ntype B struct{ A []*A }\n\nfunc main() { json.Unmarshal(nil, &A{}) }\n", "8:35 recursive_type"},
		{"address of a field of a recursive type", "type A struct{ b *B }\ntype B struct{ a []*A }\n\nfunc main() { a := &A{}; p := &a.b; _ = p }\n", "6:32 recursive_type"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := check(t, "main.go", []byte("package main\n\n"+c.text))
			refusals := lower.Check([]*lower.Package{p}, lower.Options{})
			if len(refusals) == 0 {
				t.Fatal("not refused")
			}
			r := refusals[0]
			if got := fmt.Sprintf("%d:%d %s", r.Pos.Line, r.Pos.Column, r.Code); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if r.Message == "" || r.Instead == "" || r.Pos.Filename != "main.go" {
				t.Errorf("incomplete: %+v", r)
			}
		})
	}
}

func BenchmarkProgram(b *testing.B) {
	text, err := os.ReadFile(conformance + "/cases/interfaces_of_compiled_packages.go")
	if err != nil {
		b.Fatal(err)
	}
	p := check(b, "main.go", text)
	for b.Loop() {
		if _, _, err := lower.Program([]*lower.Package{p}, lower.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// FuzzProgram lowers whatever type-checks: it must not fail.
func FuzzProgram(f *testing.F) {
	for _, name := range []string{"operands_and_places_in_order", "loopvar_defer", "gen_type_set", "labeled_break_switch_select"} {
		text, err := os.ReadFile(conformance + "/cases/" + name + ".go")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := checkOffered(text)
		if err != nil {
			return
		}
		if _, _, err := lower.Program([]*lower.Package{p}, lower.Options{}); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	})
}
