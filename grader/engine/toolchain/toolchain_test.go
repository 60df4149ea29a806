package toolchain_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/engine"
	"fieldbook/grader/engine/toolchain"
	teaching "fieldbook/runtime"
)

// mustToolchain is a toolchain with a folder of its own and the developer's build cache. Tests that build are skipped
// where there is none, and in short runs: the first build of a machine takes most of a minute.
func mustToolchain(t *testing.T) *toolchain.Toolchain {
	t.Helper()
	if testing.Short() {
		t.Skip("SKIPPED LOUDLY: nothing is built natively with -short")
	}
	out, err := exec.CommandContext(t.Context(), "go", "env", "GOCACHE").Output()
	if err != nil {
		t.Skip("SKIPPED LOUDLY: no Go toolchain, so nothing can be built natively")
	}
	tc := toolchain.New(toolchain.Config{Getenv: os.Getenv, Cache: t.TempDir(), BuildCache: strings.TrimSpace(string(out))})
	if err := tc.Ready(t.Context()); err != nil {
		t.Skipf("SKIPPED LOUDLY: %v", err)
	}
	return tc
}

// mustPrepare prepares a program as sources.
func mustPrepare(t *testing.T, p engine.Program) *engine.Prepared {
	t.Helper()
	p.Build = true
	prepared, found, err := engine.New(teaching.Tree()).Prepare(context.Background(), p)
	if err != nil || len(found) > 0 {
		t.Fatal(err, found)
	}
	return prepared
}

func mainProgram(text string) engine.Program {
	return engine.Program{
		Sources: []engine.Source{{Path: "main.go", Text: []byte(text), Learner: true}},
		Entry:   engine.Entry{Package: "main", Function: "main"},
		Rules:   engine.Rules{Main: true},
	}
}

func restoreProgram(t *testing.T) engine.Program {
	t.Helper()
	e, err := exercises.Named("restore")
	if err != nil {
		t.Fatal(err)
	}
	probe, err := e.File(e.Probe)
	if err != nil {
		t.Fatal(err)
	}
	text, err := teaching.Source("runtime/assistant/restore.go")
	if err != nil {
		t.Fatal(err)
	}
	return engine.Program{
		Sources: []engine.Source{
			{Path: "runtime/assistant/restore.go", Text: text, Learner: true},
			{Path: "probe/probe.go", Text: probe},
		},
		Entry: engine.Entry{Package: "fieldbook/probe", Function: "Probe"},
	}
}

func TestBuildKeepsWhatItBuilt(t *testing.T) {
	tc := mustToolchain(t)
	prepared := mustPrepare(t, restoreProgram(t))
	first, err := tc.Build(t.Context(), prepared)
	if err != nil {
		t.Fatal(grader.AsError(err).Cause, err)
	}
	before, err := os.Stat(first.Binary)
	if err != nil {
		t.Fatal(err)
	}
	second, err := tc.Build(t.Context(), prepared)
	if err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(second.Binary)
	if err != nil {
		t.Fatal(err)
	}
	if !os.SameFile(before, after) || first.Digest != prepared.Digest || first.Engine() != engine.Toolchain {
		t.Errorf("got %+v, then %+v", first, second)
	}
	t.Logf("%d bytes", after.Size())
}

// TestACompilerThatRefusesIsNoStudentsFault holds what becomes of a program that our checker would have let through
// wrongly.
func TestACompilerThatRefusesIsNoStudentsFault(t *testing.T) {
	tc := mustToolchain(t)
	prepared := mustPrepare(t, mainProgram("package main\n\nfunc main() {\n\tprintln()\n}\n"))
	prepared.Digest, prepared.Copy.Files[0].Text = "another", []byte("package main\n\nfunc learnerMain() {\n\tn := 1\n\tmissing()\n}\n")
	_, err := tc.Build(t.Context(), prepared)
	refused, ok := errors.AsType[*toolchain.CompileError](err)
	if !ok {
		t.Fatalf("got %v", err)
	}
	var got []string
	for _, d := range refused.Diagnostics {
		got = append(got, d.String())
	}
	if want := "main.go:4:2: declared and not used: n\nmain.go:5:2: undefined: missing"; strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
	if engine.OutcomeOf(refused.Diagnostics) != grader.EnginesDisagree || refused.Diagnostics[1].Excerpt != "\tmissing()" {
		t.Errorf("got %+v", refused.Diagnostics)
	}
}

// TestNamesOfTheLearnersGiveWay holds that nothing which a program declares keeps it from being built.
func TestNamesOfTheLearnersGiveWay(t *testing.T) {
	tc := mustToolchain(t)
	prepared := mustPrepare(t, mainProgram("package main\n\nvar learnerWorker, worker, entry = 1, 2, 3\n\nfunc learnerMain() {}\n\nfunc main() { learnerMain() }\n"))
	if _, err := tc.Build(t.Context(), prepared); err != nil {
		t.Error(err, grader.AsError(err).Cause)
	}
}

func TestBuildEndsWithItsContext(t *testing.T) {
	tc := mustToolchain(t)
	prepared := mustPrepare(t, mainProgram("package main\n\nfunc main() { println(\"cancelled\") }\n"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := tc.Build(ctx, prepared); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestReadySaysWhatIsMissing(t *testing.T) {
	workspace := t.TempDir() // a student's: the same module path, and none of the grader
	if err := os.WriteFile(filepath.Join(workspace, "go.mod"), []byte("module fieldbook\n\ngo 1.26\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	old := t.TempDir() // a go command of another time
	script := "#!/bin/sh\necho '{\"GOVERSION\": \"go1.19.3\", \"GOMODCACHE\": \"/nowhere\"}'\n"
	broken := t.TempDir()
	for folder, text := range map[string]string{old: script, broken: "#!/bin/sh\necho 'no such thing' >&2\nexit 1\n"} {
		if err := os.WriteFile(filepath.Join(folder, "go"), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		name        string
		environment map[string]string
		cache       string
		want        string
	}{
		{"no toolchain", map[string]string{"PATH": workspace + string(filepath.ListSeparator) + "relative"}, "cache", "the Go toolchain is not installed"},
		{"an old toolchain", map[string]string{"PATH": old}, "cache", "is go1.19.3; go1."},
		{"a toolchain that does not work", map[string]string{"PATH": broken}, "cache", "does not work: exit status 1: no such thing"},
		{"a wrong source", map[string]string{"FIELDBOOK_SOURCE": workspace}, "cache", "FIELDBOOK_SOURCE is " + workspace + ", which does not hold Fieldbook's source"},
		{"no cache", nil, "", "no cache folder"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if runtime.GOOS == "windows" && strings.HasPrefix(test.name, "a") {
				t.Skip("SKIPPED LOUDLY: the stand-in for go is a shell script")
			}
			tc := toolchain.New(toolchain.Config{
				Getenv: func(name string) string { return test.environment[name] }, Folder: workspace, Cache: test.cache,
			})
			err := tc.Ready(t.Context())
			known := grader.AsError(err)
			if err == nil || known.Code != toolchain.CodeMissing || known.Exit != grader.ExitUsage || known.Hint == "" || !strings.Contains(known.Error(), test.want) {
				t.Errorf("got %v", err)
			}
			if tc.Version() != "" {
				t.Errorf("the version is %q", tc.Version())
			}
		})
	}
}
