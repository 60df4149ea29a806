package engine_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fieldbook/grader"
	"fieldbook/grader/engine"
	teaching "fieldbook/runtime"
)

var update = flag.Bool("update", false, "write golden files")

// restoreSpec is what exercise.yaml declares for the restore exercise.
var restoreSpec = []engine.FunctionSpec{{
	Name:      "Restore",
	Signature: "func(ctx context.Context, db *database.Database, source string) error",
}}

// head begins a learner's restore.go with the imports that its signature needs.
const head = "package assistant\n\nimport (\n\t\"context\"\n\n\t\"fieldbook/runtime/database\"\n)\n\n"

// signature is the declared function, up to its opening brace.
const signature = "func Restore(ctx context.Context, db *database.Database, source string) error {"

// restoreProgram is the program of a learner's restore.go, as grader/task makes it.
func restoreProgram(text string) engine.Program {
	return engine.Program{
		Sources: []engine.Source{
			{Path: "runtime/assistant/restore.go", Name: "restore.go", Text: []byte(text), Learner: true, Functions: restoreSpec},
			{Path: "probe/probe.go", Text: []byte(emptyProbe)},
		},
		Entry: engine.Entry{Package: "fieldbook/probe", Function: "Probe"},
		Rules: engine.Rules{RefuseClock: true, RefuseInit: true},
	}
}

const emptyProbe = `//go:build exercise

package probe

import (
	"context"

	"fieldbook/runtime/assistant"
	"fieldbook/runtime/world"
)

func Probe(ctx context.Context, w *world.World) (world.Observation, error) {
	var seen world.Observation
	db, err := w.Open(ctx)
	if err != nil {
		return seen, err
	}
	seen.Bool("refused", assistant.Restore(ctx, db, w.Path("none")) != nil)
	return seen, nil
}
`

