package workbench

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"fieldbook/cmd/fieldbook/scenario"
	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/grader"
)

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
