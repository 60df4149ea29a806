package workbench

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"fieldbook/cmd/fieldbook/scenario"
	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/task"
	teaching "fieldbook/runtime"
)

// Collected is evidence that was kept.
type Collected struct {
	Evidence scenario.Evidence
	Folder   string // absolute
	Files    []string
	Backup   string // of what it replaced; "" when there was nothing
}

// CollectScenario keeps a copy of a scenario's folder as evidence under a name: the artifacts, the record of the runs, and the
// sources that ran. What was kept under the name before is backed up.
func (b *Bench) CollectScenario(name, folder string) (Collected, error) {
	var c Collected
	if !isEvidenceName(name) {
		return c, &grader.Error{
			Code: "evidence_name", Exit: ExitScenarioUsage, Message: fmt.Sprintf("%q is no name for evidence", name),
			Hint: "Write a scenario, or another lower-case word of letters, digits and hyphens.",
		}
	}
	files, err := openFolder(folder)
	if err != nil {
		return c, err
	}
	e := scenario.NewEvidence(name, filepath.ToSlash(folder), files)
	if why, hint := e.Uncollectable(); why != "" {
		return c, &grader.Error{Code: "uncollectable", Exit: ExitScenarioUsage, Message: why, Hint: hint}
	}
	sources, err := b.ranSources(e)
	if err != nil {
		return c, err
	}
	e.Kept = map[string][]byte{}
	var kept []workspace.File
	for _, s := range sources {
		e.Kept[s.Path] = s.Text
		kept = append(kept, workspace.File{Path: scenario.SourceFolder + "/" + path.Base(s.Path), Text: s.Text})
	}
	if why := e.Damage(); why != "" {
		return c, &grader.Error{
			Code: "evidence_changed", Exit: ExitScenarioUsage, Message: why,
			Hint: "Evidence is what the runs left. Begin anew with `fieldbook scenario clean`.",
		}
	}
	for _, file := range append(scenario.Names(), scenario.RecordFile) {
		if text, there := files[file]; there {
			kept = append(kept, workspace.File{Path: file, Text: text})
		}
	}
	slash := scenario.EvidenceFolder + "/" + name
	c.Folder, c.Evidence = b.Work.Path(slash), scenario.NewEvidence(name, slash, files)
	if c.Backup, err = b.backUpFolder("new evidence of "+name, slash); err != nil {
		return c, err
	}
	for _, f := range kept {
		c.Files = append(c.Files, f.Path)
	}
	slices.Sort(c.Files)
	return c, workspace.ReplaceFolder(c.Folder, kept)
}

// isEvidenceName reports whether a name can be a folder's anywhere.
func isEvidenceName(name string) bool {
	return name != "" && len(name) <= 64 && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == "" && !strings.HasPrefix(name, "-")
}

// backUpFolder backs up the files of a folder of the workspace; "" when there are none.
func (b *Bench) backUpFolder(reason, slash string) (string, error) {
	var files []string
	err := filepath.WalkDir(b.Work.Path(slash), func(at string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return fs.SkipAll
		}
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		inside, err := filepath.Rel(b.Work.Root(), at)
		files = append(files, filepath.ToSlash(inside))
		return err
	})
	if err != nil || len(files) == 0 {
		return "", err
	}
	backup, err := b.Work.Backup(reason, files...)
	return backup.ID, err
}

// ranSources finds the texts of the sources that ran, by the digests that were recorded.
func (b *Bench) ranSources(e scenario.Evidence) ([]task.Source, error) {
	run := e.Record.Runs[0]
	p, err := b.scenarioProgram(run.Variant, false)
	if err != nil {
		return nil, err
	}
	var sources []task.Source
	for _, want := range run.Sources {
		found, err := b.ranSource(p, want)
		if err != nil {
			return nil, err
		}
		sources = append(sources, found)
	}
	return sources, nil
}

func (b *Bench) ranSource(p scenarioProgram, want scenario.Source) (task.Source, error) {
	for i, s := range p.sources {
		if s.Path == want.Path && p.record[i].SHA256 == want.SHA256 {
			return s, nil
		}
	}
	if text, err := teaching.Source(want.Path); err == nil && want.Label == scenario.Reference {
		if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) == want.SHA256 {
			return task.Source{Path: want.Path, Name: want.Path, Text: text}, nil
		}
	}
	return task.Source{}, &grader.Error{
		Code: "source_changed", Exit: ExitScenarioUsage,
		Message: want.Path + " is no longer the source that ran",
		Hint:    "Run the scenario again in a clean folder, and collect it before you change the source.",
	}
}

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
