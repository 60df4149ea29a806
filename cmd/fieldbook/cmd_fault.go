package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/evidence"
	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/task"
)

// startOptions are the flags that say what Unit B starts from.
type startOptions struct {
	handoff   string
	reference bool
	fault     string
}

func (o *startOptions) addFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.handoff, "handoff", "", "start from this handoff `FILE`; default: the one in the workspace")
	cmd.Flags().BoolVar(&o.reference, "reference", false, "start from the course's own code, labelled SUPPLIED_REFERENCE")
	cmd.Flags().StringVar(&o.fault, "fault", "", "inject the fault of this `NAME`; default: the unit's")
	cmd.MarkFlagsMutuallyExclusive("handoff", "reference")
}

func (p *program) faultCommand() *cobra.Command {
	var o startOptions
	cmd := &cobra.Command{
		Use:   "fault EXERCISE [--handoff FILE | --reference]",
		Short: "Break a handoff's code on purpose and show what follows",
		Long: `Fault verifies a handoff, executes it unchanged, and looks for the smallest edit of its code that gives the declared
failure: the function still succeeds, and the world right after it differs in the declared cells alone. It shows the
consequence, the differing cells and the edit. Exit status 0 says that the failure is reproduced, 1 that no edit fits.

JSON: reproduced, exercise, starting_evidence, handoff, baseline{report, same_result}, injection{fault, found, supplied,
path, edit, before, after, candidate, candidates, elapsed_ns, good, broken, differences}.`,
		Args:              takes("EXERCISE"),
		Annotations:       exitStatus(1, 3, 4, 5, 6),
		ValidArgsFunction: completeExercises,
		RunE: p.does(func(ctx context.Context, _ *cobra.Command, args []string) error {
			return p.injectFault(ctx, o, args[0])
		}),
	}
	o.addFlags(cmd)
	return cmd
}

// broken is the object that fault prints.
type broken struct {
	Reproduced bool               `json:"reproduced"`
	Exercise   string             `json:"exercise"`
	Evidence   string             `json:"starting_evidence"`
	Handoff    string             `json:"handoff,omitempty"`
	Baseline   workbench.Baseline `json:"baseline"`
	Injection  *task.Injection    `json:"injection"` // null when the baseline did not pass
}

func (p *program) injectFault(ctx context.Context, o startOptions, name string) error {
	b, err := p.bench()
	if err != nil {
		return err
	}
	x, err := p.start(ctx, b, o, name)
	if err != nil {
		return err
	}
	defer x.Close()
	result, err := p.breakIt(ctx, b, x, o)
	if err != nil {
		return err
	}
	p.exit = result.exit()
	return p.print(result, func(out printer) {
		out.printBaseline(x, result.Baseline)
		if result.Injection != nil {
			out.printConsequence(x.Exercise, *result.Injection)
			out.printEdit(x, *result.Injection)
		}
	})
}

// start begins Unit B from what the flags name.
func (p *program) start(ctx context.Context, b *workbench.Bench, o startOptions, name string) (*workbench.Breakage, error) {
	e, err := exercises.Named(name)
	if err != nil {
		return nil, err
	}
	if o.reference {
		return b.BreakReference(ctx, e)
	}
	path := p.path(o.handoff)
	if path == "" {
		if path, err = p.handoffOf(b, e); err != nil {
			return nil, err
		}
	}
	return b.BreakHandoff(ctx, path, e.Name)
}

// handoffOf is where the workspace keeps the handoff of the unit that constructs an exercise.
func (p *program) handoffOf(b *workbench.Bench, e *exercises.Exercise) (string, error) {
	u := b.Constructing(e.Name)
	place, err := p.find()
	if err != nil {
		return "", err
	}
	if u == nil || !place.Exists {
		return "", &grader.Error{
			Code: "no_handoff", Message: "there is no handoff of " + e.Name + " in a workspace of yours",
			Hint: "Name one with --handoff, or start from the course's own code with --reference.", Exit: grader.ExitUsage,
		}
	}
	w, err := workspace.Open(place.Path, p.now)
	if err != nil {
		return "", err
	}
	return w.Path(workbench.HandoffPath(u, e.Name)), nil
}

