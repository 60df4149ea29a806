package task

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"fieldbook/grader"
	"fieldbook/grader/engine"
	"fieldbook/grader/probe"
	"fieldbook/grader/sandbox"
)

// Try runs a complete small program, package main with func main, through the same check, lowering and sandbox as a
// learner's function. Its verdict is PASS when it ran to its end: nothing is compared.
func Try(ctx context.Context, o Options, path string) (grader.Report, error) {
	text, err := readFile(path)
	if err != nil {
		return grader.Report{}, err
	}
	t := Task{options: o}
	report := grader.Report{Label: "TRY", Environment: t.environment()}
	begun := time.Now()
	prepared, diagnostics, err := o.prepare(ctx, engine.Program{
		Sources: []engine.Source{{Path: "main.go", Name: filepath.ToSlash(path), Text: text, Learner: true}},
		Entry:   engine.Entry{Package: "main", Function: "main"},
		Rules:   engine.Rules{Main: true},
	})
	if err != nil {
		return report, fmt.Errorf("prepare %s: %w", path, err)
	}
	report.Environment.Elapsed.Check = time.Since(begun)
	if len(diagnostics) > 0 {
		refuse(&report, diagnostics)
		return report, nil
	}
	report.Environment.Engine, report.Environment.Note = prepared.Engine(), prepared.Note
	execution, err := o.runner().Main(ctx, probe.Run{Program: prepared, Profile: sandbox.Scratch})
	if err != nil {
		return report, err
	}
	defer execution.Close()
	attach(&report, execution)
	report.Operations = execution.Operations
	report.Verdict = grader.Judge(report.Outcome, true)
	return report, nil
}
