package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"fieldbook/cmd/proctor/examine"
	"fieldbook/exercises/holdout"
	"fieldbook/grader"
	"fieldbook/grader/report"
	"fieldbook/grader/task"
)

type holdoutOptions struct {
	seed    uint64
	seeds   uint64
	shrink  bool
	student bool
}

func (o *holdoutOptions) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.Uint64Var(&o.seed, "seed", 0, "draw the cases from this `number`: the same number, the same cases")
	f.Uint64Var(&o.seeds, "seeds", 1, "draw each case this `many` times, from the seed and those that follow it")
	f.BoolVar(&o.shrink, "shrink", true, "make the smallest failing case as plain as it can be")
	f.BoolVar(&o.student, "student", false, "print what a student may see: neither cases nor what they expect")
}

func (o *holdoutOptions) all() []uint64 {
	var seeds []uint64
	for n := range o.seeds {
		seeds = append(seeds, o.seed+n)
	}
	return seeds
}

// maxSeeds bounds --seeds: a thousand seeds of thirty cases are an hour.
const maxSeeds = 1000

func (p *program) holdoutCommand() *cobra.Command {
	var o holdoutOptions
	cmd := &cobra.Command{
		Use:   "holdout EXERCISE FILE...",
		Short: "Run the holdout cases of an exercise on handoffs or sources",
		Long: `Holdout runs every holdout case of an exercise on each file, a handoff or a Go source, and says what failed. Identities,
counts and boundaries are drawn from a seed; without --seed a new one is drawn, and said. Each case runs twice, each time
in a new process and a new world: executions that differ are unstable. Of the cases that fail, the one with the fewest
parameters is made smaller, parameter by parameter, as long as it fails in the same way.

JSON: exercise, seed, seeds, holdouts (their digest), files[{file, verdict, points, of, handoff, key, error, install,
cases[{case, seed, verdict, result, holds, weight, report, differences, missing, second, apart}], smallest{case, seed,
values, tries, report, differences, missing}}]. A case that passes has no report.
With --student: files[{file, verdict, student{visible, holdouts, passed, cases, points, of, failed}}].
` + exitStatus,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return usage("proctor holdout needs an exercise and at least one file", "Use: proctor holdout EXERCISE FILE...")
			}
			if o.seeds == 0 || o.seeds > maxSeeds {
				return usage(fmt.Sprintf("--seeds=%d is not between 1 and %d", o.seeds, maxSeeds), "One seed is enough for a grade; more show that nothing depends on one.")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("seed") {
				o.seed = drawSeed()
			}
			return p.holdout(cmd.Context(), args[0], args[1:], o)
		},
	}
	o.addFlags(cmd)
	return cmd
}

// holdoutResult is the object that holdout prints.
type holdoutResult struct {
	Exercise string       `json:"exercise"`
	Seed     uint64       `json:"seed"`
	Seeds    uint64       `json:"seeds"`
	Holdouts string       `json:"holdouts"` // digest of the set
	Files    []fileResult `json:"files"`
}

// fileResult is how one file met the cases.
type fileResult struct {
	File    string         `json:"file"`
	Verdict grader.Verdict `json:"verdict"`
	Points  int            `json:"points"` // weights of the cases that passed under every seed
	Of      int            `json:"of"`
	Handoff string         `json:"handoff,omitempty"` // digest, when the file is one
	Key     string         `json:"key,omitempty"`     // who signed it
	Error   *fileError     `json:"error,omitempty"`
	Install *grader.Report `json:"install,omitempty"` // why the file cannot be run
	Cases   []caseResult   `json:"cases"`

	Smallest *smallestCase `json:"smallest,omitempty"`
	student  report.Student
}

func (p *program) holdout(ctx context.Context, exercise string, files []string, o holdoutOptions) error {
	set, err := holdout.Named(exercise)
	if err != nil {
		return err
	}
	if err := p.begin(); err != nil {
		return err
	}
	result := holdoutResult{Exercise: exercise, Seed: o.seed, Seeds: o.seeds}
	if result.Holdouts, err = set.Digest(); err != nil {
		return err
	}
	run := p.holdoutRun(set, o)
	for _, file := range files {
		one, err := run.file(ctx, file)
		p.progress.end()
		if err != nil {
			return err
		}
		p.count(one.exit())
		result.Files = append(result.Files, one)
		switch {
		case p.json:
		case o.student:
			p.printStudent(one)
		default:
			p.printHoldout(one, o)
		}
	}
	switch {
	case p.json && o.student:
		p.write(forStudents(result))
	case p.json:
		p.write(result)
	case !o.student:
		fmt.Fprintf(p.out, "%s. Holdout set sha256 %s.\n", o.words(), result.Holdouts)
	}
	return nil
}

