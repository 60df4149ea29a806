package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fieldbook/cmd/proctor/author"
	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/engine"
	"fieldbook/grader/task"
	"fieldbook/handoff"
	teaching "fieldbook/runtime"
	"fieldbook/units"
)

type checkOptions struct {
	folder  string
	seed    uint64
	long    bool
	mutants bool
	quiet   bool
	junit   string
}

func (o *checkOptions) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.folder, "exercises", "", "`folder` of the exercises; default: that of the module around the current folder, else those in this program")
	f.Uint64Var(&o.seed, "seed", 1, "draw the holdouts' parameters from this `number`")
	f.BoolVar(&o.long, "long", false, "50 seeds, every wrong solution against everything, faults and crashes of every variant")
	f.BoolVar(&o.mutants, "mutants", false, "list the mutants of the reference that no probe kills")
	f.BoolVar(&o.quiet, "quiet", false, "print what is wrong and nothing else")
	f.StringVar(&o.junit, "junit", "", "write the result as JUnit XML to this `file` too")
}

// longSeeds is how many seeds --long draws.
const longSeeds = 50

func (p *program) checkCommand() *cobra.Command {
	var o checkOptions
	cmd := &cobra.Command{
		Use:   "check [EXERCISE|UNIT...]",
		Short: "Check exercises and units as their author must",
		Long: `Check holds each exercise, or those that are named, to what an author promises: everything is written; the files decode
and none is a stray; texts keep the voice; the starter is unfinished; the solution, its variants and the reference pass the
visible probe and every holdout, in two executions; each wrong solution and each impostor fails something, and what; answers without
content (empty, constant, echo) fail; outputs that are nearly right are noticed; declared faults are found; no crash breaks
an invariant. The interpreter does all of it; where a Go toolchain is, it must come to the same of every answer, unless
--engine=yaegi. Of units: texts, code and links, and that examples print what is recorded.

With --mutants every single-node edit of the reference is run as well. One that no probe kills is justified by name in
holdout/EXERCISE/equivalent.yaml, or a case is missing.

JSON: place, seeds, engines, passed, items[{subject, name, passed, void, saw, complaints, elapsed_ns}], mutants[{exercise,
mutants, compile, killed, equivalent, survivors, justified, by_probe}].
` + checkExit,
		RunE: func(cmd *cobra.Command, args []string) error { return p.check(cmd.Context(), args, o) },
	}
	o.addFlags(cmd)
	return cmd
}

const checkExit = `
EXIT STATUS
    0  everything is as it must be
    1  something is not; each complaint names file and reason
    2  wrong use of the command
    6  our machine or our program failed; what was said so far stands
  130  interrupted`

func (p *program) check(ctx context.Context, names []string, o checkOptions) error {
	folders, err := checkFolders(o.folder)
	if err != nil {
		return err
	}
	chosen, lessons, err := subjects(folders, names)
	if err != nil {
		return err
	}
	if err := p.begin(); err != nil {
		return err
	}
	c := author.Checker{
		Folders: folders, Seeds: []uint64{o.seed}, Long: o.long, Mutants: o.mutants, Parallel: parallel(),
		Engines:  p.checkEngines(ctx),
		Progress: growing{p.progress},
	}
	for o.long && len(c.Seeds) < longSeeds {
		c.Seeds = append(c.Seeds, o.seed+uint64(len(c.Seeds)))
	}
	p.progress.begin("check", 0)
	result, err := c.Check(ctx, chosen)
	if err == nil {
		var items []author.Item
		items, err = c.CheckUnits(ctx, p.taskOptions(), lessons)
		result.Items = append(result.Items, items...)
	}
	p.progress.end()
	if err != nil {
		return err
	}
	return p.reportCheck(result, o)
}

// checkEngines are the engines that must agree: the interpreter and, unless it was chosen alone, the Go toolchain where there
// is one.
func (p *program) checkEngines(ctx context.Context) []author.Engine {
	trusted := engine.New(teaching.Tree()) // an author's own files need no worker to be checked in
	by := func(choice task.Choice) author.Engine {
		return author.Engine{Name: string(choice), Tasks: func(e *exercises.Exercise) (*task.Task, error) {
			o := p.taskOptions()
			o.Engine, o.Engines.Choice, o.Engines.Referee = trusted, choice, false
			return task.New(o, e)
		}}
	}
	switch task.Choice(p.choice) {
	case task.Interpreter:
		return []author.Engine{by(task.Interpreter)}
	case task.Go:
		return []author.Engine{by(task.Go)}
	}
	if err := p.engines.Toolchain.Ready(ctx); err != nil {
		fmt.Fprintf(p.err, "proctor: the engines are not compared: %s\n", grader.AsError(err).Message)
		return []author.Engine{by(task.Interpreter)}
	}
	return []author.Engine{by(task.Interpreter), by(task.Go)}
}

