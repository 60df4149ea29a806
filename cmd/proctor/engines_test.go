package main

import (
	"os"
	"os/exec"
	"slices"
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

// perSet is how many variants and wrong solutions of an exercise are built: `proctor check` builds all of them.
const perSet = 1

// TestEnginesAgreeOnAnswers has both engines run the visible probe on answers of every exercise: its solution, and the
// first variants and wrong solutions of it.
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
		answers := slices.Concat([]holdout.Candidate{set.Solution}, set.Variants[:min(perSet, len(set.Variants))], set.Wrong[:min(perSet, len(set.Wrong))])
		for _, answer := range answers {
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
				if report.Verdict == grader.Void || report.Verdict == grader.NotRunnable {
					t.Fatalf("%s: %s %v", report.Outcome, report.Cause, report.Diagnostics)
				}
				if report.Outcome != grader.CompileError && report.Environment.Engine != engine.Both {
					t.Errorf("%s was run by %s", report.Outcome, report.Environment.Engine)
				}
			})
		}
	}
}