// holdoutRun is the cases of one set, drawn.
type holdoutRun struct {
	program *program
	set     *holdout.Set
	bench   *examine.Bench
	draws   []examine.Draw
	options holdoutOptions
}

func (p *program) holdoutRun(set *holdout.Set, o holdoutOptions) *holdoutRun {
	return &holdoutRun{
		program: p, set: set, options: o, draws: examine.Draws(set, o.all()),
		bench: examine.New(set, func() (*task.Task, error) { return p.task(set.Exercise) }, parallel()),
	}
}

// parallel is how many cases are under way at a time: while one waits for the disk, another can be compared.
func parallel() int { return runtime.NumCPU() + 1 }

// file runs every case on one file. What is wrong with the file is in the result; an error is ours.
func (r *holdoutRun) file(ctx context.Context, path string) (fileResult, error) {
	result := fileResult{File: path, Cases: []caseResult{}}
	for _, c := range r.set.Cases {
		result.Of += c.Weight
	}
	t, err := r.program.task(r.set.Exercise)
	if err != nil {
		return result, err
	}
	defer t.Close()
	installed, err := install(ctx, t, path, &result)
	if err != nil {
		if result.Error = fileErrorOf(ctx, err); result.Error == nil {
			return result, err
		}
		result.Verdict = result.Error.verdict()
		return result, nil
	}
	if installed.Outcome != "" {
		result.Verdict, result.Install = installed.Verdict, &installed
		return result, nil
	}
	return result, r.cases(ctx, t, &result)
}

// cases runs the drawn cases on what is installed.
func (r *holdoutRun) cases(ctx context.Context, t *task.Task, result *fileResult) error {
	if r.options.student {
		visible, err := t.Visible(ctx)
		if err != nil {
			return err
		}
		result.student.Visible = report.Stand(visible.Verdict)
	}
	examination := r.bench.Examine(t)
	r.program.progress.begin(result.File, len(r.draws))
	outcomes, err := examination.Run(ctx, r.draws, r.program.progress.step)
	if err != nil {
		return r.explain(err)
	}
	result.take(outcomes)
	if !r.options.shrink || r.options.student {
		return nil
	}
	smallest, tries, err := examination.Smallest(ctx, outcomes)
	if err != nil {
		return r.explain(err)
	}
	if smallest != nil {
		result.Smallest = newSmallestCase(*smallest, tries)
	}
	return nil
}

// explain says which of our failures are an author's mistake.
func (r *holdoutRun) explain(err error) error {
	var unmet *task.UnmetError
	var uninstallable *examine.UninstallableError
	if errors.As(err, &unmet) || errors.As(err, &uninstallable) {
		return &grader.Error{
			Code: "holdouts_broken", Message: err.Error(), Exit: grader.ExitVoid, Cause: err,
			Hint: "The holdouts are wrong, not the file. Run: proctor check " + r.set.Exercise.Name,
		}
	}
	return err
}

// take notes the outcomes, and what they are worth together.
func (r *fileResult) take(outcomes []examine.Outcome) {
	r.Verdict = grader.Pass
	for i, o := range outcomes {
		r.Cases = append(r.Cases, newCaseResult(o))
		if o.Verdict.ExitCode() > r.Verdict.ExitCode() {
			r.Verdict = o.Verdict
		}
		first := i == 0 || outcomes[i-1].Case != o.Case
		if first {
			r.Points += o.Draw.Case.Weight
		}
		if o.Verdict != grader.Pass && !failedBefore(outcomes[:i], o.Case) {
			r.Points -= o.Draw.Case.Weight
		}
		r.student.Add(o.Report.Outcome, o.Verdict, o.Draw.Case.Weight)
	}
}

// failedBefore reports whether the case has failed under an earlier seed.
func failedBefore(earlier []examine.Outcome, name string) bool {
	for _, o := range earlier {
		if o.Case == name && o.Verdict != grader.Pass {
			return true
		}
	}
	return false
}

// exit is the code that a file's result stands for.
func (r *fileResult) exit() int {
	if r.Error != nil {
		return r.Error.exit
	}
	return r.Verdict.ExitCode()
}
