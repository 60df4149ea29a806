package main

import (
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/exercises"
	"fieldbook/grader"
)

// runOptions are the flags of run.
type runOptions struct {
	files      []string
	operations bool
	all        bool
}

func (o *runOptions) addFlags(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&o.files, "file", nil, "your `FILE` instead of the workspace's; repeat it for an exercise of several files")
	cmd.Flags().BoolVar(&o.operations, "operations", false, "print the operations of a passing run too")
	cmd.Flags().BoolVar(&o.all, "all", false, "run every example, exercise and transfer of a unit")
}

func (p *program) runCommand() *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "run EXERCISE [--file FILE] | run --all UNIT",
		Short: "Run your file for an exercise and compare what it did",
		Long: `Run puts your file into a private copy of the runtime, checks it, runs the visible probe in a sandbox, and compares what
it left with what is expected. The run is kept as an attempt. At a PASS the probe runs a second time, and the handoff of
the unit is written.

With --all it takes a unit, and runs every example, exercise and transfer of it on what the workspace holds. What was executed
and what passed are two counts. The last lines are for scripts: CONNECTION, OBSERVATION, EXERCISE_REPORT, TRANSFER_STATUS and
COURSE_REPORT.

JSON: verdict, outcome, exercise, workspace, report{label, cause, hint, fields[{field, expected, observed, agrees,
read_from}], diagnostics[{code, file, line, column, message, hint, excerpt}], crash, operations, stages, output,
environment}, attempt{number, sources, …}, handoff{path, sha256, backup} or null; with --all unit, executed, passed,
items[{step, name, verdict, evidence, cause}], exercise_report, transfer_status, course_report.`,
		Args:        takes("EXERCISE"),
		Annotations: exitStatus(1, 3, 4, 5, 6),
		ValidArgsFunction: func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			if o.all {
				return completeUnits(cmd, args, typed)
			}
			return completeExercises(cmd, args, typed)
		},
		RunE: p.does(func(ctx context.Context, cmd *cobra.Command, args []string) error {
			if o.all {
				return p.runAll(ctx, args[0], commandLine(cmd, args))
			}
			return p.runExercise(ctx, o, args[0], commandLine(cmd, args))
		}),
	}
	o.addFlags(cmd)
	return cmd
}

func completeExercises(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, e := range exercises.All() {
		names = append(names, e.Name)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// runResult is the object that run prints.
type runResult struct {
	Verdict   grader.Verdict `json:"verdict"`
	Outcome   grader.Outcome `json:"outcome"`
	Exercise  string         `json:"exercise"`
	Workspace string         `json:"workspace"`
	workbench.Run
}

func newRunResult(b *workbench.Bench, run workbench.Run) runResult {
	run.Report = workbench.WithoutData(run.Report)
	return runResult{Verdict: run.Report.Verdict, Outcome: run.Report.Outcome, Exercise: run.Report.Exercise, Workspace: b.Work.Root(), Run: run}
}

func (p *program) runExercise(ctx context.Context, o runOptions, name, command string) error {
	e, err := exercises.Named(name)
	if err != nil {
		return err
	}
	b, done, err := p.open(ctx, command)
	if err != nil {
		return err
	}
	defer done()
	run, err := b.Run(ctx, e, p.absolute(o.files)...)
	result := newRunResult(b, run)
	if err != nil && run.Report.Outcome != "" {
		// The verdict stands although something could not be kept: show it before the error.
		if !p.flags.json {
			p.printer().printRun(e, result, o.operations)
		}
		return &failed{err: err, done: result}
	}
	if err != nil {
		return err
	}
	return p.finish(result.Verdict, result, func(out printer) { out.printRun(e, result, o.operations) })
}

// absolute makes the names of files independent of the working directory.
func (p *program) absolute(files []string) []string {
	paths := make([]string, len(files))
	for i, f := range files {
		paths[i] = p.path(f)
	}
	return paths
}

func (p *program) path(file string) string {
	if file == "" || filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(p.folder, file)
}

func (out printer) printRun(e *exercises.Exercise, r runResult, operations bool) {
	out.lines(out.Report(r.Report, draw.Detail{Learner: workbench.Places(e), Operations: operations}, out.width)...)
	out.lines("")
	out.printKept(r.Run)
	if r.Verdict == grader.NeedsWork && len(e.Hints) > 0 {
		out.para("%d hints are closed: open the app to read them one at a time.", len(e.Hints))
	}
}

// printKept says what was kept of a run. Nothing is said to be saved before it is.
func (out printer) printKept(run workbench.Run) {
	if run.Attempt.Number > 0 {
		kept := out.Say("Attempt %d is kept with its source.", run.Attempt.Number)
		if run.Attempt.Number == 1 {
			kept += " " + out.Say("It is your first attempt and stays for good.")
		}
		out.para("%s", kept)
	}
	switch {
	case run.Handoff != nil:
		out.lines(draw.Saved(out.Accent.On(run.Handoff.Path)))
		out.lines(out.Faint.On("sha256 " + run.Handoff.SHA256))
		if run.Handoff.Previous != "" {
			out.para("The handoff that it replaces is in backup %s.", run.Handoff.Previous)
		}
		out.para("All VISIBLE probes passed; holdouts run at grading.")
	case run.Report.Verdict != grader.Pass && run.Report.Verdict != "":
		out.para("No handoff is written for this run.")
	}
}

// heading is one line about something that is going on or was done, with its time.
func (p printer) heading(what, right string) {
	room := p.width - draw.Width(right) - 1
	p.lines(draw.Fit(what, room) + " " + p.Faint.On(right))
}
