package engine

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"fieldbook/grader"
	"fieldbook/grader/engine/export"
	"fieldbook/grader/engine/lower"
	"fieldbook/grader/engine/offered"
)

// lower asks package lower what it refuses, and lowers the program when there is nothing. A refusal at a file that is not
// the learner's is our fault.
func (in *installation) lower(all []*checked) (*lower.Lowered, []grader.Diagnostic, error) {
	packages := make([]*lower.Package, len(all))
	byPath := map[string]*file{}
	for i, p := range all {
		packages[i] = &lower.Package{Path: p.unit.path, Fset: in.files, Types: p.types, Info: p.info}
		for _, f := range p.unit.files {
			packages[i].Files = append(packages[i].Files, f.syntax)
			packages[i].Names = append(packages[i].Names, f.path)
			packages[i].Text = append(packages[i].Text, f.text)
			byPath[f.path] = f
		}
	}
	lowered, refusals, err := lower.Program(packages, lower.Options{Supplied: supplied})
	if err != nil {
		return nil, nil, fmt.Errorf("lowering the program: %w", err)
	}
	var found []grader.Diagnostic
	for _, r := range refusals {
		f := byPath[r.Pos.Filename]
		if f == nil || !f.learner {
			return nil, nil, fmt.Errorf("lowering refuses a file that is not the learner's: %s: %s", r.Pos, r.Message)
		}
		end := r.Pos.Offset
		if r.End > r.Pos.Column {
			end += r.End - r.Pos.Column
		}
		found = append(found, f.at(CodeUnsupported+"."+r.Code, r.Pos.Offset, end, r.Message, r.Instead))
	}
	return lowered, found, nil
}

func supplied(importPath string) bool {
	return inModule(importPath) && offered.Has(importPath)
}

// recheck leaves out of lowered text what nothing reaches from the roots, type-checks the rest and returns it as it
// travels. Soft faults, names that are not used, do not matter to
// the interpreter.
func recheck(packages *export.Packages, text []byte, lines LineMap, roots ...string) ([]byte, error) {
	files := token.NewFileSet()
	syntax, err := parseWhole(files, string(text))
	if err != nil {
		return nil, fmt.Errorf("parsing the lowered program: %w", err)
	}
	omitted := prune(syntax, roots)
	// Lowered text names the types of values that the source never names, and imports their packages.
	if err := packages.Load(importsOf(syntax)); err != nil {
		return nil, err
	}
	packages.RLock()
	defer packages.RUnlock()
	var faults []string
	config := types.Config{
		GoVersion: goVersion,
		Importer:  loweredImporter{packages},
		Sizes:     types.SizesFor("gc", "amd64"),
		Error: func(err error) {
			var fault types.Error
			if errors.As(err, &fault) && !fault.Soft {
				faults = append(faults, fault.Error())
			}
		},
	}
	_, _ = config.Check("program", files, []*ast.File{syntax}, nil) // faults went to Error
	if len(faults) > 0 {
		return nil, fmt.Errorf("the lowered program does not compile: %s", strings.Join(faults, "; "))
	}
	return finish(files, syntax, omitted, text, lines), nil
}

// importsOf are the paths that a parsed file imports.
func importsOf(syntax *ast.File) []string {
	var paths []string
	for _, spec := range syntax.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err == nil { // the parser has unquoted it once
			paths = append(paths, path)
		}
	}
	return paths
}

// loweredImporter serves what lowered text imports: the offered packages and package object.
type loweredImporter struct{ packages *export.Packages }

func (i loweredImporter) Import(path string) (*types.Package, error) {
	if path == lower.ObjectPath {
		return objectTypes(i.packages), nil
	}
	if p := i.packages.Lookup(path); p != nil {
		return p, nil
	}
	return nil, errNotOffered
}

// lineMap copies the position map of a lowered text into the form that travels.
func lineMap(l *lower.Lowered) LineMap {
	var m LineMap
	index := map[string]int{}
	for line := range strings.Count(string(l.Text), "\n") + 1 {
		path, source, ok := l.Position(line + 1)
		if !ok {
			m.Marks = append(m.Marks, [2]int{})
			continue
		}
		if index[path] == 0 {
			m.Files = append(m.Files, path)
			index[path] = len(m.Files)
		}
		m.Marks = append(m.Marks, [2]int{index[path], source})
	}
	return m
}