// Every way in which a learner's file can be wrong: the golden file shows what the learner is told.
func TestBadInput(t *testing.T) {
	good := head + signature + "\n\treturn nil\n}\n"
	body := func(lines ...string) string {
		return head + signature + "\n\t" + strings.Join(lines, "\n\t") + "\n\treturn nil\n}\n"
	}
	tests := []struct {
		name string
		text string
		code string // of the first diagnostic
	}{
		{"empty", "", "empty"},
		{"white space", " \n\t\n", "empty"},
		{"five megabytes", good + strings.Repeat("// x\n", 1<<20), "too_large"},
		{"one byte too large", good + "//" + strings.Repeat("x", 256<<10-len(good)-1), "too_large"},
		{"nul byte", body("x := \"a\x00b\"", "_ = x"), "nul_byte"},
		{"invalid utf-8", body("x := \"a\xffb\"", "_ = x"), "encoding"},
		{"utf-16", "\xff\xfep\x00a\x00c\x00k\x00", "encoding"},
		{"binary", "\x7fELF\x02\x01\x01\x00\x00\x00", "nul_byte"},
		{"another function", strings.Replace(good, "func Restore", "func Restor", 1), "function_missing"},
		{"no function", "package assistant\n", "function_missing"},
		{"method", strings.Replace(good, "func Restore", "type shopkeeper struct{}\n\nfunc (shopkeeper) Restore", 1), "function_is_method"},
		{"twice", good + "\n" + signature + "\n\treturn nil\n}\n", "function_twice"},
		{"another signature", strings.Replace(good, "source string) error", "source []byte) error", 1), "signature"},
		{"no error returned", "package assistant\n\nfunc Restore() {}\n", "signature"},
		{"generic", strings.Replace(good, "Restore(", "Restore[T any](", 1), "signature"},
		{"another package", strings.Replace(good, "package assistant", "package main", 1), "package_clause"},
		{"no package clause", signature + "\n\treturn nil\n}\n", "syntax"},
		{"build constraint", "//go:build linux\n\n" + good, "build_constraint"},
		{"old build constraint", "// +build linux\n\n" + good, "build_constraint"},
		{"constraint ignored by go", "//go:build ignore\n\n" + good, "build_constraint"},
		{"directive", strings.Replace(good, "func Restore", "//go:noinline\nfunc Restore", 1), "directive"},
		{"linkname", strings.Replace(good, "func Restore", "//go:linkname now time.now\nfunc now() int\n\nfunc Restore", 1), "directive"},
		{"cgo", strings.Replace(good, "import (", "import \"C\"\n\nimport (", 1), "cgo"},
		{"import os", strings.Replace(good, "\"context\"", "\"context\"\n\t\"os\"", 1), "import_not_offered"},
		{"import unsafe", strings.Replace(good, "\"context\"", "\"context\"\n\t_ \"unsafe\"", 1), "import_not_offered"},
		{"import of a neighbour", strings.Replace(good, "\"context\"", "\"context\"\n\t\"secretpkg\"", 1), "import_not_offered"},
		{"import above the module", strings.Replace(good, "\"context\"", "\"context\"\n\t\"../secret\"", 1), "import_not_offered"},
		{"import of the operation log", strings.Replace(good, "\"context\"", "\"context\"\n\t\"fieldbook/runtime/operation\"", 1), "import_not_offered"},
		{"import of holdouts", strings.Replace(good, "\"context\"", "\"context\"\n\t\"fieldbook/exercises/holdout\"", 1), "import_not_offered"},
		{"import misspelt", strings.Replace(good, "\"context\"", "\"context\"\n\t\"string\"", 1), "import_not_offered"},
		{"import of itself", strings.Replace(good, "\"context\"", "\"context\"\n\t\"fieldbook/runtime/assistant\"", 1), "import_not_offered"},
		{"dot import", strings.Replace(good, "\"fieldbook/", ". \"fieldbook/", 1), "dot_import"},
		{"init", good + "\nfunc init() {}\n", "init"},
		{"redeclared runtime name", good + "\nfunc ManifestAgrees() {}\n", "redeclared"},
		{"go's own name", good + "\nfunc len(x string) int { return 0 }\n", "redeclared"},
		{"a package's name", good + "\nvar context = 1\n", "redeclared"},
		{"wall clock", strings.Replace(body("_ = time.Now()", "time.Sleep(1)"), "\"context\"", "\"context\"\n\t\"time\"", 1), "wall_clock"},
		{"random", strings.Replace(body("_ = rand.Int()"), "\"context\"", "\"context\"\n\t\"math/rand\"", 1), "wall_clock"},
		{"reflect by the back door", strings.Replace(body("var e json.UnmarshalTypeError", "_ = e.Type.Name()"), "\"context\"", "\"context\"\n\t\"encoding/json\"", 1), "not_offered"},
		{"unsafe by the back door", strings.Replace(body("_ = atomic.LoadPointer"), "\"context\"", "\"context\"\n\t\"sync/atomic\"", 1), "not_offered"},
		{"no body", good + "\nfunc helper() int\n", "missing_body"},
		{"brace on the next line", strings.Replace(good, "error {", "error\n{", 1), "syntax"},
		{"syntax", body("if source == \"\" {", "x := ", "}}"), "syntax"},
		{"missing brace", signatureOnly(), "syntax"},
		{"unterminated string", body("x := \"abc", "y := 'ab'"), "syntax"},
		{"many brackets", body("_ = " + strings.Repeat("(", 1000) + "1" + strings.Repeat(")", 1000)), "too_deep"},
		{"deep without brackets", body("_ = " + strings.Repeat("- ", 5000) + "1"), "too_deep"},
		{"long sum", body("_ = 1" + strings.Repeat("+1", 5000)), "too_deep"},
		{"doubled constant", body("const s0 = \"0123456789abcdef\"", doubled(40), "_ = s40"), "constant_too_large"},
		{"huge shift", body("const huge = 1 << 100000000", "_ = huge > 1"), "type"},
		{"huge product", body("const a = 1 << 400", "const b = a * a * a * a", "_ = b > 1"), "type"},
		{"endless type", good + "\ntype node[P any] struct{ next *node[[2]P] }\n", "type"},
		{"many faults", body(manyFaults(30)), "undefined"},
		{"unused", body("x := 1"), "unused_variable"},
		{"unused import", strings.Replace(good, "\"context\"", "\"context\"\n\t\"strings\"", 1), "unused_import"},
		{"missing return", head + signature + "\n}\n", "type"},
		{"misspelt method", body("_ = db.Pth()"), "undefined"},
		{"method in another case", body("_ = db.path()"), "undefined"},
		{"misspelt variable", body("if sorce == \"\" {", "}"), "undefined"},
		{"misspelt package member", strings.Replace(body("_ = shop.ErrPermision"), "\"context\"", "\"context\"\n\t\"fieldbook/runtime/shop\"", 1), "undefined"},
		{"misspelt field", body("_ = database.Options{Clok: nil}"), "type"},
		{"package not imported", body("_ = strings.ToUpper(source)"), "undefined"},
		{"wrong arguments", body("db.Immediate(ctx)"), "type"},
		{"type mismatch", body("var n int = source", "if n == \"\" {", "}"), "type"},
		{"line comment", body("//line other.go:1", "x := 1"), "unused_variable"},
		{"line comment inside", body("/*line /etc/passwd:7:1*/ x := 1"), "unused_variable"},
		{"crlf", strings.ReplaceAll(body("x := 1"), "\n", "\r\n"), "unused_variable"},
		{"byte order mark", "\xef\xbb\xbf" + body("x := 1"), "unused_variable"},
		{"byte order mark inside", body("x := \"\xef\xbb\xbf\""), "syntax"},
		{"unicode before the fault", body("y, größe := \"ä\", 1", "_ = y"), "unused_variable"},
		{"unexported name of another package", body("_ = database.open"), "undefined"},
		{"labels", body("L:", "for {", "break M", "}"), "type"},
		{"redeclared inside", good + "\nfunc helper() {}\n\nfunc helper() {}\n", "redeclared"},
	}
	e := engine.New(teaching.Tree())
	var golden bytes.Buffer
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, found, err := e.Prepare(context.Background(), restoreProgram(test.text))
			if err != nil {
				t.Fatalf("an error of ours: %v", err)
			}
			if len(found) == 0 {
				t.Fatal("accepted")
			}
			if found[0].Code != test.code {
				t.Errorf("code %s, want %s", found[0].Code, test.code)
			}
			if outcome := engine.OutcomeOf(found); outcome != grader.CompileError {
				t.Errorf("outcome %s", outcome)
			}
			fmt.Fprintf(&golden, "== %s\n", test.name)
			for _, d := range found {
				if d.File != "restore.go" {
					t.Errorf("a message about another file: %s", d)
				}
				writeDiagnostic(&golden, d)
			}
			golden.WriteString("\n")
		})
	}
	compareGolden(t, "badinput.golden", golden.Bytes())
}

