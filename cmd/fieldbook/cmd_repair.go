package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/grader"
	"fieldbook/grader/task"
)

// repairOptions are the flags of repair.
type repairOptions struct {
	startOptions
	files []string
}

func (o *repairOptions) addFlags(cmd *cobra.Command) {
	o.startOptions.addFlags(cmd)
	cmd.Flags().StringArrayVar(&o.files, "file", nil, "your repaired `FILE` instead of the workspace's")
}

func (p *program) repairCommand() *cobra.Command {
	var o repairOptions
	cmd := &cobra.Command{
		Use:   "repair EXERCISE [--handoff FILE | --reference] [--file FILE]",
		Short: "Take your repair of a broken handoff and run it",
		Long: `Repair goes through Unit B in one command: the handoff is verified and executed unchanged (YOUR_BASELINE), broken
(INJECTED_FAILURE), and your repaired file is run (YOUR_REPAIR) and kept as an attempt. At a PASS the handoff of the unit is
written; it names the one that you started from. The exit code is the repair's.

JSON: verdict, reproduced, exercise, starting_evidence, handoff, baseline, injection (as in fault), repair{report, attempt,
handoff} (as in run).`,
		Args:              takes("EXERCISE"),
		Annotations:       exitStatus(1, 3, 4, 5, 6),
		ValidArgsFunction: completeExercises,
		RunE: p.does(func(ctx context.Context, cmd *cobra.Command, args []string) error {
			return p.repair(ctx, o, args[0], commandLine(cmd, args))
		}),
	}
	o.addFlags(cmd)
	return cmd
}

// repaired is the object that repair prints.
type repaired struct {
	Verdict grader.Verdict `json:"verdict"`
	broken
	Repair *workbench.Run `json:"repair"` // null when the baseline did not pass
}

func (p *program) repair(ctx context.Context, o repairOptions, name, command string) error {
	b, done, err := p.open(ctx, command)
	if err != nil {
		return err
	}
	defer done()
	x, err := p.start(ctx, b, o.startOptions, name)
	if err != nil {
		return err
	}
	defer x.Close()
	before, err := p.breakIt(ctx, b, x, o.startOptions)
	if err != nil {
		return err
	}
	result := repaired{Verdict: before.Baseline.Verdict(), broken: before}
	if before.Injection != nil {
		run, err := x.Repair(ctx, p.absolute(o.files)...)
		run.Report = workbench.WithoutData(run.Report)
		result.Repair, result.Verdict = &run, run.Report.Verdict
		if err != nil {
			return &failed{err: err, done: result}
		}
	}
	return p.finish(result.Verdict, result, func(out printer) {
		out.printBaseline(x, result.Baseline)
		if result.Injection == nil {
			return
		}
		if result.Reproduced {
			out.lines(fmt.Sprintf("%s   %s", task.LabelInjected, out.Differ.On(draw.DifferSign+" "+out.Say("reproduced"))))
		} else {
			out.lines(task.LabelInjected + "   " + out.Changed.On("! "+out.Say("nothing fits")))
		}
		out.lines("")
		out.lines(out.Report(result.Repair.Report, draw.Detail{Learner: workbench.Places(x.Exercise)}, out.width)...)
		out.lines("")
		out.printKept(*result.Repair)
	})
}
