package engine_test

import (
	"bytes"
	"strings"
	"testing"

	"fieldbook/grader/engine"
	teaching "fieldbook/runtime"
)

// shared is a program of two files: a driver of the course's and a learner's, in one package.
type shared struct {
	driver  string // with its imports
	learner string
	want    string // what the driver prints
}

func (s shared) program(more string) engine.Program {
	return engine.Program{
		Sources: []engine.Source{
			{Path: "shared/learner.go", Text: []byte("package shared\n\n" + s.learner + "\n" + more), Learner: true},
			{Path: "shared/driver.go", Text: []byte("package shared\n\n" + s.driver)},
		},
		Entry: engine.Entry{Package: "fieldbook/shared", Function: "Drive"},
	}
}

// more is what a learner adds to a file.
const more = `
type extra[T any] struct{ held []T }

func (e *extra[T]) add(x T) *extra[T] { e.held = append(e.held, x); return e }

var extras = extra[string]{held: []string{"a"}}

func addition(x float64) func() int {
	type local struct{ n int }
	l := local{int(x)}
	return func() int { defer func() { _ = recover() }(); return l.n + len(extras.add("b").held) }
}

func init() { _ = addition(2)() }
`

func sharedPrograms() map[string]shared {
	return map[string]shared{
		"numbers": {
			driver:  "import (\n\"fmt\"\n\"math\"\n)\nfunc Drive() { fmt.Println(inverse(math.Copysign(0, -1)), inverse(2), half(float32(3))) }",
			learner: "func inverse(x float64) float64 { return 1 / x }\nfunc half(x float32) float32 { return x / 2 }",
			want:    "-Inf 0.5 1.5\n",
		},
		"any number of arguments": {
			driver:  "import \"fmt\"\nfunc Drive() { some := []int{4, 5}; fmt.Println(sum(), sum(1, 2), sum(some...)) }",
			learner: "func sum(numbers ...int) (total int) {\nfor _, n := range numbers { total += n }\nreturn\n}",
			want:    "0 3 9\n",
		},
		"several results": {
			driver:  "import (\n\"errors\"\n\"fmt\"\n)\nvar none = errors.New(\"none\")\nfunc Drive() {\nfor _, n := range []int{0, 3} {\nq, r, err := divide(7, n)\nfmt.Println(q, r, err, errors.Is(err, none))\n}\n}",
			learner: "import \"fmt\"\nfunc divide(a, b int) (q, r int, err error) {\nif b == 0 { return 0, 0, fmt.Errorf(\"divide: %w\", none) }\nreturn a / b, a % b, nil\n}",
			want:    "0 0 divide: none true\n2 1 <nil> false\n",
		},
		"a function as a value": {
			driver:  "import \"fmt\"\nfunc apply(f func(int) int, n int) int { return f(f(n)) }\nfunc Drive() { f := next; fmt.Println(apply(next, 1), apply(f, 5), f != nil) }",
			learner: "func next(n int) int { return n + 1 }",
			want:    "3 7 true\n",
		},
		"deferred and beside": {
			driver:  "import \"fmt\"\nfunc Drive() {\ndone := make(chan string)\ndefer say(\"last\")\ngo send(done, \"beside\")\nfmt.Println(<-done)\n}",
			learner: "import \"fmt\"\nfunc say(s string) { fmt.Println(s) }\nfunc send(to chan string, s string) { to <- s }",
			want:    "beside\nlast\n",
		},
		"a panic": {
			driver:  "import \"fmt\"\nfunc try(n int) (said any) {\ndefer func() { said = recover() }()\nindex(n)\nreturn nil\n}\nfunc Drive() { fmt.Println(try(0)); fmt.Println(try(7)) }",
			learner: "func index(n int) int { return []int{1, 2}[n] }",
			want:    "<nil>\nruntime error: index out of range [7] with length 2\n",
		},
		"each calls the other": {
			driver:  "import \"fmt\"\nfunc even(n int) bool { return n == 0 || odd(n-1) }\nfunc Drive() { fmt.Println(even(10), even(7)) }",
			learner: "func odd(n int) bool { return n != 0 && even(n-1) }",
			want:    "true false\n",
		},
		"before main": {
			driver:  "import \"fmt\"\nvar begun = first(\"package\")\nfunc Drive() { fmt.Println(begun, calls); calls += 10; first(\"main\"); fmt.Println(calls) }",
			learner: "var calls int\nfunc first(s string) string { calls++; return s }",
			want:    "package 1\n12\n",
		},
		"an interface of the driver's": {
			driver:  "import \"fmt\"\ntype namer interface{ Name() string }\ntype tin struct{}\nfunc (tin) Name() string { return \"tin\" }\nfunc Drive() {\nfor _, n := range []namer{tin{}, named(\"Lucy\")} {\nif _, ok := n.(tin); !ok { fmt.Print(\"not \") }\nfmt.Println(n.Name())\n}\n}",
			learner: "type cat struct{ name string }\nfunc (c cat) Name() string { return \"cat \" + c.name }\nfunc named(s string) namer { return cat{s} }",
			want:    "tin\nnot cat Lucy\n",
		},
		"a type of the learner's": {
			driver:  "import \"fmt\"\nfunc Drive() { b := newBox(3); b.add(4); b.Last = \"x\"; fmt.Println(b.total(), b.Last, *b) }",
			learner: "type box struct {\nsum int\nLast string\n}\nfunc newBox(n int) *box { return &box{sum: n} }\nfunc (b *box) add(n int) { b.sum += n }\nfunc (b box) total() int { return b.sum }",
			want:    "7 x {7 x}\n",
		},
		"type parameters": {
			driver:  "import \"fmt\"\nfunc mapped[T, R any](in []T, f func(T) R) (out []R) {\nfor _, x := range in { out = append(out, f(x)) }\nreturn out\n}\nfunc Drive() { fmt.Println(twice(3), twice(\"a\"), mapped([]int{1, 2}, double), lengths([]string{\"ab\"})) }",
			learner: "func twice[T any](x T) []T { return []T{x, x} }\nfunc double(n int) float64 { return float64(2 * n) }\nfunc lengths(s []string) []int { return mapped(s, func(x string) int { return len(x) }) }",
			want:    "[3 3] [a a] [2 4] [2]\n",
		},
	}
}

