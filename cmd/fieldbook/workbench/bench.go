// Package workbench does what a student asks for and keeps the evidence: it runs an exercise, writes the handoff of a
// passing run, starts Unit B from a handoff, breaks it and takes the repair. The commands, the app and the line mode all
// work through it, so that a run is the same run wherever it was asked for. It runs in the parent and draws nothing.
package workbench

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"fieldbook/cmd/fieldbook/stubs"
	"fieldbook/cmd/fieldbook/workspace"
	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/task"
	"fieldbook/handoff"
	"fieldbook/handoff/key"
	teaching "fieldbook/runtime"
	"fieldbook/units"
)

// What a run of Unit A or B started from, as handoffs and submissions name it.
const (
	Independent       = "INDEPENDENT_UNIT_A"
	LearnerSelected   = "LEARNER_SELECTED"
	SuppliedReference = "SUPPLIED_REFERENCE"
)

// Bench is a workspace with what works on it.
type Bench struct {
	Work  *workspace.Workspace
	Units []*units.Unit
	Task  task.Options
	Keys  key.Store
}

// Deciding is the bench with a function that is told the report of a run as soon as its verdict is known: before the rest of
// its evidence is read, and before the run is kept.
func (b *Bench) Deciding(decided func(grader.Report)) *Bench {
	deciding := *b
	deciding.Task.Decided = decided
	return &deciding
}

// module is the go.mod of a workspace: the sources in it import each other by this module's path. What is kept of earlier runs
// is no part of it: such a source need not compile, and lies apart from the rest of its package.
const module = "module fieldbook\n\ngo 1.26\n\nignore (\n\t./attempts\n\t./evidence\n\t./submissions\n)\n"

// SetUp lays out the supplied files of every exercise and puts starters where the student has nothing yet. It can be
// repeated.
func (b *Bench) SetUp() (workspace.Setup, error) {
	supplied, err := SuppliedFiles()
	if err != nil {
		return workspace.Setup{}, err
	}
	var starters []workspace.File
	for _, e := range exercises.All() {
		files, err := Starters(e)
		if err != nil {
			return workspace.Setup{}, err
		}
		starters = append(starters, files...)
	}
	return b.Work.SetUp(supplied, starters)
}

// SuppliedFiles are the files of the course that a workspace holds: go.mod, the copied packages without the files that
// exercises replace, whose text stays closed until a first attempt, and the API of the supplied packages.
func SuppliedFiles() ([]workspace.File, error) {
	files := []workspace.File{{Path: "go.mod", Text: []byte(module)}}
	api, err := stubs.Generate()
	if err != nil {
		return nil, err
	}
	for _, f := range api {
		files = append(files, workspace.File{Path: f.Path, Text: f.Text})
	}
	for _, path := range teaching.CopiedFiles() {
		if IsReplaced(path) {
			continue
		}
		text, err := teaching.Source(path)
		if err != nil {
			return nil, err
		}
		files = append(files, workspace.File{Path: path, Text: text})
	}
	return files, nil
}

// IsReplaced reports whether path is a file that an exercise replaces: the shipped one is a reference solution.
func IsReplaced(path string) bool { return Replacing(path) != nil }

// Replacing is the exercise whose student writes the file at path, nil when none does.
func Replacing(path string) *exercises.Exercise {
	for _, e := range exercises.All() {
		if slices.ContainsFunc(e.Replaces, func(r exercises.Replaced) bool { return r.File == path }) {
			return e
		}
	}
	return nil
}

// Starters are the files of an exercise as a student first gets them.
func Starters(e *exercises.Exercise) ([]workspace.File, error) {
	var files []workspace.File
	for _, r := range e.Replaces {
		text, err := e.File(r.Starter)
		if err != nil {
			return nil, err
		}
		files = append(files, workspace.File{Path: r.File, Text: withoutConstraint(text)})
	}
	return files, nil
}

