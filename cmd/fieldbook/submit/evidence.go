package submit

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"

	"fieldbook/cmd/fieldbook/scenario"
	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/handoff/submission"
)

// collected is the evidence of scenarios that the workspace holds, for a unit whose exercise has scenarios.
func (w *Work) collected() ([]scenario.Evidence, error) {
	e, err := exercises.Named(w.unit.Exercise)
	if err != nil || e.Scenarios == nil {
		return nil, err
	}
	folder := w.workspace.Path(scenario.EvidenceFolder)
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	evidence, err := scenario.ReadTree(os.DirFS(folder), scenario.EvidenceFolder)
	if err != nil {
		return nil, &grader.Error{
			Code: "evidence_unreadable", Exit: grader.ExitUsage, Message: fmt.Sprintf("%s: %v", folder, err),
			Hint: "Collect that scenario again: fieldbook scenario collect NAME.",
		}
	}
	return evidence, nil
}

// table is the student's evidence table, nil when there is none.
func (w *Work) table() []byte {
	files, err := scenario.ReadFiles(w.workspace.Path(scenario.EvidenceFolder), path.Base(scenario.TableFile))
	if err != nil {
		return nil
	}
	return files[path.Base(scenario.TableFile)]
}

// addEvidence adds what scenarios left, as it was collected: artifacts, records and sources, each scenario in a folder, and the
// table beside them.
func (w *Work) addEvidence(f *folder) error {
	evidence, err := w.collected()
	if err != nil || len(evidence) == 0 {
		return err
	}
	for _, e := range evidence {
		for _, name := range slices.Sorted(maps.Keys(e.Files)) {
			f.add(e.Files[name], submission.Evidence, e.Name, name)
		}
		for _, name := range slices.Sorted(maps.Keys(e.Kept)) {
			f.add(e.Kept[name], submission.Evidence, e.Name, scenario.SourceFolder, path.Base(name))
		}
	}
	if table := w.table(); table != nil {
		f.add(table, submission.Evidence, path.Base(scenario.TableFile))
	}
	return nil
}

// evidence counts the scenarios that were collected, and the table.
func (w *Work) evidence() (done, of int) {
	collected, err := w.collected()
	if err != nil {
		collected = nil // whoever submits is told
	}
	for _, name := range scenario.Scenarios() {
		of++
		if slices.ContainsFunc(collected, func(e scenario.Evidence) bool { return e.Name == name }) {
			done++
		}
	}
	if w.table() != nil {
		done++
	}
	return done, of + 1
}
