package workbench

import (
	"archive/zip"
	"context"
	"fmt"
	"os"
	"path"

	"fieldbook/cmd/fieldbook/scenario"
	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/task"
)

// ReadEvidence reads the evidence in a folder or in a ZIP archive.
func ReadEvidence(at string) (evidence []scenario.Evidence, err error) {
	info, err := os.Stat(at)
	if err != nil {
		return nil, &grader.Error{
			Code: "evidence_missing", Exit: ExitScenarioUsage, Message: fmt.Sprintf("there is no folder or archive %s", at),
			Hint: "Name a folder of evidence, one that holds it, or a ZIP archive of one.", Cause: err,
		}
	}
	if info.IsDir() {
		evidence, err = readEvidence(os.DirFS(at), at)
	} else {
		evidence, err = readArchive(at)
	}
	if err == nil && len(evidence) == 0 {
		err = &grader.Error{
			Code: "evidence_none", Exit: grader.ExitInvalid, Message: fmt.Sprintf("%s holds no evidence: no folder of it has a %s", at, scenario.RecordFile),
			Hint: "Evidence is made by `fieldbook scenario collect NAME`.",
		}
	}
	return evidence, err
}

func readArchive(at string) ([]scenario.Evidence, error) {
	archive, err := zip.OpenReader(at)
	if err != nil {
		return nil, &grader.Error{
			Code: "archive_unreadable", Exit: grader.ExitInvalid, Message: fmt.Sprintf("%s is no ZIP archive that can be read", at),
			Hint: "Ask for it again.", Cause: err,
		}
	}
	defer func() { _ = archive.Close() }()
	return readEvidence(archive, at)
}

// ReplayScenario makes the recorded runs of evidence again, on the kept sources, one after the other in a world that begins
// empty, and returns what they leave. Evidence that is damaged is refused before anything runs.
func (b *Bench) ReplayScenario(ctx context.Context, kept scenario.Evidence) (scenario.Evidence, error) {
	again := scenario.Evidence{Name: kept.Name, Folder: kept.Folder}
	if why := kept.Damage(); why != "" {
		return again, &grader.Error{
			Code: "evidence_damaged", Exit: grader.ExitInvalid, Message: why,
			Hint: "Evidence counts as it was collected. Ask for it again, or collect it again.",
		}
	}
	p, err := keptProgram(kept)
	if err != nil {
		return again, err
	}
	files := scenario.Files{}
	record := scenario.Record{}
	for _, run := range kept.Record.Runs {
		one, err := b.perform(ctx, p, run.Scenario, run.Budget, run.Variant, files)
		if err != nil {
			return again, err
		}
		before := files
		if one.left != nil {
			files = one.left
		}
		s := Scenario{Name: run.Scenario, Budget: run.Budget, Variant: run.Variant}
		record.Runs = append(record.Runs, b.scenarioRecord(p, s, one, before))
	}
	again = scenario.NewEvidence(kept.Name, kept.Folder, files)
	again.Record = record
	return again, nil
}

// keptProgram is what evidence was made with.
func keptProgram(kept scenario.Evidence) (scenarioProgram, error) {
	e := exercises.WithScenarios()
	whole, err := e.Connected()
	if err != nil {
		return scenarioProgram{}, err
	}
	p := scenarioProgram{whole: whole, record: kept.Record.Runs[0].Sources}
	if p.driver, err = e.File(e.Scenarios.Driver); err != nil {
		return p, err
	}
	for _, r := range whole.Replaces {
		text, there := kept.Kept[r.File]
		if !there {
			return p, &grader.Error{
				Code: "evidence_damaged", Exit: grader.ExitInvalid, Message: fmt.Sprintf("%s keeps no source for %s", kept.Folder, r.File),
				Hint: "It was collected by another edition of the course.",
			}
		}
		p.sources = append(p.sources, task.Source{Path: r.File, Name: kept.At(scenario.SourceFolder + "/" + path.Base(r.File)), Text: text})
	}
	return p, nil
}
