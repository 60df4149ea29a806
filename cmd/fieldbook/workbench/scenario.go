package workbench

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fieldbook/cmd/fieldbook/lang"
	"fieldbook/cmd/fieldbook/scenario"
	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/task"
	teaching "fieldbook/runtime"
	"fieldbook/runtime/fieldnotes"
	"fieldbook/runtime/world"
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
}

// performed is how one run of a program of scenarios ended and what it left.
type performed struct {
	report  grader.Report
	code    int
	printed string
	cause   string
	left    scenario.Files // nil: nothing ran
}

// program is what a scenario runs.
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
	if now := b.originals(p); s.Variant != "" && !maps.Equal(originals, now) {
		return result, originalsChanged(originals, now)
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

// CleanScenario removes the files of a scenario's folder, and nothing else.
func (b *Bench) CleanScenario(s Scenario) (folder string, err error) {
	folder = b.scenarioFolder(s)
	if _, err := openFolder(folder); err != nil {
		return folder, err
	}
	// The trace goes late: as long as it is there, so is what explains the rest.
	return folder, workspace.RemoveFiles(folder, append(scenario.Names(), scenario.RecordFile)...)
}

// ScenarioFolder is where the workspace has the files of scenarios, or of a variant's.
func (b *Bench) ScenarioFolder(variant string) string {
	if variant != "" {
		return b.Work.Path(VariantFolder + "/" + variant)
	}
	return b.Work.Path(ScenarioFolder)
}

// scenarioFolder is where a scenario's files lie.
func (b *Bench) scenarioFolder(s Scenario) string {
	if s.Folder != "" {
		return s.Folder
	}
	return b.ScenarioFolder(s.Variant)
}

// openFolder reads a folder of artifacts, which may not exist yet. One that holds anything else is refused: the folder is
// replaced as a whole, and what else is there would be lost.
func openFolder(folder string) (scenario.Files, error) {
	if err := workspace.RecoverFolder(folder); err != nil {
		return nil, err
	}
	entries, err := workspace.ListFolder(folder)
	if err != nil {
		return nil, err
	}
	known := append(scenario.Names(), scenario.RecordFile)
	for _, name := range entries {
		if !slices.Contains(known, name) && !leftover(name) {
			return nil, &grader.Error{
				Code: "folder_in_use", Exit: ExitScenarioUsage,
				Message: fmt.Sprintf("%s holds %s, which is no artifact of a scenario", folder, name),
				Hint:    "Name an empty folder with --dir, or move that file away: a scenario replaces its folder as a whole.",
			}
		}
	}
	files, err := scenario.ReadFiles(folder, known...)
	if err != nil {
		return nil, &grader.Error{
			Code: "artifact_unreadable", Exit: ExitScenarioUsage, Message: "an artifact cannot be read: " + err.Error(),
			Hint: "Begin anew with `fieldbook scenario clean`, or name another folder with --dir.", Cause: err,
		}
	}
	return files, nil
}

// leftover reports whether a file is one that the replacing of an artifact has left when it was cut short.
func leftover(name string) bool {
	return slices.ContainsFunc(scenario.Names(), func(artifact string) bool { return strings.HasPrefix(name, artifact+".tmp-") })
}

// artifactsOf are the files without the record, which no scenario sees.
func artifactsOf(files scenario.Files) scenario.Files {
	artifacts := maps.Clone(files)
	delete(artifacts, scenario.RecordFile)
	return artifacts
}

func recordOf(folder string, files scenario.Files) (scenario.Record, error) {
	data, there := files[scenario.RecordFile]
	if !there {
		return scenario.Record{}, nil
	}
	record, err := scenario.ParseRecord(data)
	if err != nil {
		return record, &grader.Error{
			Code: "record_damaged", Exit: ExitScenarioUsage,
			Message: fmt.Sprintf("%s cannot be read: %v", filepath.Join(folder, scenario.RecordFile), err),
			Hint:    "The tool writes this file and reads it back. Begin anew with `fieldbook scenario clean`.",
		}
	}
	return record, nil
}

// keepFolder puts what a run left in the place of the folder, unless somebody else has changed it since it was read.
func (b *Bench) keepFolder(folder string, found, left scenario.Files, record scenario.Record) error {
	now, err := openFolder(folder)
	if err != nil {
		return err
	}
	if !maps.Equal(scenario.Digests(now), scenario.Digests(found)) {
		return &grader.Error{
			Code: "folder_changed", Exit: ExitScenarioUsage,
			Message: fmt.Sprintf("%s was changed while the scenario ran, so what the run left was not put there", folder),
			Hint:    "Run one scenario at a time in a folder.",
		}
	}
	data, err := record.Encode()
	if err != nil {
		return err
	}
	files := []workspace.File{{Path: scenario.RecordFile, Text: data}}
	for _, name := range scenario.Names() {
		if text, there := left[name]; there {
			files = append(files, workspace.File{Path: name, Text: text})
		}
	}
	return workspace.ReplaceFolder(folder, files)
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

// printedOf is what a run that ended in one of the scenario's own ways prints, on one line.
func printedOf(code int, result fieldnotes.Result) (string, error) {
	switch code {
	case fieldnotes.ExitCrashed:
		return fieldnotes.ErrInjectedCrash.Error(), nil
	case fieldnotes.ExitDenied, fieldnotes.ExitExhausted:
		return result.StopReason, nil
	}
	data, err := json.Marshal(result)
	return string(data), err
}

// perform makes one run in the sandbox on these files.
func (b *Bench) perform(ctx context.Context, p scenarioProgram, name string, budget int, variant string, files scenario.Files) (performed, error) {
	var one performed
	t, err := task.New(b.Task, p.whole)
	if err != nil {
		return one, err
	}
	defer t.Close()
	staged, done, err := stage(files)
	if err != nil {
		return one, err
	}
	defer done()
	execution, report, err := t.Drive(ctx, task.Drive{
		Label: "SCENARIO", Sources: p.sources, Driver: p.driver, Files: os.DirFS(staged),
		Values: map[string]world.Value{
			"scenario": world.StringValue(name), "budget": world.IntValue(int64(budget)), "credential": world.StringValue(scenario.Credential),
		},
	})
	one.report = report
	if err != nil {
		return one, err
	}
	if execution == nil {
		one.code, one.cause = ExitNoEnd, report.Cause
		return one, nil
	}
	defer execution.Close()
	if why := one.take(execution.Folder); why != "" {
		one.report.Outcome, one.report.Verdict, one.report.Cause = grader.OutputLimit, grader.Limit, why
	}
	return one, one.judge(variant)
}

// judge finds the exit code of a run that came to the worker.
func (one *performed) judge(variant string) error {
	switch one.report.Verdict {
	case grader.Pass:
	case grader.Limit, grader.Void:
		one.code, one.cause = one.report.Verdict.ExitCode(), one.report.Cause
		return nil
	default:
		one.code, one.cause = ExitNoEnd, one.report.Cause
		return nil
	}
	seen := one.report.Observation
	known, _ := seen.Value("known").AsBool()
	code, _ := seen.Value("exit").AsInt()
	var result fieldnotes.Result
	result.EffectReused, _ = seen.Value("effect_reused").AsBool()
	result.Recovered, _ = seen.Value("recovered").AsBool()
	result.StopReason, _ = seen.Value("stop_reason").AsString()
	failure, failed := seen.Value("error").AsString()
	switch {
	case known:
		one.code = int(code)
		var err error
		one.printed, err = printedOf(one.code, result)
		one.printed = grader.Visible([]byte(one.printed))
		return err
	case failed:
		one.code = ExitNoEnd
		one.cause = fmt.Sprintf(lang.Key("Run returned an error, so it came to no end: %s"), grader.Visible([]byte(failure)))
	case variant == scenario.Naive: // it has one end and calls it by its own word
		one.printed = grader.Visible([]byte(result.StopReason))
	default:
		one.code = ExitNoEnd
		one.cause = fmt.Sprintf(lang.Key("Run stopped for %q, which is no stop reason."), grader.Visible([]byte(result.StopReason)))
	}
	if one.code == ExitNoEnd {
		one.report.Verdict = grader.NeedsWork
	}
	return nil
}

// stage writes files where a worker's world is copied from.
func stage(files scenario.Files) (folder string, done func(), err error) {
	if folder, err = os.MkdirTemp("", "fieldbook-scenario-"); err != nil {
		return "", nil, err
	}
	done = func() { os.RemoveAll(folder) }
	inside := filepath.Join(folder, ScenarioFolder)
	if err = os.Mkdir(inside, 0o700); err != nil {
		done()
		return "", nil, err
	}
	for name, data := range files {
		if err = os.WriteFile(filepath.Join(inside, name), data, 0o600); err != nil {
			done()
			return "", nil, err
		}
	}
	return folder, done, nil
}

// take takes the artifacts that a run left in its world, of which the folder is a private copy. One that is too large or no
// regular file is the run's doing: nothing is taken then, and why says so.
func (one *performed) take(folder string) (why string) {
	left := scenario.Files{}
	if folder != "" {
		for _, name := range scenario.Names() {
			files, err := scenario.ReadFiles(filepath.Join(folder, ScenarioFolder), name)
			if err != nil {
				return fmt.Sprintf(lang.Key("The run left a %s that cannot be taken: no regular file, or one of more than 1 MiB. The folder is as it was."), name)
			}
			maps.Copy(left, files)
		}
	}
	one.left = left
	return ""
}
