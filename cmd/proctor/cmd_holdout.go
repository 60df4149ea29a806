package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"fieldbook/exercises/holdout"
	"fieldbook/grader"
	"fieldbook/grader/task"
	"fieldbook/handoff"
)

func (p *program) holdoutCommand() *cobra.Command {
	var seed uint64
	cmd := &cobra.Command{
		Use:   "holdout EXERCISE FILE...",
		Short: "Run the holdout cases of an exercise on handoffs or sources",
		Long: `Holdout runs every holdout case of an exercise on each file, a handoff or a Go source, and says what failed. Identities,
counts and boundaries are drawn from a seed; without --seed a new one is drawn, and said. Each case runs twice.

JSON: exercise, seed, holdouts (their digest), files[{file, verdict, handoff, cases[{case, holds, weight, verdict,
report, differences, missing}]}].
` + exitStatus,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return &grader.Error{Code: "usage", Message: "proctor holdout needs an exercise and at least one file", Hint: "Use: proctor holdout EXERCISE FILE...", Exit: grader.ExitUsage}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("seed") {
				seed = drawSeed()
			}
			return p.holdout(cmd.Context(), args[0], args[1:], seed)
		},
	}
	cmd.Flags().Uint64Var(&seed, "seed", 0, "draw the cases from this `number`: the same number, the same cases")
	return cmd
}

// holdoutResult is the object that holdout prints.
type holdoutResult struct {
	Exercise string       `json:"exercise"`
	Seed     uint64       `json:"seed"`
	Holdouts string       `json:"holdouts"` // digest of the set
	Files    []fileResult `json:"files"`
}

type fileResult struct {
	File    string         `json:"file"`
	Verdict grader.Verdict `json:"verdict"`
	Handoff string         `json:"handoff,omitempty"` // digest, when the file is one
	Key     string         `json:"key,omitempty"`     // who signed it
	Error   *fileError     `json:"error,omitempty"`
	Cases   []caseResult   `json:"cases"`
}

type fileError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint"`
}

type caseResult struct {
	task.CaseResult
	Holds  string `json:"holds"`
	Weight int    `json:"weight"`
}

func (p *program) holdout(ctx context.Context, exercise string, files []string, seed uint64) error {
	set, err := holdout.Named(exercise)
	if err != nil {
		return err
	}
	if err := p.begin(); err != nil {
		return err
	}
	result := holdoutResult{Exercise: exercise, Seed: seed}
	if result.Holdouts, err = set.Digest(); err != nil {
		return err
	}
	bench := &holdoutBench{program: p, set: set, seed: seed, references: map[string]*task.Reference{}}
	for _, file := range files {
		one, err := bench.file(ctx, file)
		if err != nil {
			return err
		}
		result.Files = append(result.Files, one)
		if !p.json {
			p.printHoldout(one, len(set.Cases))
		}
	}
	if p.json {
		p.write(result)
	} else {
		fmt.Fprintf(p.out, "Seed %d. Holdout set sha256 %s.\n", seed, result.Holdouts)
	}
	return nil
}

// holdoutBench runs the cases of one set under one seed. What the reference leaves is computed once a case.
type holdoutBench struct {
	program    *program
	set        *holdout.Set
	seed       uint64
	references map[string]*task.Reference
}

// file runs every case on one file. What is wrong with the file is in the result; an error is ours.
func (b *holdoutBench) file(ctx context.Context, path string) (fileResult, error) {
	result := fileResult{File: path, Cases: []caseResult{}}
	t, err := b.program.task(b.set.Exercise)
	if err != nil {
		return result, err
	}
	defer t.Close()
	report, err := b.install(ctx, t, path, &result)
	if err != nil {
		if ctx.Err() != nil {
			return result, err
		}
		return result, b.refuse(&result, err)
	}
	result.Verdict = grader.Pass
	if report.Outcome != "" {
		result.Verdict = report.Verdict
		result.Cases = append(result.Cases, caseResult{CaseResult: task.CaseResult{Case: "install", Verdict: report.Verdict, Report: report}})
		b.program.count(result.Verdict.ExitCode())
		return result, nil
	}
	for _, c := range b.set.Cases {
		one, err := b.one(ctx, t, c)
		if err != nil {
			return result, err
		}
		result.Cases = append(result.Cases, caseResult{CaseResult: one, Holds: c.Holds, Weight: c.Weight})
		if one.Verdict.ExitCode() > result.Verdict.ExitCode() {
			result.Verdict = one.Verdict
		}
	}
	b.program.count(result.Verdict.ExitCode())
	return result, nil
}

