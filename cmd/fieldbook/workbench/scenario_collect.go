package workbench

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"fieldbook/cmd/fieldbook/scenario"
	"fieldbook/cmd/fieldbook/workspace"
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
