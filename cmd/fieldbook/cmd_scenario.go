package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/lang"
	"fieldbook/cmd/fieldbook/scenario"
	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/grader"
	"fieldbook/runtime/fieldnotes"
)

// scenarioOptions are the flags of scenario.
type scenarioOptions struct {
	budget    int
	dir       string
	reference bool
	naive     bool
	fault     string
}

func (o *scenarioOptions) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.IntVar(&o.budget, "budget", fieldnotes.DefaultBudget, "how many times a new run may prepare an executor, a `number`")
	f.StringVar(&o.dir, "dir", "", "`folder` of the artifacts instead of the workspace's "+workbench.ScenarioFolder)
	f.BoolVar(&o.reference, "reference", false, "run the references, whatever you have written")
	f.BoolVar(&o.naive, "naive", false, "run the naive baseline: propose, execute, print done")
	f.StringVar(&o.fault, "fault", "", "put the author's broken file of this `name` in the place of yours, in a copy")
}

// variant is the one that the flags ask for.
func (o scenarioOptions) variant() string {
	if o.naive {
		return scenario.Naive
	}
	return o.fault
}

func (p *program) scenarioCommand() *cobra.Command {
	var o scenarioOptions
	cmd := &cobra.Command{
		Use:   "scenario NAME",
		Short: "Run a scenario of the field notes on your functions, and look at what it leaves",
		Long: `Scenario prepares the report of order 742 in one of five ways: happy, deny-tenant, deny-egress, crash, clean. It runs
your functions where you have written them, else the references, and says which. They run in the sandbox on a copy of the
folder, and what they leave takes the folder's place at once. All tenants, addresses and orders are fictitious.

The folder is ` + workbench.ScenarioFolder + ` of the workspace; a variant has one of its own, ` + workbench.VariantFolder + `/NAME. The scenarios share it,
so that happy after crash shows the recovery. Clean removes the artifacts and the record of the runs, and nothing else.

JSON: verdict (PASS when the run left what the references leave, and nothing that no evidence may show), scenario, budget,
variant, exit_code, printed, stop_reason, folder, sources[{path, function, label, sha256}], cells[{column, value,
artifact}], differs[{column, value, artifact, table}], findings[{code, evidence, artifact, message}], cause, report (as in
run, when the code came to no end).`,
		Args:        p.scenarioArgs("NAME"),
		Annotations: scenarioExits(),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return fieldnotes.ScenarioNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: p.inScenario(func(ctx context.Context, cmd *cobra.Command, args []string) error {
			return p.scenario(ctx, o, args[0], commandLine(cmd, args))
		}),
	}
	o.addFlags(cmd)
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if strings.Contains(err.Error(), `for "--budget"`) {
			return scenarioUsage("usage", "a budget is a whole number", "As in: fieldbook scenario happy --budget 0")
		}
		return scenarioUsage("usage", "%s", "See `"+cmd.CommandPath()+" --help`.", err.Error())
	})
	cmd.AddCommand(p.scenarioCollectCommand(), p.scenarioCheckCommand(), p.scenarioReplayCommand(), p.scenarioShowCommand())
	return cmd
}

// scenarioUsage is a refusal of how scenario was called, with its own exit code.
func scenarioUsage(code, format, hint string, args ...any) error {
	return asScenario(usage(code, format, hint, args...))
}

// asScenario gives an error of wrong use the exit code that it has in scenario.
func asScenario(err error) error {
	var known *grader.Error
	if !errors.As(err, &known) || known.Exit != grader.ExitUsage {
		return err
	}
	own := *known
	own.Exit = fieldnotes.ExitUsage
	return &own
}