// refuse notes a file that cannot be run at all.
func (b *holdoutBench) refuse(result *fileResult, err error) error {
	e := refusal(err)
	if e == nil {
		e = grader.AsError(err)
	}
	if e.Code == "internal" {
		return err
	}
	result.Error = &fileError{Code: e.Code, Message: e.Message, Hint: e.Hint}
	if e.Exit == grader.ExitInvalid {
		result.Verdict = grader.Invalid
	}
	b.program.count(e.Exit)
	return nil
}

// install puts a handoff's implementation, or a source, in place.
func (b *holdoutBench) install(ctx context.Context, t *task.Task, path string, result *fileResult) (grader.Report, error) {
	data, err := handoff.ReadFile(path)
	if err == nil && bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		h, report, err := t.Load(ctx, path)
		if err == nil {
			result.Handoff, result.Key = h.Digest, h.KeyID
		}
		return report, err
	}
	source, err := task.ReadSource(path, b.set.Exercise.Replaces[0])
	if err != nil {
		return grader.Report{}, err
	}
	return t.Install(ctx, source)
}

// one runs one case, after the reference has run it.
func (b *holdoutBench) one(ctx context.Context, t *task.Task, c holdout.Case) (task.CaseResult, error) {
	drawn := task.Case{
		Name: c.Name, Probe: c.Probe, Seed: b.seed, Values: c.Draw(b.seed),
		Want: c.Expectation, World: c.Compare == holdout.World, Log: c.Log, Calls: c.Drawn(b.seed),
	}
	reference, seen := b.references[c.Name]
	if !seen {
		solution, err := b.program.task(b.set.Exercise)
		if err != nil {
			return task.CaseResult{}, err
		}
		defer solution.Close()
		report, err := solution.Install(ctx, task.Source{Path: b.set.Solution.File, Name: b.set.Solution.Name, Text: b.set.Solution.Text})
		if err != nil {
			return task.CaseResult{}, err
		}
		if report.Outcome != "" {
			return task.CaseResult{}, fmt.Errorf("the solution of %s does not install: %v", b.set.Exercise.Name, report.Diagnostics)
		}
		if reference, err = solution.Reference(ctx, drawn); err != nil {
			return task.CaseResult{}, err
		}
		b.references[c.Name] = reference
	}
	return t.Holdout(ctx, drawn, reference)
}

func (p *program) printHoldout(r fileResult, cases int) {
	if r.Error != nil {
		fmt.Fprintf(p.out, "%s: %s\n  %s\n", r.File, strings.TrimSpace(string(r.Verdict)+" "+r.Error.Message), r.Error.Hint)
		return
	}
	passed := 0
	for _, c := range r.Cases {
		if c.Verdict == grader.Pass {
			passed++
		}
	}
	fmt.Fprintf(p.out, "%s: %s, %d of %d holdout cases passed\n", r.File, r.Verdict, passed, cases)
	for _, c := range r.Cases {
		if c.Verdict != grader.Pass {
			p.printCase(c)
		}
	}
}

// Most lines about one case: a world that has nothing in common with the reference's fills no screen.
const maxLines = 6

func (p *program) printCase(c caseResult) {
	fmt.Fprintf(p.out, "  ✗ %s: %s (%s)\n", c.Case, c.Verdict, c.Report.Outcome)
	if c.Holds != "" {
		fmt.Fprintf(p.out, "      holds: %s\n", c.Holds)
	}
	var lines []string
	if c.Report.Cause != "" {
		lines = append(lines, c.Report.Cause)
	}
	for _, f := range c.Report.Fields {
		if !f.Agrees {
			lines = append(lines, fmt.Sprintf("%s: expected %s, observed %s", f.Name, f.Expected, f.Observed))
		}
	}
	for _, d := range c.Differences {
		lines = append(lines, d.String())
	}
	for _, s := range c.Missing {
		lines = append(lines, fmt.Sprintf("%s: %s", s.Rule.Text, s.Progress))
	}
	for _, d := range c.Report.Diagnostics {
		lines = append(lines, d.String())
	}
	for i, line := range lines {
		if i == maxLines {
			fmt.Fprintf(p.out, "      … %d more; --json has all of them\n", len(lines)-maxLines)
			break
		}
		fmt.Fprintf(p.out, "      %s\n", line)
	}
}
