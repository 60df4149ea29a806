package main

import (
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/lang"
	"fieldbook/cmd/fieldbook/scenario"
	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/grader"
)

func (p *program) scenarioCollectCommand() *cobra.Command {
	var o scenarioOptions
	cmd := &cobra.Command{
		Use:   "collect NAME",
		Short: "Keep a copy of a scenario's folder as evidence",
		Long: `Collect keeps the artifacts, the record of the runs and the sources that ran as ` + scenario.EvidenceFolder + `/NAME of the workspace. Under the
name of a scenario it takes that scenario alone, from a folder that was clean, run on your own functions or the references;
crash with the happy runs after it. Under another name it takes what is there. What was kept before is backed up.

JSON: evidence, folder, files, backup, cells[{column, value, artifact}].`,
		Args:        p.scenarioArgs("NAME"),
		Annotations: evidenceExits("0 " + lang.Key("kept")),
		ValidArgs:   scenario.Scenarios(),
		RunE: p.inScenario(func(ctx context.Context, cmd *cobra.Command, args []string) error {
			return p.collectScenario(ctx, o, args[0], commandLine(cmd, args))
		}),
	}
	f := cmd.Flags()
	f.StringVar(&o.dir, "dir", "", "`folder` of the artifacts instead of the workspace's "+workbench.ScenarioFolder)
	f.BoolVar(&o.naive, "naive", false, "collect from the folder of the naive baseline")
	f.StringVar(&o.fault, "fault", "", "collect from the folder of the fault of this `name`")
	return cmd
}

// collectedResult is the object that collect prints.
type collectedResult struct {
	Evidence string          `json:"evidence"`
	Folder   string          `json:"folder"`
	Files    []string        `json:"files"`
	Backup   string          `json:"backup"`
	Cells    []scenario.Cell `json:"cells"`
}

func (p *program) collectScenario(ctx context.Context, o scenarioOptions, name, command string) error {
	b, done, err := p.scenarioBench(ctx, false, command)
	if err != nil {
		return err
	}
	defer done()
	folder := p.path(o.dir)
	if folder == "" {
		folder = b.ScenarioFolder(o.variant())
	}
	c, err := b.CollectScenario(name, folder)
	if err != nil {
		return err
	}
	result := collectedResult{Evidence: name, Folder: c.Folder, Files: c.Files, Backup: c.Backup, Cells: c.Evidence.Cells()}
	return p.print(result, func(out printer) {
		out.lines(out.Pass.On(draw.PassSign) + " " + out.Say("kept as %s", c.Folder))
		for _, f := range c.Files {
			out.lines("  " + f)
		}
		if c.Backup != "" {
			out.para("What was kept before lies in the backup %s.", c.Backup)
		}
	})
}

func (p *program) scenarioCheckCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check [TABLE]",
		Short: "Compare your evidence table with the artifacts, cell by cell",
		Long: `Check reads a Markdown table with the columns scenario, command, exit code, stop reason, policy decision, effects,
violation_blocked and recovered, and compares each cell with the artifact that says it. Where they disagree, the artifact is
right. It also names what the evidence shows that it must not, whatever the table says. TABLE is ` + scenario.TableFile + `
of the workspace unless you name another file.

JSON: verdict, table, rows[{scenario, line, known, cells[{column, value, artifact, table, agrees}]}],
findings[{code, evidence, artifact, message}], shown (findings of evidence that is wrong on purpose).`,
		Args:        p.scenarioArgs("[TABLE]"),
		Annotations: evidenceExits("0 "+lang.Key("the table agrees, and nothing is to be said against the evidence"), "1 "+lang.Key("it does not")),
		RunE:        p.inScenario(func(_ context.Context, _ *cobra.Command, args []string) error { return p.checkTable(args) }),
	}
}

// checkedResult is the object that check prints.
type checkedResult struct {
	Verdict grader.Verdict `json:"verdict"`
	Table   string         `json:"table"`
	scenario.Checked
}

func (p *program) checkTable(args []string) error {
	place, err := p.find()
	if err != nil {
		return err
	}
	b, err := p.readBench(place.Path)
	if err != nil {
		return err
	}
	file := b.Work.Path(scenario.TableFile)
	if len(args) > 0 {
		file = p.path(args[0])
	}
	checked, err := b.CheckTable(file)
	if err != nil {
		return err
	}
	result := checkedResult{Verdict: grader.NeedsWork, Table: file, Checked: checked}
	if checked.Agrees() {
		result.Verdict = grader.Pass
	}
	return p.finish(result.Verdict, result, func(out printer) { out.printChecked(checked) })
}

func (out printer) printChecked(c scenario.Checked) {
	for _, row := range c.Rows {
		out.printCheckedRow(row)
	}
	out.lines(scenario.FindingLines(out.Theme, c.Findings, out.width)...)
	if len(c.Shown) > 0 {
		out.section("Shown by evidence that is wrong on purpose")
		for _, f := range c.Shown {
			out.item(draw.OpenSign+" ", "%s: %s", f.Evidence, out.Message(f.Message))
		}
	}
}

func (out printer) printCheckedRow(row scenario.CheckedRow) {
	wrong := 0
	if !row.Known {
		out.item(out.Differ.On(draw.DifferSign)+" ", "%s, line %d: there is no %s/%s to compare with", row.Scenario, row.Line, scenario.EvidenceFolder, row.Scenario)
		return
	}
	for _, c := range row.Cells {
		if !c.Agrees {
			wrong++
			out.item(out.Differ.On(draw.DifferSign)+" ", "%s, %s: the table says %s, %s has %s", row.Scenario, c.Column, out.worded(c.Table), c.Artifact, out.worded(c.Value))
		}
	}
	if wrong == 0 {
		out.lines(out.Pass.On(draw.PassSign) + " " + out.Say("%s: %d cells agree with their artifacts", row.Scenario, len(row.Cells)))
	}
}