// inScenario is does with the exit codes of scenario.
func (p *program) inScenario(work func(ctx context.Context, cmd *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	inside := p.does(work)
	return func(cmd *cobra.Command, args []string) error { return asScenario(inside(cmd, args)) }
}

// scenarioArgs is takes with the exit codes of scenario.
func (p *program) scenarioArgs(names ...string) cobra.PositionalArgs {
	inside := takes(names...)
	return func(cmd *cobra.Command, args []string) error { return asScenario(inside(cmd, args)) }
}

// scenarioExits are the exit codes of a scenario, in the order of their numbers.
func scenarioExits() map[string]string {
	return map[string]string{ownExits: strings.Join([]string{
		"0 " + lang.Key("accepted, or clean"), "1 " + lang.Key("the injected crash"), "2 " + lang.Key("denied by the policy"),
		"3 " + lang.Key("budget exhausted"), "4 final_invalid", "5 " + lang.Key("LIMIT: time, memory or output used up, or the sandbox was tried"),
		"6 " + lang.Key("VOID: our machine or our program failed"), "64 " + lang.Key("wrong use, or a folder that cannot be used"),
		"70 " + lang.Key("your code came to no end that a scenario has"), "130 " + lang.Key("interrupted"),
	}, "\n")}
}

// evidenceExits are the exit codes of the commands about evidence.
func evidenceExits(codes ...string) map[string]string {
	return map[string]string{ownExits: strings.Join(append(codes, "6 "+lang.Key("VOID: our machine or our program failed"), "64 "+lang.Key("wrong use, or files that cannot be used"), "130 "+lang.Key("interrupted")), "\n")}
}

// scenarioResult is the object that scenario prints.
type scenarioResult struct {
	Verdict  grader.Verdict      `json:"verdict"`
	Scenario string              `json:"scenario"`
	Budget   int                 `json:"budget"`
	Variant  string              `json:"variant"`
	ExitCode int                 `json:"exit_code"`
	Printed  string              `json:"printed"`
	Stop     string              `json:"stop_reason"`
	Folder   string              `json:"folder"`
	Sources  []scenario.Source   `json:"sources"`
	Cells    []scenario.Cell     `json:"cells"`
	Differs  []scenario.Compared `json:"differs"`
	Findings []scenario.Finding  `json:"findings"`
	Cause    string              `json:"cause,omitempty"`
	Report   *grader.Report      `json:"report,omitempty"`
}

func (p *program) scenario(ctx context.Context, o scenarioOptions, name, command string) error {
	s, known := fieldnotes.ScenarioNamed(name, o.budget)
	switch {
	case !known:
		return scenarioUsage("unknown_scenario", "there is no scenario %q", "The scenarios are: "+strings.Join(fieldnotes.ScenarioNames(), ", ")+".", name)
	case o.naive && o.fault != "", o.reference && o.variant() != "":
		return scenarioUsage("usage", "--naive, --fault and --reference exclude each other", "Name one of them.")
	case o.fault != "" && !slices.Contains(workbench.ScenarioFaults(), o.fault):
		return scenarioUsage("unknown_fault", "there is no fault %q", "The faults are: "+strings.Join(workbench.ScenarioFaults(), ", ")+".", o.fault)
	}
	b, done, err := p.scenarioBench(ctx, o.dir != "", command)
	if err != nil {
		return err
	}
	defer done()
	asked := workbench.Scenario{Name: name, Budget: o.budget, Variant: o.variant(), References: o.reference, Folder: p.path(o.dir), Shown: o.dir}
	if s.Clean {
		return p.cleanScenario(b, asked)
	}
	if o.dir == "" {
		asked.Shown = workbench.ScenarioFolder
		if o.variant() != "" {
			asked.Shown = workbench.VariantFolder + "/" + o.variant()
		}
	}
	run, err := b.RunScenario(ctx, asked)
	if err != nil {
		return err
	}
	return p.tellScenario(run)
}

// scenarioBench opens the workspace without taking it, and takes the folders of scenarios: an app may be open beside it. Where
// there is no workspace one is made, unless the scenario has a folder of its own.
func (p *program) scenarioBench(ctx context.Context, hasFolder bool, command string) (*workbench.Bench, func(), error) {
	place, err := p.find()
	if err != nil {
		return nil, nil, err
	}
	switch {
	case place.Exists:
	case hasFolder:
		b, err := p.bench()
		return b, func() {}, err
	default:
		_, done, err := p.open(ctx, command)
		if err != nil {
			return nil, nil, err
		}
		done()
	}
	b, err := p.readBench(place.Path)
	if err != nil {
		return nil, nil, err
	}
	lock, err := b.Work.LockScenarios(ctx, lockWait, ".", workbench.VariantFolder, scenario.EvidenceFolder)
	if err != nil {
		return nil, nil, err
	}
	return b, func() { _ = lock.Unlock() }, nil
}

// readBench is a bench over a workspace that nobody has to leave: it is read.
func (p *program) readBench(place string) (*workbench.Bench, error) {
	b, err := p.bench()
	if err == nil {
		b.Work, err = workspace.Open(place, p.now)
	}
	return b, err
}

func (p *program) cleanScenario(b *workbench.Bench, s workbench.Scenario) error {
	folder, err := b.CleanScenario(s)
	if err != nil {
		return err
	}
	result := scenarioResult{Verdict: grader.Pass, Scenario: s.Name, Budget: s.Budget, Variant: s.Variant, Printed: s.Name, Folder: folder,
		Sources: []scenario.Source{}, Cells: []scenario.Cell{}, Differs: []scenario.Compared{}, Findings: []scenario.Finding{}}
	return p.print(result, func(out printer) { out.lines(s.Name) })
}

// tellScenario prints the scenario's own line, and beside it what ran, where its files are, and what they show.
func (p *program) tellScenario(run workbench.ScenarioRun) error {
	p.exit = run.Run.ExitCode
	result := scenarioResult{
		Verdict: run.Verdict, Scenario: run.Run.Scenario, Budget: run.Run.Budget, Variant: run.Run.Variant, ExitCode: run.Run.ExitCode,
		Printed: run.Run.Printed, Stop: run.Evidence.StopReason(), Folder: run.Folder, Sources: run.Run.Sources,
		Cells: []scenario.Cell{}, Differs: append([]scenario.Compared{}, run.Differs...), Findings: append([]scenario.Finding{}, run.Findings...),
		Cause: run.Cause,
	}
	if len(run.Evidence.Record.Runs) > 0 {
		result.Cells = run.Evidence.Cells()
	}
	if run.Cause != "" {
		report := workbench.WithoutData(run.Report)
		result.Report = &report
	}
	p.say("%s", sourcesLine(p.texts, run.Run.Sources))
	err := p.print(result, func(out printer) {
		if run.Cause == "" {
			out.lines(run.Run.Printed)
		} else {
			out.printNoEnd(run)
		}
	})
	for _, line := range p.scenarioNotes(run) {
		p.say("%s", line)
	}
	return err
}

// printNoEnd tells why code came to no end.
func (out printer) printNoEnd(run workbench.ScenarioRun) {
	if run.Report.Outcome == grader.Observed {
		out.para("%s", out.Message(run.Cause))
		return
	}
	var places []string
	for _, s := range run.Run.Sources {
		places = append(places, s.Path)
	}
	out.lines(out.Report(run.Report, draw.Detail{Learner: places}, out.width)...)
}

// scenarioNotes are what there is to say beside a scenario's own line.
func (p *program) scenarioNotes(run workbench.ScenarioRun) []string {
	t, width := p.theme(), p.width
	if width == 0 {
		width = unwrapped
	}
	var lines []string
	if len(run.Evidence.Record.Runs) > 0 {
		lines = append(lines, t.Say("Artifacts: %s", run.Folder))
	}
	if run.Run.Variant != "" { // that it differs is why it is there
		run.Differs = nil
		if run.Originals > 0 {
			lines = append(lines, t.Say("Your own files are as they were: %d digests compared.", run.Originals))
		}
	}
	for _, cell := range run.Differs {
		lines = append(lines, draw.HangFlow(t.Differ.On(draw.DifferSign)+" ", t.Say("%s: %s says %s, and after the references %s", cell.Column, cell.Artifact, cell.Table, cell.Value), width)...)
	}
	return append(lines, scenario.FindingLines(t, run.Findings, width)...)
}

// sourcesLine says whose functions run: "Decide: the reference   Run: yours (runtime/recovery/run.go)".
func sourcesLine(t lang.Texts, sources []scenario.Source) string {
	words := map[string]string{
		scenario.Yours: t.Say("yours"), scenario.Reference: t.Say("the reference"),
		scenario.Baseline: t.Say("the naive baseline"), scenario.Fault: t.Say("the author's broken one"),
	}
	var parts []string
	for _, s := range sources {
		part := s.Function + ": " + words[s.Label]
		if s.Label == scenario.Yours {
			part += " (" + s.Path + ")"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "   ")
}