// Files that are right, in all the ways in which they may differ from the starter.
func TestAcceptedInput(t *testing.T) {
	good := head + signature + "\n\treturn nil\n}\n"
	tests := map[string]string{
		"as it stands":          good,
		"constraint of data":    "//go:build exercise\n\n" + good,
		"constraint, CRLF, BOM": "\xef\xbb\xbf" + strings.ReplaceAll("//go:build exercise\n\n"+good, "\n", "\r\n"),
		"license above":         "// Written by Ada.\n\n//go:build exercise\n\n// Package assistant works.\n" + good,
		"other names":           strings.NewReplacer("ctx ", "c ", "db ", "shop ", "source ", "_ ").Replace(good),
		"no names":              head + "func Restore(context.Context, *database.Database, string) error { return nil }\n",
		"named result":          strings.Replace(good, ") error {", ") (err error) {", 1),
		"renamed imports":       strings.NewReplacer("\"context\"", "stop \"context\"", "context.Context", "stop.Context", "\"fieldbook", "sql \"fieldbook", "database.Database", "sql.Database").Replace(good),
		"aliases":               strings.Replace(good, "ctx context.Context", "ctx life", 1) + "\ntype life = context.Context\n",
		"helpers":               good + "\ntype step struct{ name string }\n\nfunc (s step) String() string { return s.name }\n\nvar _ = step{}.name\n\nconst seven = 7\n",
		"a method of the name":  good + "\ntype shopkeeper struct{}\n\nfunc (shopkeeper) Restore() {}\n",
		"local names of Go's":   strings.Replace(good, "return nil", "len := 1\n\t_ = len\n\treturn nil", 1),
		"go 1.26":               strings.Replace(good, "return nil", "for i := range 3 {\n\t\t_ = new(i)\n\t}\n\t_ = min(1, 2)\n\treturn nil", 1),
		"import of a neighbour": strings.Replace(good, "return nil", "_ = shop.ErrPermission\n\treturn nil", 1) + "",
	}
	tests["import of a neighbour"] = strings.Replace(tests["import of a neighbour"], "database\"", "database\"\n\t\"fieldbook/runtime/shop\"", 1)
	e := engine.New(teaching.Tree())
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			if prepared, found, err := e.Prepare(context.Background(), restoreProgram(text)); err != nil || len(found) > 0 || prepared == nil {
				t.Errorf("error %v, diagnostics %v\n%s", err, found, text)
			}
		})
	}
}