// worded is a cell in a sentence.
func (out printer) worded(value string) string {
	if value == "" {
		return out.Say("nothing")
	}
	return value
}

func (p *program) scenarioReplayCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "replay FOLDER|ARCHIVE",
		Short: "Make the recorded runs of evidence again and compare, cell by cell",
		Long: `Replay makes every run that evidence records again, on the sources that were kept with it, in a world that begins empty,
and compares what they leave with what was kept. It needs no workspace and changes nothing. It takes ` + scenario.EvidenceFolder + `, one folder
of it, a folder that holds it, or a ZIP archive of one of these.

JSON: verdict, from, scenarios[{scenario, cells[{column, value, artifact, table, agrees}]}]; value is what was kept, table
what the new runs left.`,
		Args:        p.scenarioArgs("FOLDER|ARCHIVE"),
		Annotations: evidenceExits("0 "+lang.Key("all agree"), "1 "+lang.Key("a cell differs"), "4 "+lang.Key("INVALID: the evidence is damaged, or was changed")),
		RunE: p.inScenario(func(ctx context.Context, _ *cobra.Command, args []string) error {
			return p.replayScenario(ctx, args[0])
		}),
	}
}

// replayedResult is the object that replay prints.
type replayedResult struct {
	Verdict   grader.Verdict      `json:"verdict"`
	From      string              `json:"from"`
	Scenarios []scenario.Replayed `json:"scenarios"`
}

func (p *program) replayScenario(ctx context.Context, from string) error {
	kept, err := workbench.ReadEvidence(p.path(from))
	if err != nil {
		return err
	}
	b, err := p.bench()
	if err != nil {
		return err
	}
	result := replayedResult{Verdict: grader.Pass, From: from, Scenarios: []scenario.Replayed{}}
	for _, e := range kept {
		again, err := b.ReplayScenario(ctx, e)
		if err != nil {
			return err
		}
		one := scenario.Replay(e, again)
		if !one.Agrees() {
			result.Verdict = grader.NeedsWork
		}
		result.Scenarios = append(result.Scenarios, one)
	}
	return p.finish(result.Verdict, result, func(out printer) { out.printReplayed(result) })
}

func (out printer) printReplayed(r replayedResult) {
	agrees, differs, names := out.Say("agrees"), out.Say("differs"), 0
	words := max(draw.Width(agrees), draw.Width(differs))
	for _, s := range r.Scenarios {
		names = max(names, draw.Width(s.Scenario))
	}
	for _, s := range r.Scenarios {
		agree := 0
		for _, c := range s.Cells {
			if c.Agrees {
				agree++
			}
		}
		word := out.Pass.On(draw.PassSign + " " + draw.Fit(agrees, words))
		if !s.Agrees() {
			word = out.Differ.On(draw.DifferSign + " " + draw.Fit(differs, words))
		}
		out.lines(out.Say("%s   %s   %d of %d cells", draw.Fit(s.Scenario, names), word, agree, len(s.Cells)))
		for _, c := range s.Cells {
			if !c.Agrees {
				out.item("  ", "%s: %s has %s, and the same runs now leave %s", c.Column, c.Artifact, out.worded(c.Value), out.worded(c.Table))
			}
		}
	}
}

func (p *program) scenarioShowCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "show [FOLDER]",
		Short: "Draw checkpoint, effects, trace and the time line of a folder",
		Long: `Show draws the three artifacts of a folder beside each other, and below them the time line of its runs: what the world and
the checkpoint say at each event, and the window in which an effect is there and no checkpoint says so. FOLDER is
` + workbench.ScenarioFolder + ` of the workspace unless you name another, ` + scenario.EvidenceFolder + `/crash for instance. It changes nothing.

JSON: folder, cells[{column, value, artifact}], events[{run, line, event}], findings[{code, evidence, artifact, message}].`,
		Args:        p.scenarioArgs("[FOLDER]"),
		Annotations: evidenceExits("0 " + lang.Key("shown")),
		RunE: p.inScenario(func(_ context.Context, _ *cobra.Command, args []string) error {
			return p.showScenario(args)
		}),
	}
}

// shownScenario is the object that show prints.
type shownScenario struct {
	Folder   string             `json:"folder"`
	Cells    []scenario.Cell    `json:"cells"`
	Events   []shownEvent       `json:"events"`
	Findings []scenario.Finding `json:"findings"`
}

type shownEvent struct {
	Run   int            `json:"run"`
	Line  int            `json:"line"`
	Event map[string]any `json:"event"`
}

func (p *program) showScenario(args []string) error {
	var folder string
	shown := workbench.ScenarioFolder
	if len(args) > 0 {
		folder, shown = p.path(args[0]), args[0]
	} else {
		place, err := p.find()
		if err != nil {
			return err
		}
		folder = filepath.Join(place.Path, workbench.ScenarioFolder)
	}
	e, err := workbench.ShownFolder(folder, shown)
	if err != nil {
		return err
	}
	result := shownScenario{Folder: folder, Cells: e.Cells(), Events: []shownEvent{}, Findings: append([]scenario.Finding{}, e.Findings()...)}
	for _, episode := range e.Episodes() {
		for _, event := range episode.Events {
			result.Events = append(result.Events, shownEvent{Run: episode.Number, Line: event.Line, Event: event.Fields})
		}
	}
	return p.print(result, func(out printer) { out.lines(scenario.Show(out.Theme, e, out.width)...) })
}
