package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"fieldbook/exercises/holdout"
	"fieldbook/grader"
	"fieldbook/grader/engine"
	"fieldbook/grader/engine/toolchain"
	"fieldbook/grader/sandbox"
	"fieldbook/grader/task"
	teaching "fieldbook/runtime"
	"fieldbook/units"
)

// TestEnginesAgreeOnAnswers has both engines run the visible probe on the solution of every exercise. `proctor check` has
// them run its variants and wrong solutions as well, on every probe.
func TestEnginesAgreeOnAnswers(t *testing.T) {
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
	pool, err := sandbox.NewPool(sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	options := task.Options{
		Engine: engine.New(teaching.Tree()), Pool: pool, Edition: units.Edition, Now: time.Now,
		Engines: task.Engines{Choice: task.Interpreter, Referee: true, Toolchain: tc},
	}
	for _, set := range holdout.All() {
		answer := set.Solution
		t.Run(set.Exercise.Name+"/"+answer.Name, func(t *testing.T) {
			one, err := task.New(options, set.Exercise)
			if err != nil {
				t.Fatal(err)
			}
			defer one.Close()
			report, err := one.Install(t.Context(), task.Source{Path: answer.File, Name: answer.Name, Text: answer.Text})
			if err == nil && report.Outcome == "" {
				report, err = one.Visible(t.Context())
			}
			if err != nil {
				t.Fatal(err)
			}
			if report.Verdict != grader.Pass {
				t.Fatalf("%s: %s %v", report.Outcome, report.Cause, report.Diagnostics)
			}
			if report.Environment.Engine != engine.Both {
				t.Errorf("%s was run by %s", report.Outcome, report.Environment.Engine)
			}
		})
	}
	t.Run("other answers", func(t *testing.T) {
		t.Skip("SKIPPED LOUDLY: variants and wrong solutions are run by both engines in `proctor check` alone, as .ci/run does")
	})
}
