package engine

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// alone prepares a program that stands alone, over an empty runtime.
func alone(t *testing.T, e *Engine, text string) (codes []string) {
	t.Helper()
	_, found, err := e.Prepare(context.Background(), Program{
		Sources: []Source{{Path: "main.go", Text: []byte(text), Learner: true}},
		Entry:   Entry{Package: mainPackage, Function: "main"},
		Rules:   Rules{Main: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range found {
		codes = append(codes, d.Code)
	}
	return codes
}

// Syntax that is nested without brackets is refused before anything walks it: each of these fills the largest file.
func TestDepthIsBounded(t *testing.T) {
	fill := func(before, unit, after string) string {
		n := (maxSourceBytes - len(before) - len(after) - 64) / len(unit)
		return "package main\n\nfunc main() {\n" + before + strings.Repeat(unit, n) + after + "\n}\n"
	}
	tests := map[string]string{
		"unary":        fill("_ = ", "! ", "true"),
		"pointers":     fill("var x ", "*", "int; _ = x"),
		"slices":       fill("var x ", "[]", "int; _ = x"),
		"channels":     fill("var x ", "chan ", "int; _ = x"),
		"maps":         fill("var x ", "map[int]", "int; _ = x"),
		"functions":    fill("var x ", "func() ", "int; _ = x"),
		"receive":      fill("_ = ", "<-", "nil"),
		"sum":          fill("_ = 1", "+1", ""),
		"calls":        fill("f", "()", ""),
		"indexes":      fill("_ = f", "[0]", ""),
		"selectors":    fill("_ = f", ".f", ""),
		"assertions":   fill("_ = f", ".(int)", ""),
		"else if":      fill("if true {}", " else if true {}", ""),
		"labels":       fill("", "L: ", ";"),
		"brackets":     fill("_ = ", "(", "1"),
		"braces":       fill("", "{", ""),
		"type literal": fill("var x ", "struct{ f ", "int"),
		"address":      fill("_ = ", "& ", "x"),
	}
	e := New(fstest.MapFS{})
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			codes := alone(t, e, text)
			if len(codes) == 0 || (codes[0] != codeTooDeep && codes[0] != codeSyntax) {
				t.Errorf("codes %v, want %s or %s", codes, codeTooDeep, codeSyntax)
			}
		})
	}
}

// A check that takes too long is given up with a diagnostic, and the engine goes on.
func TestCheckIsGivenUp(t *testing.T) {
	e := New(fstest.MapFS{})
	e.limit = time.Nanosecond
	if codes := alone(t, e, "package main\n\nfunc main() {}\n"); len(codes) != 1 || codes[0] != codeTooComplex {
		t.Errorf("codes %v", codes)
	}
	e.limit = maxCheck
	if codes := alone(t, e, "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println() }\n"); len(codes) != 0 {
		t.Errorf("codes %v after a check was given up", codes)
	}
}

// A caller that gives up gets its own error, and no diagnostic.
func TestPrepareIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, found, err := New(fstest.MapFS{}).Prepare(ctx, Program{
		Sources: []Source{{Path: "main.go", Text: []byte("package main\n\nfunc main() {}\n"), Learner: true}},
		Entry:   Entry{Package: mainPackage, Function: "main"},
		Rules:   Rules{Main: true},
	})
	if !errors.Is(err, context.Canceled) || len(found) > 0 {
		t.Errorf("error %v, diagnostics %v", err, found)
	}
}

// A fault of the supplied files is ours: an error, and no word to the learner.
func TestFaultOfSuppliedFileIsOurs(t *testing.T) {
	tests := map[string]fstest.MapFS{
		"syntax":    {"runtime/broken/a.go": {Data: []byte("package broken\n\nfunc {\n")}},
		"type":      {"runtime/broken/a.go": {Data: []byte("package broken\n\nvar X int = \"x\"\n")}},
		"import":    {"runtime/broken/a.go": {Data: []byte("package broken\n\nimport _ \"os\"\n")}},
		"cycle":     {"runtime/broken/a.go": {Data: []byte("package broken\n\nimport _ \"fieldbook/runtime/b\"\n")}, "runtime/b/b.go": {Data: []byte("package b\n\nimport _ \"fieldbook/runtime/broken\"\n")}},
		"directive": {"runtime/broken/a.go": {Data: []byte("//go:build linux\n\npackage broken\n")}},
	}
	for name, tree := range tests {
		t.Run(name, func(t *testing.T) {
			_, found, err := New(tree).Prepare(context.Background(), Program{
				Sources: []Source{{Path: "main.go", Text: []byte("package main\n\nimport _ \"fieldbook/runtime/broken\"\n\nfunc main() {}\n"), Learner: true}},
				Entry:   Entry{Package: mainPackage, Function: "main"},
				Rules:   Rules{Main: true},
			})
			if err == nil || len(found) > 0 {
				t.Errorf("error %v, diagnostics %v", err, found)
			}
		})
	}
}
