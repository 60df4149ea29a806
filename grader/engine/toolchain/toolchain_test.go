package toolchain_test

import (
	"context"
	"os"
	"os/exec"
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
		t.Skip("building natively takes seconds")
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
