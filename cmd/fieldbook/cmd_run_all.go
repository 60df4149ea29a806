package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"fieldbook/cmd/fieldbook/course"
	"fieldbook/cmd/fieldbook/draw"
	"fieldbook/cmd/fieldbook/submit"
	"fieldbook/cmd/fieldbook/workbench"
	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/runtime/world"
	"fieldbook/units"
)

// allResult is the object that run --all prints.
type allResult struct {
	Unit     string              `json:"unit"`
	Executed int                 `json:"executed"`
	Passed   int                 `json:"passed"`
	Items    []allItem           `json:"items"`
	Report   exerciseReport      `json:"exercise_report"`
	Transfer string              `json:"transfer_status"` // a verdict, or NOT_RUN
	Course   submit.CourseReport `json:"course_report"`

	observation *world.Observation // of the exercise's run, nil when there was none
}

// allItem is one thing that was run, or why it was not.
type allItem struct {
	Step     string         `json:"step"`
	Name     string         `json:"name"` // example/budget, restore, manifest
	Verdict  grader.Verdict `json:"verdict"`
	Evidence string         `json:"evidence,omitempty"`
	Cause    string         `json:"cause,omitempty"`
}

// exerciseReport is the line by which scripts learn what a run of everything came to.
type exerciseReport struct {
	Unit       string `json:"unit"`
	Attempted  int    `json:"attempted"`
	Completed  int    `json:"completed"`
	Failed     int    `json:"failed"`
	Skipped    int    `json:"skipped"`
	Connection string `json:"connection"` // verdict of the unit's exercise under its visible probe, or NOT_RUN
	Handoff    string `json:"handoff"`
}

// What a report says of a handoff.
const (
	handoffWritten  = "WRITTEN"
	handoffNotReady = "NOT_READY"
)

// runAll runs every example, exercise and transfer of a unit on what the workspace holds. It asks for no prediction, as the bare
// commands never do, and it changes neither the student's place nor what they have committed.
func (p *program) runAll(ctx context.Context, name, command string) error {
	b, done, err := p.open(ctx, command)
	if err != nil {
		return err
	}
	defer done()
	u, err := units.Named(b.Units, name)
	if err != nil {
		return err
	}
	session, err := course.Open(b, p.now)
	if err != nil {
		return err
	}
	session.Language, session.Words = p.language, p.texts
	all := &everything{program: p, bench: b, session: session, unit: u, result: allResult{Unit: u.ID, Items: []allItem{}, Transfer: submit.NotRun}}
	all.result.Report = exerciseReport{Unit: u.ID, Connection: submit.NotRun, Handoff: handoffNotReady}
	if err := all.run(ctx); err != nil {
		return err
	}
	work, err := submit.Gather(b.Work, u, session.Progress)
	if err != nil {
		return err
	}
	r := all.finish(work)
	return p.finish(r.verdict(), r, func(out printer) { out.printAll(r) })
}

// everything is a run of all that a unit can run.
type everything struct {
	*program
	bench   *workbench.Bench
	session *course.Session
	unit    *units.Unit
	result  allResult
}

func (e *everything) run(ctx context.Context) error {
	seen := map[string]bool{}
	for i := range e.unit.Steps {
		step := &e.unit.Steps[i]
		for _, a := range e.session.Activities(e.unit, step) {
			if a.Kind != course.Example && a.Kind != course.Cases {
				continue
			}
			run, err := e.session.Perform(ctx, a)
			if err := e.note(ctx, step.ID, a.ID, run, err); err != nil {
				return err
			}
			if a.Kind == course.Cases && run.Report.Verdict != "" {
				e.result.Transfer = string(run.Report.Verdict)
			}
		}
		name := e.unit.ExerciseOf(step)
		if (step.Kind != units.Construct && step.Kind != units.Repair) || seen[name] {
			continue
		}
		seen[name] = true
		run, err := e.exercise(ctx, step, name)
		if err := e.note(ctx, step.ID, name, run, err); err != nil {
			return err
		}
		e.connect(name, run)
	}
	return nil
}