// Right Go that cannot be run right is a third thing, at its place, with what to write instead.
func TestUnsupported(t *testing.T) {
	text := strings.Replace(head, "\"context\"", "\"context\"\n\t\"errors\"", 1) + signature + "\n\tvar failure *database.Error\n\tvar target any = &failure\n\t_ = errors.As(ctx.Err(), target)\n\treturn nil\n}\n"
	prepared, found, err := engine.New(teaching.Tree()).Prepare(context.Background(), restoreProgram(text))
	if err != nil || prepared != nil || len(found) != 1 {
		t.Fatalf("error %v, diagnostics %v", err, found)
	}
	if engine.OutcomeOf(found) != grader.Unsupported || found[0].Line != 13 || found[0].File != "restore.go" || found[0].Hint == "" {
		t.Errorf("%+v", found[0])
	}
	if engine.OutcomeOf(append(found, grader.Diagnostic{Code: "type"})) != grader.CompileError || engine.OutcomeOf(nil) != "" {
		t.Error("a fault beside it does not make a compile_error, or no diagnostics are an outcome")
	}
}

func writeDiagnostic(out *bytes.Buffer, d grader.Diagnostic) {
	fmt.Fprintf(out, "%s [%s]\n", d, d.Code)
	if caret := d.Caret(); caret != "" && len(caret) < 400 {
		fmt.Fprintf(out, "%s\n", caret)
	}
	if d.Hint != "" {
		fmt.Fprintf(out, "  → %s\n", d.Hint)
	}
}

func compareGolden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; run with -update and read the difference. Got:\n%s", path, got)
	}
}

func signatureOnly() string { return head + signature + "\n\treturn nil\n" }

func doubled(n int) string {
	var lines []string
	for i := range n {
		lines = append(lines, fmt.Sprintf("const s%d = s%d + s%d", i+1, i, i))
	}
	return strings.Join(lines, "\n\t")
}

func manyFaults(n int) string {
	var lines []string
	for i := range n {
		lines = append(lines, fmt.Sprintf("unknown%c%c()", 'a'+i/26, 'a'+i%26))
	}
	return strings.Join(lines, "\n\t")
}
