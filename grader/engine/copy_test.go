package engine_test

import (
	"context"
	"strings"
	"testing"

	"fieldbook/grader/engine"
	teaching "fieldbook/runtime"
)

func prepareMain(t *testing.T, text string, build bool) (*engine.Prepared, []string) {
	t.Helper()
	prepared, found, err := engine.New(teaching.Tree()).Prepare(context.Background(), engine.Program{
		Sources: []engine.Source{{Path: "main.go", Text: []byte(text), Learner: true}},
		Entry:   engine.Entry{Package: "main", Function: "main"},
		Rules:   engine.Rules{Main: true},
		Build:   build,
	})
	if err != nil {
		t.Fatal(err)
	}
	var messages []string
	for _, d := range found {
		messages = append(messages, d.String())
	}
	return prepared, messages
}

func TestACopyOfAMainProgramHasNoMain(t *testing.T) {
	const text = `//go:build exercise

package main

// learnerMain main
var again func()

func main() {
	if again == nil {
		main()
	}
	main := "main" //line other.go:1
	_ = main
}
`
	prepared, found := prepareMain(t, text, true)
	if len(found) > 0 {
		t.Fatal(found)
	}
	want := strings.NewReplacer("//go:build exercise", strings.Repeat(" ", 19),
		"func main()", "func learnerMain_()", "\tmain()", "\tlearnerMain_()", "//line other.go:1", strings.Repeat(" ", 17)).Replace(text)
	if got := string(prepared.Copy.Files[0].Text); got != want || prepared.Copy.Function != "learnerMain_" {
		t.Errorf("entry %s\ngot\n%s\nwant\n%s", prepared.Copy.Function, got, want)
	}
}

func TestACopyIsCheckedAndNotLowered(t *testing.T) {
	interpreted, _ := prepareMain(t, "package main\n\nfunc main() {}\n", false)
	built, _ := prepareMain(t, "package main\n\nfunc main() {}\n", true)
	if interpreted.Digest != built.Digest || interpreted.Engine() != engine.Interpreted || built.Engine() != engine.Toolchain {
		t.Errorf("got %+v and %+v", interpreted, built)
	}
	for _, refused := range []string{"import \"os\"\n\nfunc main() { os.Exit(0) }\n", "func main() { n := 1 }\n"} {
		_, one := prepareMain(t, "package main\n\n"+refused, false)
		_, other := prepareMain(t, "package main\n\n"+refused, true)
		if len(one) == 0 || strings.Join(one, "\n") != strings.Join(other, "\n") {
			t.Errorf("the engines refuse differently:\n%v\n%v", one, other)
		}
	}
}

func TestACopyHoldsTheWholePackages(t *testing.T) {
	text, err := teaching.Source("runtime/assistant/restore.go")
	if err != nil {
		t.Fatal(err)
	}
	prepared, found, err := engine.New(teaching.Tree()).Prepare(context.Background(), engine.Program{
		Sources: []engine.Source{{Path: "runtime/assistant/restore.go", Text: text, Learner: true}},
		Entry:   engine.Entry{Package: "fieldbook/runtime/assistant", Function: "Restore"},
		Build:   true,
	})
	if err != nil || len(found) > 0 {
		t.Fatal(err, found)
	}
	var paths []string
	for _, f := range prepared.Copy.Files {
		paths = append(paths, f.Path)
	}
	var whole []string // of the packages that the entry reaches
	for _, path := range teaching.CopiedFiles() {
		if strings.HasPrefix(path, "runtime/assistant/") {
			whole = append(whole, path)
		}
	}
	if got, want := strings.Join(paths, " "), strings.Join(whole, " "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