// exercise runs the student's file: as the exercise, or in a unit that breaks as the repair of the handoff that is there.
func (e *everything) exercise(ctx context.Context, step *units.Step, name string) (workbench.Run, error) {
	exercise, err := exercises.Named(name)
	if err != nil {
		return workbench.Run{}, err
	}
	if step.Kind == units.Construct {
		return e.bench.Run(ctx, exercise)
	}
	path, err := e.handoffOf(e.bench, exercise)
	if err != nil {
		return workbench.Run{}, err
	}
	x, err := e.bench.BreakHandoff(ctx, path, name)
	if err != nil {
		return workbench.Run{}, err
	}
	defer x.Close()
	return x.Repair(ctx)
}

// connect takes what the run of the unit's own exercise shows.
func (e *everything) connect(name string, run workbench.Run) {
	if name != e.unit.Exercise || run.Report.Verdict == "" {
		return
	}
	e.result.Report.Connection = string(run.Report.Verdict)
	e.result.observation = run.Report.Observation
	if run.Handoff != nil {
		e.result.Report.Handoff = handoffWritten
	}
}

// note adds what one run came to. What is wrong with a file is a run that was skipped; the rest ends everything.
func (e *everything) note(ctx context.Context, step, name string, run workbench.Run, err error) error {
	item := allItem{Step: step, Name: name, Verdict: run.Report.Verdict, Cause: run.Report.Cause}
	report := &e.result.Report
	if err != nil {
		known := e.explain(ctx, err)
		if ctx.Err() != nil || known.Exit == grader.ExitVoid {
			return err
		}
		item.Cause = known.Message
		report.Skipped++
		e.result.Items = append(e.result.Items, item)
		return nil
	}
	if run.Attempt.Number > 0 {
		item.Evidence = run.Attempt.Evidence()
	}
	report.Attempted++
	if run.Report.Verdict == grader.Pass {
		report.Completed++
	} else {
		report.Failed++
	}
	e.result.Items = append(e.result.Items, item)
	return nil
}

func (e *everything) finish(work *submit.Work) allResult {
	r := e.result
	r.Executed, r.Passed, r.Course = r.Report.Attempted, r.Report.Completed, work.CourseReport()
	return r
}

// verdict is PASS when everything passed, and the first one that is none otherwise.
func (r allResult) verdict() grader.Verdict {
	for _, item := range r.Items {
		if item.Verdict != grader.Pass && item.Verdict != "" {
			return item.Verdict
		}
	}
	if r.Report.Skipped > 0 {
		return grader.NeedsWork
	}
	return grader.Pass
}

func (out printer) printAll(r allResult) {
	width := 0
	for _, item := range r.Items {
		width = max(width, draw.Width(item.Step+"  "+item.Name))
	}
	for _, item := range r.Items {
		verdict := out.Changed.On("! " + out.Say("skipped"))
		if item.Verdict != "" {
			verdict = out.Verdict(item.Verdict)
		}
		out.item(draw.Fit(item.Step+"  "+item.Name, width)+"  "+draw.Fit(verdict, 13)+" "+draw.Fit(item.Evidence, 4)+" ", "%s", out.Message(item.Cause))
	}
	out.lines("")
	out.para("%d executed, %d passed, %d skipped.", r.Executed, r.Passed, r.Report.Skipped)
	out.para("Building against a supplied runtime proves nothing about its parts.")
	out.lines("", "CONNECTION "+r.Report.Connection)
	if r.observation != nil {
		out.lines("OBSERVATION " + oneLine(r.observation))
	}
	out.lines("EXERCISE_REPORT="+oneLine(r.Report), "TRANSFER_STATUS "+r.Transfer, r.Course.Line())
}

// oneLine is an object as scripts read it: JSON in one line.
func oneLine(object any) string {
	data, err := json.Marshal(object)
	if err != nil {
		return fmt.Sprintf("%q", errors.Unwrap(err)) // reports and observations have a form
	}
	return string(data)
}
