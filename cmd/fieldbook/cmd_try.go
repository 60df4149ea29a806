package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/grader"
	"fieldbook/grader/task"
)

func (p *program) tryCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "try FILE.go",
		Short: "Run a small program of your own in the same sandbox",
		Long: `Try runs a complete small program, package main with func main, through the same check, interpreter and sandbox as an
exercise. Nothing is compared and nothing is kept. PASS says that it ran to its end.

JSON: verdict, outcome, file, report (as in run).`,
		Args:        takes("FILE.go"),
		Annotations: exitStatus(1, 3, 5, 6),
		RunE:        p.does(func(ctx context.Context, _ *cobra.Command, args []string) error { return p.try(ctx, args[0]) }),
	}
}

// tryResult is the object that try prints.
type tryResult struct {
	Verdict grader.Verdict `json:"verdict"`
	Outcome grader.Outcome `json:"outcome"`
	File    string         `json:"file"`
	Report  grader.Report  `json:"report"`
}

func (p *program) try(ctx context.Context, file string) error {
	b, err := p.bench()
	if err != nil {
		return err
	}
	report, err := task.Try(ctx, b.Task, p.path(file))
	if err != nil {
		return err
	}
	if report.Crash != nil && report.Crash.Line > 0 {
		report.Crash.File = file // there is one file, and this is what the student calls it
	}
	result := tryResult{Verdict: report.Verdict, Outcome: report.Outcome, File: file, Report: workbench.WithoutData(report)}
	return p.finish(result.Verdict, result, func(out printer) {
		if report.Verdict == grader.Pass {
			if note := report.Environment.Note; note != "" {
				p.say("%s", note)
			}
			// The program's own output alone, so that it can be piped.
			if text := strings.TrimRight(report.Output.Text, "\n"); text != "" {
				out.lines(text)
			}
			return
		}
		out.lines(out.Report(report, draw.Detail{}, out.width)...)
	})
}