// withoutConstraint drops the line that keeps the file out of Fieldbook's own build: in a workspace it is an ordinary
// file of its package, which editors are to build.
func withoutConstraint(text []byte) []byte {
	if rest, ok := strings.CutPrefix(string(text), "//go:build exercise\n"); ok {
		return []byte(strings.TrimPrefix(rest, "\n"))
	}
	return text
}

// Constructing is the unit in which an exercise is constructed, nil when it belongs to none.
func (b *Bench) Constructing(exercise string) *units.Unit {
	return b.unit(func(u *units.Unit) bool { return u.Role == units.Constructs && u.HandoffOf(exercise) != "" })
}

// Breaking is the unit that breaks and repairs an exercise, nil when there is none.
func (b *Bench) Breaking(exercise string) *units.Unit {
	return b.unit(func(u *units.Unit) bool { return u.Role == units.Breaks && u.Exercise == exercise })
}

func (b *Bench) unit(fits func(*units.Unit) bool) *units.Unit {
	if i := slices.IndexFunc(b.Units, fits); i >= 0 {
		return b.Units[i]
	}
	return nil
}

// HandoffPath is where a unit's handoff of an exercise lies in the workspace, with slashes.
func HandoffPath(u *units.Unit, exercise string) string {
	return workspace.Handoffs + "/" + u.HandoffOf(exercise)
}

// sources reads the student's files for an exercise. A file that was named takes the place whose file has its name, or the
// first place that is left; the others come from the workspace.
func (b *Bench) sources(e *exercises.Exercise, named []string) ([]task.Source, error) {
	if len(named) > len(e.Replaces) {
		return nil, &grader.Error{
			Code:    "too_many_files",
			Message: "more files were named than " + e.Name + " has",
			Hint:    "It has: " + strings.Join(Places(e), ", ") + ".",
			Exit:    grader.ExitUsage,
		}
	}
	paths := assign(e, named)
	var sources []task.Source
	for i, r := range e.Replaces {
		file := paths[i]
		if file == "" {
			file = b.Work.Path(r.File)
		}
		s, err := task.ReadSource(file, r)
		if err != nil {
			return nil, err
		}
		if paths[i] == "" {
			s.Name = r.File // the workspace's own path says less than the place in it
		}
		sources = append(sources, s)
	}
	return sources, nil
}

// assign gives each named file a place of the exercise.
func assign(e *exercises.Exercise, named []string) []string {
	paths := make([]string, len(e.Replaces))
	var rest []string
	for _, file := range named {
		i := slices.IndexFunc(e.Replaces, func(r exercises.Replaced) bool {
			return path.Base(r.File) == path.Base(strings.ReplaceAll(file, "\\", "/"))
		})
		if i >= 0 && paths[i] == "" {
			paths[i] = file
		} else {
			rest = append(rest, file)
		}
	}
	for _, file := range rest {
		paths[slices.Index(paths, "")] = file
	}
	return paths
}

// Places are the files of an exercise in the runtime.
func Places(e *exercises.Exercise) []string {
	var places []string
	for _, r := range e.Replaces {
		places = append(places, r.File)
	}
	return places
}

// Prediction is the digest of the prediction that the student committed in a unit, or handoff.None.
func (b *Bench) Prediction(unit string) (string, error) {
	data, err := os.ReadFile(b.Work.Path(PredictionPath(unit)))
	if errors.Is(err, fs.ErrNotExist) {
		return handoff.None, nil
	}
	if err != nil {
		return "", err
	}
	return handoff.Digest(data), nil
}

// PredictionPath is where the prediction of a unit lies in the workspace, with slashes.
func PredictionPath(unit string) string { return workspace.Predictions + "/" + unit + ".json" }

// key opens the student's key, making it on first use.
func (b *Bench) key(ctx context.Context) (key.Key, error) {
	k, _, err := b.Keys.Open(ctx)
	return k, err
}