// output runs a prepared program's main function. ahead has the first text compiled before the program comes.
func output(t *testing.T, p engine.Prepared, ahead bool) string {
	t.Helper()
	var out bytes.Buffer
	i := mustInterpreter(t, &out, &out)
	if ahead {
		if err := i.LoadFirst(p.First); err != nil {
			t.Fatal(err)
		}
		p.First = ""
	}
	if err := i.Load(p); err != nil {
		t.Fatal(err)
	}
	main, err := i.Main()
	if err != nil {
		t.Fatal(err)
	}
	if crash := catch(main); crash != nil {
		t.Fatalf("%v, after %q", crash, out.String())
	}
	return out.String()
}

// TestPartsRunAsOne holds that a program does the same whether its first text was compiled ahead or not, and that what the
// learner adds to a file leaves the first text as it is.
func TestPartsRunAsOne(t *testing.T) {
	e := engine.New(teaching.Tree())
	for name, test := range sharedPrograms() {
		t.Run(name, func(t *testing.T) {
			before, after := mustPrepare(t, e, test.program("")), mustPrepare(t, e, test.program(more))
			for _, p := range []engine.Prepared{before, after} {
				if p.First == "" || !strings.Contains(p.First, "func f_Drive") {
					t.Fatalf("the driver is not in the first text:\n%s", p.First)
				}
				if got, want := len(p.Lines.Marks), strings.Count(p.First+p.Text, "\n"); got != want {
					t.Errorf("%d lines are mapped, and there are %d", got, want)
				}
				for _, ahead := range []bool{false, true} {
					if got := output(t, p, ahead); got != test.want {
						t.Errorf("ahead %v: got %q, want %q\n%s\n%s", ahead, got, test.want, p.First, p.Text)
					}
				}
			}
			if before.First != after.First {
				t.Errorf("the first text is\n%s\nand with more in the learner's file\n%s", before.First, after.First)
			}
		})
	}
}

// A program whose entry is the learner's is one text.
func TestALearnersProgramIsOneText(t *testing.T) {
	program := engine.Program{
		Sources: []engine.Source{{Path: "main.go", Text: []byte("package main\n\nfunc main() { println(1) }\n"), Learner: true}},
		Entry:   engine.Entry{Package: "main", Function: "main"}, Rules: engine.Rules{Main: true},
	}
	if p := mustPrepare(t, engine.New(teaching.Tree()), program); p.First != "" {
		t.Errorf("the first text is\n%s", p.First)
	}
}