// breakIt runs the baseline and, when that passes, injects the fault.
func (p *program) breakIt(ctx context.Context, b *workbench.Bench, x *workbench.Breakage, o startOptions) (broken, error) {
	result := broken{Exercise: x.Exercise.Name, Evidence: x.Evidence, Handoff: x.Path}
	fault := o.fault
	var err error
	if fault == "" {
		if fault, err = b.Fault(x.Exercise); err != nil {
			return result, err
		}
	}
	result.Baseline, err = x.Baseline(ctx)
	result.Baseline.Report = workbench.WithoutData(result.Baseline.Report)
	if err != nil || result.Baseline.Verdict() != grader.Pass {
		return result, err
	}
	injection, err := x.Inject(ctx, fault)
	if err != nil {
		return result, err
	}
	injection.Good, injection.Broken = workbench.WithoutData(injection.Good), workbench.WithoutData(injection.Broken)
	result.Injection, result.Reproduced = &injection, injection.Found
	return result, nil
}

func (b broken) exit() int {
	switch {
	case b.Injection == nil:
		return b.Baseline.Verdict().ExitCode()
	case b.Reproduced:
		return grader.ExitPass
	default:
		return grader.ExitNeedsWork
	}
}

func (out printer) printBaseline(x *workbench.Breakage, b workbench.Baseline) {
	from := x.Evidence
	if x.Path != "" {
		from += "   " + x.Path
	}
	out.lines(draw.Cut(out.Faint.On(out.Say("from"))+" "+from, out.width))
	out.lines(draw.Cut(fmt.Sprintf("%s   %s", task.LabelBaseline, out.Verdict(b.Verdict())), out.width))
	if b.Verdict() != grader.Pass {
		out.lines(out.Report(b.Report, draw.Detail{Learner: workbench.Places(x.Exercise)}, out.width)...)
		out.para("A fault is injected only into code that passes.")
	}
}

// printConsequence says what the fault caused, before the edit is shown.
func (out printer) printConsequence(e *exercises.Exercise, i task.Injection) {
	if !i.Found {
		out.lines(task.LabelInjected + "   " + out.Changed.On("! "+out.Say("nothing fits")))
		out.para("None of %d edits gives exactly the declared failure of %s.", i.Candidates, i.Fault)
		return
	}
	label := out.Say("reproduced")
	if i.Supplied {
		label = out.Say("reproduced by SUPPLIED_FAULT, the course's own broken function")
	}
	out.lines(fmt.Sprintf("%s   %s", task.LabelInjected, out.Differ.On(draw.DifferSign+" "+label)))
	out.section("What it caused")
	out.lines(out.Consequence(workbench.Consequence(e, i.Fault), out.width)...)
	out.section("What the probe observed")
	out.lines(out.Beside(i.Good.Fields, i.Broken.Fields, out.width)...)
	if len(i.Differences) == 0 {
		return // a world of files: the fields say what differs
	}
	out.section("Cells that differ, all tables of both worlds compared")
	for _, d := range i.Differences {
		out.lines(draw.Hang("  ", out.Say("%s %s.%s   yours %s   injected %s", d.Cell.Database, d.Cell.Table, d.Cell.Column, evidence.Short(d.Want), out.Differ.On(evidence.Short(d.Got))), out.width)...)
	}
}

// printEdit shows the learner's line and the injected one.
func (out printer) printEdit(x *workbench.Breakage, i task.Injection) {
	if !i.Found {
		return
	}
	if i.Supplied {
		out.section("SUPPLIED_FAULT took the place of %s", i.Path)
		return
	}
	out.section("The edit, in %s   (- yours   + injected)", i.Path)
	change := draw.Change{Line: i.Edit.Line, Column: i.Edit.Column, Before: i.Before, After: i.After, What: out.Message(i.Edit.What)}
	out.lines(out.Edit(workbench.TextOf(x.Sources(), i.Path), change, out.width)...)
	out.lines(out.Faint.On(out.Say("candidate %d of %d, found in %s", i.Candidate, i.Candidates, draw.Duration(i.Elapsed))))
}
