package workbench

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fieldbook/cmd/fieldbook/scenario"
	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/grader"
)

// CheckTable compares an evidence table with the evidence of the workspace.
func (b *Bench) CheckTable(file string) (scenario.Checked, error) {
	text, err := readTable(file)
	if err != nil {
		return scenario.Checked{}, err
	}
	table, err := scenario.ParseTable(file, text)
	if err != nil {
		return scenario.Checked{}, &grader.Error{
			Code: "table_unreadable", Exit: ExitScenarioUsage, Message: err.Error(),
			Hint: "The table is Markdown: | " + strings.Join(scenario.Columns(), " | ") + " |",
		}
	}
	evidence, err := b.Evidence()
	if err != nil {
		return scenario.Checked{}, err
	}
	return scenario.Check(table, evidence), nil
}

func readTable(file string) ([]byte, error) {
	files, err := scenario.ReadFiles(filepath.Dir(file), filepath.Base(file))
	text, there := files[filepath.Base(file)]
	if err != nil || !there {
		return nil, &grader.Error{
			Code: "table_missing", Exit: ExitScenarioUsage, Message: fmt.Sprintf("there is no table %s that can be read", file),
			Hint: "Write it as Markdown: | " + strings.Join(scenario.Columns(), " | ") + " |", Cause: err,
		}
	}
	return text, nil
}

// Evidence is what the workspace keeps.
func (b *Bench) Evidence() ([]scenario.Evidence, error) {
	folder := b.Work.Path(scenario.EvidenceFolder)
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return readEvidence(os.DirFS(folder), folder)
}

func readEvidence(tree fs.FS, at string) ([]scenario.Evidence, error) {
	name := strings.TrimSuffix(filepath.Base(at), filepath.Ext(at))
	evidence, err := scenario.ReadTree(tree, name)
	if err != nil {
		return nil, &grader.Error{
			Code: "evidence_unreadable", Exit: grader.ExitInvalid, Message: grader.Visible([]byte(fmt.Sprintf("%s: %v", at, err))),
			Hint: "Ask for the evidence again, or collect it again.",
		}
	}
	return evidence, nil
}

// ShownFolder reads a folder of artifacts for a viewer.
func ShownFolder(folder, shown string) (scenario.Evidence, error) {
	if _, err := os.Stat(folder); err != nil {
		return scenario.Evidence{}, &grader.Error{
			Code: "folder_missing", Exit: ExitScenarioUsage, Message: fmt.Sprintf("there is no folder %s", folder),
			Hint: "Run a scenario first, or name the folder of one.", Cause: err,
		}
	}
	files, err := scenario.ReadFiles(folder, append(scenario.Names(), scenario.RecordFile)...)
	if err != nil {
		return scenario.Evidence{}, &grader.Error{Code: "artifact_unreadable", Exit: ExitScenarioUsage, Message: err.Error(), Hint: "Name another folder.", Cause: err}
	}
	name := filepath.Base(folder)
	e := scenario.NewEvidence(name, filepath.ToSlash(shown), files)
	if runs := e.Record.Runs; len(runs) > 0 && name == ScenarioFolder {
		e.Name = runs[0].Scenario
	}
	return e, nil
}

// ScenarioFolders are the folders of the workspace in which scenarios have left something, with slashes: that of the last
// ones, then those of variants, then collected evidence.
func (b *Bench) ScenarioFolders() ([]string, error) {
	folders := []string{ScenarioFolder}
	for _, parent := range []string{VariantFolder, scenario.EvidenceFolder} {
		names, err := workspace.ListFolder(b.Work.Path(parent))
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			folders = append(folders, parent+"/"+name)
		}
	}
	return slices.DeleteFunc(folders, func(folder string) bool {
		files, err := scenario.ReadFiles(b.Work.Path(folder), append(scenario.Names(), scenario.RecordFile)...)
		return err != nil || len(files) == 0
	}), nil
}

// ShowFolder reads a folder of the workspace for a viewer.
func (b *Bench) ShowFolder(slash string) (scenario.Evidence, error) {
	return ShownFolder(b.Work.Path(slash), slash)
}
