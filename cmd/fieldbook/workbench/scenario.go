package workbench

import (
	"context"
	"maps"
	"path/filepath"
	"slices"

	"fieldbook/cmd/fieldbook/scenario"
	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/task"
	teaching "fieldbook/runtime"
	"fieldbook/runtime/fieldnotes"
)

// Folders of the workspace in which scenarios leave their files.
const (
	ScenarioFolder = "lab-output"
	VariantFolder  = "variants"
)

// Exit codes of `fieldbook scenario` beside the scenarios' own and those of limits and of our machine.
const (
	ExitScenarioUsage = fieldnotes.ExitUsage
	// ExitNoEnd is for code that came to no end that a scenario has: it does not compile, is unfinished, panics, is
	// unsupported, or stops for a reason that is none.
	ExitNoEnd = 70
)

// Scenario is a run that is asked for.
type Scenario struct {
	Name       string
	Budget     int
	Variant    string // "", scenario.Naive, or the name of a fault
	References bool   // run the references, whatever the student has written
	Folder     string // of the artifacts, absolute; "": the workspace's own for the variant
	Shown      string // what messages call the folder; "": its path
}

// ScenarioRun is a run of a scenario, and what it left.
type ScenarioRun struct {
	Folder   string
	Run      scenario.Run // as it was recorded
	Evidence scenario.Evidence
	Report   grader.Report
	Verdict  grader.Verdict
	Cause    string              // why there is no end, one sentence
	Differs  []scenario.Compared // cells in which the references leave something else
	Findings []scenario.Finding  // of this folder

	Originals int // files of the student's that a variant ran beside, and that are what they were
}

// scenarioProgram is what a scenario runs.
type scenarioProgram struct {
	whole   *exercises.Exercise // with all places
	driver  []byte
	sources []task.Source
	record  []scenario.Source
}

// RunScenario runs a scenario in its folder: the files are copied into the sandbox, and what the worker left takes their
// place at once when it has gone. The references make the same run on the same files beside it, to say what should be there.
func (b *Bench) RunScenario(ctx context.Context, s Scenario) (ScenarioRun, error) {
	folder := b.scenarioFolder(s)
	result := ScenarioRun{Folder: folder}
	found, err := openFolder(folder)
	if err != nil {
		return result, err
	}
	record, err := recordOf(folder, found)
	if err != nil {
		return result, err
	}
	p, err := b.scenarioProgram(s.Variant, s.References)
	if err != nil {
		return result, err
	}
	before, originals := artifactsOf(found), b.originals(p)
	one, err := b.perform(ctx, p, s.Name, s.Budget, s.Variant, before)
	if err != nil {
		return result, err
	}
	if s.Variant != "" {
		if now := b.originals(p); !maps.Equal(originals, now) {
			return result, originalsChanged(originals, now)
		}
		result.Originals = len(originals)
	}
	result.Report, result.Verdict, result.Cause = one.report, one.report.Verdict, one.cause
	result.Run = b.scenarioRecord(p, s, one, before)
	if one.left == nil { // nothing ran: the folder stays as it is
		return result, nil
	}
	record.Runs = append(record.Runs, result.Run)
	if err := b.keepFolder(folder, found, one.left, record); err != nil {
		return result, err
	}
	result.Evidence = evidenceOf(s, folder, one.left, record)
	result.Findings = result.Evidence.Findings()
	if result.Differs, err = b.beside(ctx, p, s, before, record, result.Evidence); err != nil {
		return result, err
	}
	if result.Verdict == grader.Pass && (len(result.Differs) > 0 || len(result.Findings) > 0) {
		result.Verdict = grader.NeedsWork
	}
	return result, nil
}

// evidenceOf is what a folder shows after a run.
func evidenceOf(s Scenario, folder string, left scenario.Files, record scenario.Record) scenario.Evidence {
	if s.Shown != "" {
		folder = s.Shown
	}
	e := scenario.NewEvidence(s.Name, filepath.ToSlash(folder), left)
	e.Record = record
	return e
}

// beside has the references make the same run and returns the cells in which they leave something else.
func (b *Bench) beside(ctx context.Context, p scenarioProgram, s Scenario, before scenario.Files, record scenario.Record, e scenario.Evidence) ([]scenario.Compared, error) {
	if !slices.ContainsFunc(p.record, func(s scenario.Source) bool { return s.Label != scenario.Reference }) {
		return nil, nil
	}
	references, err := b.scenarioProgram("", true)
	if err != nil {
		return nil, err
	}
	one, err := b.perform(ctx, references, s.Name, s.Budget, "", before)
	if err != nil || one.left == nil {
		return nil, err
	}
	record.Runs = slices.Clone(record.Runs)
	last := &record.Runs[len(record.Runs)-1]
	last.ExitCode, last.TraceLines = one.code, scenario.Lines(one.left[fieldnotes.TraceFile])
	right := evidenceOf(s, e.Folder, one.left, record)
	compared := scenario.Replay(right, e)
	return slices.DeleteFunc(compared.Cells, func(c scenario.Compared) bool { return c.Agrees }), nil
}

// scenarioRecord is a run as it is recorded.
func (b *Bench) scenarioRecord(p scenarioProgram, s Scenario, one performed, before scenario.Files) scenario.Run {
	run := scenario.Run{
		Scenario: s.Name, Budget: s.Budget, Variant: s.Variant, Command: scenario.CommandOf(s.Name, s.Budget, s.Variant),
		ExitCode: one.code, Printed: one.printed,
		Sources: p.record, Digest: scenario.SourcesDigest(p.record), Runtime: teaching.Digest(),
		Engine: one.report.Environment.Engine, Sandbox: one.report.Environment.Sandbox, Time: b.Task.Now().UTC(),
		Found: scenario.Digests(before), Left: scenario.Digests(one.left), TraceLines: scenario.Lines(one.left[fieldnotes.TraceFile]),
	}
	for _, tool := range task.Tools() {
		run.Tools = append(run.Tools, scenario.Tool{Name: tool.Name, Version: tool.Version})
	}
	return run
}
