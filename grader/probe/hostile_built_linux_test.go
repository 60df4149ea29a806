package probe_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"fieldbook/grader"
	"fieldbook/grader/engine/toolchain"
	"fieldbook/grader/probe"
	"fieldbook/grader/sandbox"
	"fieldbook/runtime/world"
)

// TestHostileBuilt runs every program that the checks let through as the Go toolchain builds it: what is required of it is
// the same as when it is interpreted.
func TestHostileBuilt(t *testing.T) {
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
	g := mustGrounds(t)
	p := mustPipeline(t, sandbox.Options{})
	late := watchScheduler()
	defer late.stop()
	for _, name := range hostileNames(t) {
		required := requirements()[name]
		if required.code != "" {
			continue // it is never built
		}
		switch name { // what is compiled runs at another pace
		case "77_race_read_nonce": // its goroutines never see that they are to end, and each holds 32 MB
			required.shipped = required.shipped.or(grader.MemoryLimit)
		case "59_map_concurrent_fatal": // it comes to its end before two goroutines meet in the map
			required.shipped = required.shipped.or(grader.Observed)
			required.shipped.replies = []string{"SURVIVED"}
		}
		t.Run(name, func(t *testing.T) {
			s := p.built(t, tc, g.source(hostileSource(t, name)), g.input(), required.limits)
			required.holds(t, s, required.shipped, late.worst())
			checkSafe(t, s, false)
			if err := g.touched(); err != nil {
				t.Error(err)
			}
		})
	}
}

// built is shipped for the Go toolchain.
func (p *pipeline) built(t *testing.T, tc *toolchain.Toolchain, text, input string, limits grader.Limits) seen {
	t.Helper()
	program := solveProgram(text)
	program.Build = true
	sources, found, err := p.checker.Prepare(t.Context(), program)
	if err != nil || len(found) > 0 {
		t.Fatal(err, found)
	}
	built, err := tc.Build(t.Context(), sources)
	if err != nil {
		t.Fatal(err, grader.AsError(err).Cause)
	}
	began := time.Now()
	execution, rows, err := p.runner.Table(t.Context(), probe.Run{Program: built, Profile: sandbox.Pure, Limits: limits},
		[][]world.Value{{world.StringValue(input)}})
	if err != nil {
		t.Fatal(err)
	}
	defer execution.Close()
	s := seen{
		outcome: execution.Outcome, cause: execution.Cause, hint: execution.Hint, output: execution.Output,
		level: execution.Level, layers: execution.Layers, wall: time.Since(began),
	}
	for _, row := range rows {
		s.reply, _ = row.Value.AsString()
		if row.Crash != nil {
			s.outcome, s.cause, s.hint = grader.Panic, row.Crash.Message, "row"
		}
	}
	s.told = s.reply + s.output.Text + s.cause
	return s
}
