package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/matrix"
	"fieldbook/cmd/fieldbook/scenario"
	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/exercises"
	"fieldbook/grader"
	crashes "fieldbook/grader/crash"
	"fieldbook/grader/task"
)

func (p *program) crashCommand() *cobra.Command {
	var files []string
	var connected bool
	cmd := &cobra.Command{
		Use:   "crash EXERCISE [--file FILE | --connected]",
		Short: "Explore what a crash can do to your file at every durable operation",
		Long: `Crash records one run of the visible world, builds what the disk holds after each durable operation if the process is
killed, if the power is lost, or if names reach the disk before contents, and judges every such state by the invariants of
the exercise. Then each operation is refused once, as a full or failing disk would refuse it. Nothing is kept.

JSON: verdict, outcome, exercise, report (as in run, when the file cannot be run) or null, matrix{cause, hint, crash,
invariants[{id, text, consequence, files}], operations[{number, kind, path, to, bytes, call, detail, file, line, yours}],
points[{after, instances[{model, half, state}], cells[{broken, unread}], unsynced[{path, first}]}],
rows[{first, last, place, what, summary, file, line, yours, cells}], states[{facts[{of, text}], findings[{verdict, reason}]}],
explored, faults[{operation, kind, reached, returned, broken[{invariant, model, reason}]}], elapsed_ns, environment} or null,
sources[{path, function, label, sha256}] (connected).`,
		Args:              takes("EXERCISE"),
		Annotations:       exitStatus(1, 3, 5, 6),
		ValidArgsFunction: completeExercises,
		RunE: p.does(func(ctx context.Context, cmd *cobra.Command, args []string) error {
			return p.crash(ctx, args[0], files, connected, commandLine(cmd, args))
		}),
	}
	cmd.Flags().StringArrayVar(&files, "file", nil, "your `FILE` instead of the workspace's; repeat it for an exercise of several files")
	cmd.Flags().BoolVar(&connected, "connected", false, "with your functions of the exercises that this one connects, as scenarios run it")
	return cmd
}

// crashResult is the object that crash prints.
type crashResult struct {
	Verdict  grader.Verdict  `json:"verdict"`
	Outcome  grader.Outcome  `json:"outcome"`
	Exercise string          `json:"exercise"`
	Report   *grader.Report  `json:"report"`
	Matrix   *crashes.Matrix `json:"matrix"`

	Sources []scenario.Source `json:"sources,omitempty"` // that were connected
}

func (p *program) crash(ctx context.Context, name string, files []string, connected bool, command string) error {
	e, err := exercises.Named(name)
	if err != nil {
		return err
	}
	if connected && len(files) > 0 {
		return usage("usage", "--connected and --file exclude each other", "Connected functions are those of the workspace.")
	}
	b, done, err := p.crashBench(ctx, e, files, command)
	if err != nil {
		return err
	}
	defer done()
	p.say("Recording a run of %s and judging what every crash of it can leave: a few seconds.", name)
	result := crashResult{Exercise: name}
	var report grader.Report
	if connected {
		result.Matrix, report, result.Sources, err = b.CrashConnected(ctx, e, task.Exploration{})
	} else {
		result.Matrix, report, err = b.Crash(ctx, e, task.Exploration{}, p.absolute(files)...)
	}
	if err != nil {
		return err
	}
	if connected {
		p.say("%s", sourcesLine(p.texts, result.Sources))
	}
	found := result.Matrix
	if found == nil {
		result.Verdict, result.Outcome, result.Report = report.Verdict, report.Outcome, &report
	} else {
		result.Verdict, result.Outcome = found.Verdict, found.Outcome
	}
	return p.finish(result.Verdict, result, func(out printer) {
		if found == nil {
			out.lines(out.Report(report, draw.Detail{Learner: workbench.Places(e)}, out.width)...)
			return
		}
		out.printMatrix(found)
	})
}

// crashBench opens the workspace, unless every file of the exercise was named.
func (p *program) crashBench(ctx context.Context, e *exercises.Exercise, files []string, command string) (*workbench.Bench, func(), error) {
	if len(files) < len(e.Replaces) {
		return p.open(ctx, command)
	}
	b, err := p.bench()
	return b, func() {}, err
}

// mostDetails is how many invariants are told with the states behind their first broken cell.
const mostDetails = 8

func (out printer) printMatrix(m *crashes.Matrix) {
	out.lines(matrix.Headline(out.Theme, m, out.width)...)
	if len(m.Points) == 0 {
		out.lines(out.Cause(grader.Report{Outcome: m.Outcome, Cause: m.Cause, Hint: m.Hint, Crash: m.Crash}, out.width)...)
		return
	}
	out.lines(matrix.Legend(out.Theme, m, out.width)...)
	out.lines("")
	out.lines(matrix.Table(out.Theme, m, matrix.None(), out.width)...)
	out.section("The invariants")
	for _, c := range m.Invariants {
		out.lines(draw.Hang(fmt.Sprintf("%-4s", c.ID), out.Message(c.Text), out.width)...)
	}
	for _, cell := range matrix.Breaches(m, mostDetails) {
		out.lines("")
		for _, line := range draw.Wrap(matrix.Heading(out.Theme, m, cell), out.width) {
			out.lines(out.Title.On(line))
		}
		out.lines(matrix.Detail(out.Theme, m, cell, out.width)...)
	}
	out.section("A full or failing disk")
	out.lines(matrix.Faults(out.Theme, m, out.width)...)
}
