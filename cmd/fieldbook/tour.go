package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/evidence"
	"fieldbook/cmd/fieldbook/lang"
	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/task"
	"fieldbook/handoff"
	"fieldbook/handoff/key"
	"fieldbook/units"
)

// tour is the course's main job done on its own reference: the same calls that a student's work goes through.
type tour struct {
	out      printer
	bench    *workbench.Bench
	unit     *units.Unit
	exercise *exercises.Exercise
	sources  []task.Source
	task     *task.Task
	breakage *workbench.Breakage
	report   grader.Report // of the visible probe
	handoff  string        // path of the file written
	begun    time.Time
	result   tourResult
}

// tourStop is one stage. do prints its evidence and sums it up in one line.
type tourStop struct {
	name    string
	purpose string
	do      func(context.Context) (grader.Verdict, string, error)
}

func (t *tour) stages() []tourStop {
	return []tourStop{
		{lang.Key("Install"), lang.Key("Put the function into a private copy of the runtime and type-check the whole."), t.install},
		{lang.Key("Probe"), lang.Key("Drive the copy in a sandboxed process, then read the database that it left."), t.probe},
		{lang.Key("Handoff"), lang.Key("Run a second time, compare, and sign source and result together."), t.save},
		{lang.Key("Execute again"), lang.Key("A hash proves the bytes. What they do, only an execution proves."), t.again},
		{lang.Key("Break it"), lang.Key("Look for the smallest edit that still restores and loses one value."), t.inject},
		{lang.Key("Repair"), lang.Key("Run the repaired source in the place of the broken one."), t.repair},
	}
}

// prepare makes a workspace with a key of its own, and chooses what is shown: the first unit that constructs.
func (t *tour) prepare(p *program, folder string) error {
	b, err := p.bench()
	if err != nil {
		return err
	}
	t.bench = b
	b.Keys = key.Store{Folder: filepath.Join(folder, "key")}
	if b.Work, err = workspace.Create(filepath.Join(folder, "workspace"), units.Edition, p.now); err != nil {
		return err
	}
	if _, err := b.SetUp(); err != nil {
		return err
	}
	for _, u := range b.Units {
		if u.Role == units.Constructs {
			t.unit = u
			break
		}
	}
	if t.exercise, err = exercises.Named(t.unit.Exercise); err != nil {
		return err
	}
	if t.sources, err = workbench.Reference(t.exercise); err != nil {
		return err
	}
	t.task, err = task.New(b.Task, t.exercise)
	return err
}

func (t *tour) close() {
	t.task.Close()
	if t.breakage != nil {
		t.breakage.Close()
	}
}

func (t *tour) introduce() {
	out := t.out
	out.lines(out.Title.On(out.Say("Fieldbook, a tour")) + "   " + out.Say("the main job of %s on the course's own code", t.unit.ID))
	out.lines("")
	out.para("%s", t.unit.Question)
}

// perform does one stage and prints it: heading, evidence, verdict and time.
func (t *tour) perform(ctx context.Context, stop tourStop) error {
	out := t.out
	number := len(t.result.Stages) + 1
	out.lines("", out.rule(fmt.Sprintf("%d  %s", number, out.Format(stop.name))))
	out.para("%s", out.Format(stop.purpose))
	begun := time.Now()
	verdict, summary, err := stop.do(ctx)
	if err != nil {
		return err
	}
	elapsed := time.Since(begun)
	t.result.Stages = append(t.result.Stages, tourStage{Name: stop.name, Verdict: verdict, Elapsed: elapsed, Evidence: summary})
	if verdict != grader.Pass {
		t.result.Verdict = verdict
	}
	sign := out.Pass.On(draw.PassSign)
	if verdict != grader.Pass {
		sign = out.Differ.On(draw.DifferSign)
	}
	out.heading(sign+" "+out.Message(summary), draw.Duration(elapsed))
	return nil
}

// rule is a heading in a line across the page.
func (p printer) rule(title string) string {
	return p.Faint.On("── ") + p.Title.On(title) + p.Faint.On(" "+strings.Repeat("─", max(p.width-draw.Width(title)-4, 0)))
}

func (t *tour) install(ctx context.Context) (grader.Verdict, string, error) {
	report, err := t.task.Install(ctx, t.sources...)
	if err != nil {
		return "", "", err
	}
	for _, s := range t.sources {
		t.out.lines("  " + t.out.Say("%s   %d lines   %s", s.Path, bytes.Count(s.Text, []byte("\n")), workbench.SuppliedReference))
	}
	if report.Outcome != "" {
		t.out.lines(t.out.Report(report, draw.Detail{}, t.out.width)...)
		return report.Verdict, lang.Key("the source was refused"), nil
	}
	return grader.Pass, lang.Key("installed: no messages"), nil
}

func (t *tour) probe(ctx context.Context) (grader.Verdict, string, error) {
	report, err := t.task.Visible(ctx)
	if err != nil {
		return "", "", err
	}
	t.report = report
	out := t.out
	if report.Verdict != grader.Pass {
		out.lines(out.Report(report, draw.Detail{}, out.width)...)
		return report.Verdict, draw.Outcome(report), nil
	}
	steps := evidence.Timeline(report.Operations, workbench.Places(t.exercise)...)
	out.section("Operations, in order, with the line that asked for each")
	out.lines(out.Timeline(steps, out.width)...)
	out.section("Rows before and after   %s changed", draw.ChangeSign)
	out.lines(out.Rows(evidence.Stages(report), evidence.Trails(report), out.width)...)
	out.section("Fields")
	out.lines(out.Fields(report.Fields, out.width)...)
	out.lines("")
	env := report.Environment
	return report.Verdict, fmt.Sprintf(lang.Key("PASS: %s; sandbox %s, engine %s"), draw.Count(report.Fields), env.Sandbox, env.Engine), nil
}

