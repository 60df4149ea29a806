package workbench

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"slices"
	"strings"

	"fieldbook/cmd/fieldbook/scenario"
	"fieldbook/exercises"
	"fieldbook/grader"
	"fieldbook/grader/task"
	teaching "fieldbook/runtime"
)

// scenarioProgram finds what a scenario runs: the student's functions where they are written, else the references; or, for a
// variant, the author's file in the place of one of them.
func (b *Bench) scenarioProgram(variant string, references bool) (scenarioProgram, error) {
	e := exercises.WithScenarios()
	if e == nil {
		return scenarioProgram{}, errors.New("no exercise declares scenarios")
	}
	whole, err := e.Connected()
	if err != nil {
		return scenarioProgram{}, err
	}
	p := scenarioProgram{whole: whole}
	if p.driver, err = e.File(e.Scenarios.Driver); err != nil {
		return p, err
	}
	for _, r := range whole.Replaces {
		source, label, err := b.scenarioSource(r, references)
		if err != nil {
			return p, err
		}
		p.add(r, source, label)
	}
	if variant == "" {
		return p, nil
	}
	return p, p.vary(e, variant)
}

func (p *scenarioProgram) add(r exercises.Replaced, source task.Source, label string) {
	sum := sha256.Sum256(source.Text)
	p.sources = append(p.sources, source)
	p.record = append(p.record, scenario.Source{Path: r.File, Function: r.Functions[0].Name, Label: label, SHA256: hex.EncodeToString(sum[:])})
}

// vary puts the author's file of a variant in its place.
func (p *scenarioProgram) vary(e *exercises.Exercise, variant string) error {
	owner, file, label := e, e.Scenarios.Naive, scenario.Baseline
	if variant != scenario.Naive {
		var err error
		if owner, file, err = scenarioFault(e, variant); err != nil {
			return err
		}
		label = scenario.Fault
	}
	text, err := owner.File(file)
	if err != nil {
		return fmt.Errorf("read the variant %s: %w", variant, err)
	}
	place := owner.Replaces[0].File
	i := slices.IndexFunc(p.sources, func(s task.Source) bool { return s.Path == place })
	sum := sha256.Sum256(text)
	p.sources[i] = task.Source{Path: place, Name: file, Text: text}
	p.record[i].Label, p.record[i].SHA256 = label, hex.EncodeToString(sum[:])
	return nil
}

// ScenarioFaults are the names of the faults that a scenario can be run with: those for which an author's file stands.
func ScenarioFaults() []string {
	var names []string
	for _, e := range scenarioExercises(exercises.WithScenarios()) {
		for _, f := range e.Faults {
			if f.Supplied != "" {
				names = append(names, f.Name)
			}
		}
	}
	return names
}

// scenarioExercises are the exercises whose functions a scenario connects.
func scenarioExercises(e *exercises.Exercise) []*exercises.Exercise {
	if e == nil {
		return nil
	}
	var all []*exercises.Exercise
	for _, name := range append(slices.Clone(e.Scenarios.Connects), e.Name) {
		if one, err := exercises.Named(name); err == nil {
			all = append(all, one)
		}
	}
	return all
}

// scenarioFault finds a fault among the connected exercises.
func scenarioFault(e *exercises.Exercise, name string) (owner *exercises.Exercise, file string, err error) {
	for _, one := range scenarioExercises(e) {
		for _, f := range one.Faults {
			if f.Name == name && f.Supplied != "" {
				return one, f.Supplied, nil
			}
		}
	}
	return nil, "", &grader.Error{
		Code: "unknown_fault", Exit: ExitScenarioUsage, Message: fmt.Sprintf("there is no fault %q", name),
		Hint: "The faults are: " + strings.Join(ScenarioFaults(), ", ") + ".",
	}
}

// scenarioSource is the source of one place and whose it is.
func (b *Bench) scenarioSource(r exercises.Replaced, references bool) (task.Source, string, error) {
	if b.Work != nil && !references {
		path := b.Work.Path(r.File)
		if text, err := os.ReadFile(path); err == nil && written(text) {
			source, err := task.ReadSource(path, r)
			source.Name = r.File
			return source, scenario.Yours, err
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
			_, err := task.ReadSource(path, r)
			return task.Source{}, "", err
		}
	}
	text, err := teaching.Source(r.File)
	if err != nil {
		return task.Source{}, "", fmt.Errorf("read the reference %s: %w", r.File, err)
	}
	return task.Source{Path: r.File, Name: r.File, Text: text}, scenario.Reference, nil
}

// written reports whether a student has begun to write a file: it no longer says of itself that it is unfinished. One that
// does not parse is somebody's work.
func written(text []byte) bool {
	if len(bytes.TrimSpace(text)) == 0 {
		return false
	}
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil {
		return true
	}
	unfinished := false
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Name == "Unfinished" {
			x, ok := s.X.(*ast.Ident)
			unfinished = unfinished || ok && x.Name == "exercise"
		}
		return !unfinished
	})
	return !unfinished
}

// originals are the digests of the student's own files, by their places. A variant runs a copy, and leaves them as they are.
func (b *Bench) originals(p scenarioProgram) map[string]string {
	digests := map[string]string{}
	for _, s := range p.sources {
		if b.Work == nil {
			continue
		}
		if text, err := os.ReadFile(b.Work.Path(s.Path)); err == nil {
			sum := sha256.Sum256(text)
			digests[s.Path] = hex.EncodeToString(sum[:])
		}
	}
	return digests
}

func originalsChanged(before, now map[string]string) error {
	var changed []string
	for path := range now {
		if now[path] != before[path] {
			changed = append(changed, path)
		}
	}
	for path := range before {
		if now[path] == "" {
			changed = append(changed, path)
		}
	}
	slices.Sort(changed)
	return &grader.Error{
		Code: "source_changed", Exit: ExitScenarioUsage,
		Message: fmt.Sprintf("your own %s changed while a variant ran beside it", strings.Join(changed, ", ")),
		Hint:    "A variant runs a copy and writes to no source: something else has saved the file. Run the variant again.",
	}
}
