package workbench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"

	"fieldbook/cmd/fieldbook/lang"
	"fieldbook/cmd/fieldbook/scenario"
	"fieldbook/grader"
	"fieldbook/grader/probe"
	"fieldbook/grader/task"
	"fieldbook/runtime/fieldnotes"
	"fieldbook/runtime/operation"
	"fieldbook/runtime/world"
)

// performed is how one run of a program of scenarios ended and what it left.
type performed struct {
	report  grader.Report
	code    int
	printed string
	cause   string
	left    scenario.Files // nil: nothing ran
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
	before, err := notebook(files)
	if err != nil {
		return one, err
	}
	execution, report, err := t.Drive(ctx, task.Drive{
		Label: "SCENARIO", Sources: p.sources, Driver: p.driver, Files: probe.FS(before),
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

// notebook is the world in which a run begins: a folder of these files.
func notebook(files scenario.Files) (*operation.Tree, error) {
	tree := operation.NewTree()
	err := tree.Apply(operation.Entry{Kind: operation.Folder, Path: ScenarioFolder})
	for name, data := range files {
		err = errors.Join(err, tree.Put(path.Join(ScenarioFolder, name), data))
	}
	return tree, err
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