func (t *tour) save(ctx context.Context) (grader.Verdict, string, error) {
	k, _, err := t.bench.Keys.Open(ctx)
	if err != nil {
		return "", "", err
	}
	t.handoff = t.bench.Work.Path(workbench.HandoffPath(t.unit, t.unit.Exercise))
	report, digest, err := t.task.Save(ctx, t.handoff, task.Provenance{
		Unit: t.unit.ID, StartingEvidence: workbench.SuppliedReference, Prediction: handoff.None, Previous: handoff.None, Attempts: 1,
	}, k.Private())
	if err != nil {
		return "", "", err
	}
	if digest == "" {
		t.out.lines(t.out.Report(report, draw.Detail{}, t.out.width)...)
		return report.Verdict, draw.Outcome(report), nil
	}
	out := t.out
	out.lines(draw.Columns([][]string{
		{"  " + out.Say("file"), t.unit.Handoff}, {"  sha256", digest}, {"  " + out.Say("signed by"), k.ID()},
	}, 2, out.width)...)
	refusal, err := t.tamper()
	if err != nil {
		return "", "", err
	}
	out.item("  ", "One byte of a copy changed: %s, %s.", out.Differ.On("INVALID"), out.Message(refusal))
	return grader.Pass, lang.Key("two executions agree; written and signed"), nil
}

// tamper changes one byte of a copy of the handoff and returns why that copy is refused.
func (t *tour) tamper() (string, error) {
	data, err := os.ReadFile(t.handoff)
	if err != nil {
		return "", err
	}
	data[len(data)/2] ^= 1
	var refused *handoff.Error
	if _, err = handoff.Read(data); !errors.As(err, &refused) {
		return "", fmt.Errorf("a handoff with a changed byte was not refused: %w", err)
	}
	message, _, _ := strings.Cut(refused.Message, " by key ")
	return message, nil
}

func (t *tour) again(ctx context.Context) (grader.Verdict, string, error) {
	var err error
	if t.breakage, err = t.bench.BreakHandoff(ctx, t.handoff, t.exercise.Name); err != nil {
		return "", "", err
	}
	baseline, err := t.breakage.Baseline(ctx)
	if err != nil {
		return "", "", err
	}
	if baseline.Verdict() != grader.Pass {
		t.out.lines(t.out.Report(baseline.Report, draw.Detail{}, t.out.width)...)
		return baseline.Verdict(), lang.Key("the recorded result was not reproduced"), nil
	}
	t.out.item("  ", "Envelope, one signature, key, digests, edition and runtime are verified before anything in the file is used.")
	return grader.Pass, lang.Key("YOUR_BASELINE PASS: the recorded result, byte for byte"), nil
}

func (t *tour) inject(ctx context.Context) (grader.Verdict, string, error) {
	fault, err := t.bench.Fault(t.exercise)
	if err != nil {
		return "", "", err
	}
	injection, err := t.breakage.Inject(ctx, fault)
	if err != nil {
		return "", "", err
	}
	out := t.out
	out.printConsequence(t.exercise, injection)
	out.printEdit(t.breakage, injection)
	out.lines("")
	if !injection.Found {
		return grader.NeedsWork, fmt.Sprintf(lang.Key("nothing fits %s"), fault), nil
	}
	return grader.Pass, fmt.Sprintf(lang.Key("INJECTED_FAILURE reproduced: %s, candidate %d of %d"), fault, injection.Candidate, injection.Candidates), nil
}

func (t *tour) repair(ctx context.Context) (grader.Verdict, string, error) {
	// The repaired file lies where a student's lies.
	for _, s := range t.sources {
		if _, err := t.bench.Work.Overwrite(s.Path, "the tour's repair", s.Text); err != nil {
			return "", "", err
		}
	}
	run, err := t.breakage.Repair(ctx)
	if err != nil {
		return "", "", err
	}
	out := t.out
	out.lines(out.Fields(run.Report.Fields, out.width)...)
	if run.Handoff == nil {
		return run.Report.Verdict, draw.Outcome(run.Report), nil
	}
	return run.Report.Verdict, lang.Key("YOUR_REPAIR PASS; its handoff names the one it continues"), nil
}

func (t *tour) conclude() {
	out := t.out
	out.lines("", out.rule(out.Say("What this showed")))
	out.para("The function restored the shop paused, and one changed value let a worker in. Each claim above was read from a file that the run left, not from what the program said of itself. No host was rebooted, and no supplier's account was compared.")
	out.lines("")
	out.lines(out.Verdict(t.result.Verdict) + "   " + out.Say("%d stages in %s; the temporary workspace is removed", len(t.result.Stages), draw.Duration(t.result.Elapsed)))
	out.lines(out.Say("Next: %s opens the course, %s prints it.", out.Accent.On("fieldbook"), out.Accent.On("fieldbook list")))
}