// growing is a line of progress as a checker tells it.
type growing struct{ *progress }

func (g growing) Grow(steps int) { g.grow(steps) }
func (g growing) Step()          { g.step() }

func checkFolders(folder string) (author.Folders, error) {
	if folder != "" {
		return author.OnDisk(folder)
	}
	here, err := os.Getwd()
	if err != nil {
		return author.Folders{}, fmt.Errorf("find the current folder: %w", err)
	}
	return author.Find(here)
}

// subjects tells exercises from units among names. A name that is neither is an exercise that is not there yet, when its
// folder is.
func subjects(folders author.Folders, names []string) (chosen []string, lessons []*units.Unit, err error) {
	all := units.All()
	known := folders.Names()
	translations := units.Translations()
	if len(names) == 0 {
		return known, append(all, translations...), nil
	}
	for _, name := range names {
		if u, err := units.Named(all, name); err == nil {
			lessons = append(lessons, u)
			for _, in := range translations {
				if in.ID == u.ID {
					lessons = append(lessons, in)
				}
			}
			continue
		}
		if !slices.Contains(known, name) && !folders.Has(name) {
			var ids []string
			for _, u := range all {
				ids = append(ids, u.ID)
			}
			return nil, nil, &grader.Error{
				Code: "unknown_exercise", Exit: grader.ExitUsage,
				Message: fmt.Sprintf("there is no exercise and no unit %q in %s", name, folders.Place),
				Hint:    fmt.Sprintf("The exercises are %s; the units are %s. A new one begins with: proctor new NAME", strings.Join(known, ", "), strings.Join(ids, ", ")),
			}
		}
		chosen = append(chosen, name)
	}
	return chosen, lessons, nil
}

func (p *program) reportCheck(r author.Result, o checkOptions) error {
	switch {
	case r.Void():
		p.exit = grader.ExitVoid
	case !r.Passed():
		p.exit = grader.ExitNeedsWork
	}
	if o.junit != "" {
		var out bytes.Buffer
		if err := author.JUnit(&out, r); err != nil {
			return fmt.Errorf("write the result as JUnit: %w", err)
		}
		if err := handoff.WriteFile(o.junit, out.Bytes(), 0o644); err != nil {
			return err
		}
	}
	if p.json {
		p.write(struct {
			Passed bool `json:"passed"`
			author.Result
		}{r.Passed(), r})
		return nil
	}
	p.printCheck(r, o)
	return nil
}

// printCheck prints an item a line, and under one that did not pass its complaints.
func (p *program) printCheck(r author.Result, o checkOptions) {
	failed := 0
	subject := ""
	for _, i := range r.Items {
		if !i.Passed {
			failed++
		}
		if i.Passed && o.quiet {
			continue
		}
		if i.Subject != subject {
			subject = i.Subject
			fmt.Fprintln(p.out, subject)
		}
		sign := "✓"
		if !i.Passed {
			sign = "✗"
		}
		fmt.Fprintf(p.out, "  %s %s", sign, i.Name)
		if i.Passed && i.Saw != "" {
			fmt.Fprintf(p.out, ": %s", i.Saw)
		}
		fmt.Fprintln(p.out)
		for _, line := range i.Lines() {
			fmt.Fprintf(p.out, "      %s\n", strings.ReplaceAll(line, "\n", "\n      "))
		}
	}
	for _, s := range r.Mutants {
		p.printSurvey(s)
	}
	fmt.Fprintf(p.out, "%d checks, %d not passed, %.1f s; %s, %d seeds from %d, engine %s.\n",
		len(r.Items), failed, r.Elapsed.Seconds(), r.Place, len(r.Seeds), r.Seeds[0], strings.Join(r.Engines, " and "))
}

func (p *program) printSurvey(s author.Survey) {
	fmt.Fprintf(p.out, "Mutants of the reference of %s: %d edits, %d of them compile, %d killed, %d justified, %d left.\n",
		s.Exercise, s.Mutants, s.Compile, s.Killed, s.Equivalent, len(s.Survivors))
	for _, c := range s.ByProbe {
		fmt.Fprintf(p.out, "  %4d killed first by %s\n", c.Kills, c.Probe)
	}
	for _, m := range s.Justified {
		fmt.Fprintf(p.out, "  equivalent, line %d: %s\n      %s\n", m.Line, m.Name, m.Reason)
	}
}
