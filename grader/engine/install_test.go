package engine_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"fieldbook/grader"
	"fieldbook/grader/engine"
	teaching "fieldbook/runtime"
)

// desk is a copied package with two functions to write and one that stays.
func desk() fstest.MapFS {
	return fstest.MapFS{
		"runtime/desk/open.go":   {Data: []byte("package desk\n\nfunc Open() string { return \"supplied\" + table() }\n")},
		"runtime/desk/close.go":  {Data: []byte("package desk\n\nfunc Close() string { return \"supplied\" }\n")},
		"runtime/desk/table.go":  {Data: []byte("package desk\n\nfunc table() string { return \" table\" }\n")},
		"runtime/desk/x_test.go": {Data: []byte("package desk\n\nimport \"testing\"\n")},
	}
}

func deskProgram(open, closing string) engine.Program {
	p := engine.Program{Entry: engine.Entry{Package: "main", Function: "main"}, Rules: engine.Rules{RefuseInit: true}}
	p.Sources = append(p.Sources, engine.Source{Path: "main.go", Text: []byte(
		"package main\n\nimport (\n\t\"fmt\"\n\n\t\"fieldbook/runtime/desk\"\n)\n\nfunc main() { fmt.Println(desk.Open(), desk.Close()) }\n")})
	for _, file := range []struct{ path, text, function string }{
		{"runtime/desk/close.go", closing, "Close"},
		{"runtime/desk/open.go", open, "Open"},
	} {
		if file.text != "" {
			p.Sources = append(p.Sources, engine.Source{Path: file.path, Text: []byte(file.text), Learner: true,
				Functions: []engine.FunctionSpec{{Name: file.function, Signature: "func() string"}}})
		}
	}
	return p
}

func TestInstall(t *testing.T) {
	open := "package desk\n\nfunc Open() string { return \"mine\" + helper() + table() }\n\nfunc helper() string { return \"!\" }\n"
	closing := "package desk\n\nfunc Close() string { return \"mine\" }\n"
	tests := []struct {
		name          string
		open, closing string
		want          string // printed, or the diagnostics
	}{
		{"nothing replaced", "", "", "supplied table supplied\n"},
		{"one file", open, "", "mine! table supplied\n"},
		{"the other file", "", closing, "supplied table mine\n"},
		{"both files", open, closing, "mine! table mine\n"},
		{"a helper of both", open, closing + "\nfunc helper() string { return \"?\" }\n",
			"runtime/desk/open.go:5:6: helper redeclared in this package"},
		{"faults in both", strings.Replace(open, "helper()", "helpr()", 1), strings.Replace(closing, "\"mine\"", "1", 1),
			"runtime/desk/close.go:3:30: cannot use 1 (untyped int constant) as string value in return statement\n" +
				"runtime/desk/open.go:3:38: undefined: helpr"},
		{"a helper of the package is gone from the other file", open, strings.Replace(closing, "\"mine\"", "helper()", 1), "mine! table !\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			prepared, found, err := engine.New(desk()).Prepare(context.Background(), deskProgram(test.open, test.closing))
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if prepared != nil {
				got, _, _ = process(t, prepared)
			}
			var lines []string
			for _, d := range found {
				lines = append(lines, d.String())
			}
			if got += strings.Join(lines, "\n"); got != test.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, test.want)
			}
		})
	}
}

// The digest identifies the program: the same for the same files, another one for any other byte or entry.
func TestDigest(t *testing.T) {
	digest := func(text, entry string) string {
		p := deskProgram("package desk\n\nfunc Open() string { return \"a\" }\n"+text, "")
		p.Sources[0].Text = append(p.Sources[0].Text, "\nfunc other() {}\n"...)
		p.Entry.Function = entry
		prepared, found, err := engine.New(desk()).Prepare(context.Background(), p)
		if err != nil || len(found) > 0 {
			t.Fatal(err, found)
		}
		return prepared.Digest
	}
	first := digest("", "main")
	if digest("", "main") != first {
		t.Error("the same program has two digests")
	}
	if digest("// a comment\n", "main") == first || digest("", "other") == first {
		t.Error("two programs have one digest")
	}
}

// Programs are prepared at the same time, over the same caches.
func TestPrepareInParallel(t *testing.T) {
	e := engine.New(teaching.Tree())
	imports := []string{"bytes", "container/heap", "encoding/json", "math/big", "regexp", "strings", "text/tabwriter", "time"}
	reference := referenceProgram(t)
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() {
			if _, found, err := e.Prepare(context.Background(), reference); err != nil || len(found) > 0 {
				t.Errorf("the reference: %v %v", err, found)
			}
		})
	}
	for _, path := range imports {
		for n := range 3 {
			group.Go(func() {
				p := mainProgram(fmt.Sprintf("package main\n\nimport _ %q\n\nfunc main() { println(%d) }\n", path, n))
				if _, found, err := e.Prepare(context.Background(), p); err != nil || len(found) > 0 {
					t.Errorf("%s: %v %v", path, err, found)
				}
				p = restoreProgram(head + signature + "\n\treturn missing\n}\n")
				_, found, err := e.Prepare(context.Background(), p)
				if err != nil || engine.OutcomeOf(found) != grader.CompileError {
					t.Errorf("%s: %v %v", path, err, found)
				}
			})
		}
	}
	group.Wait()
}
