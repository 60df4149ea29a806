package engine

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
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
	lowered, refusals, err := lower.Program(packages, lower.Options{
		Supplied: supplied, Late: in.learner(), Entry: &lower.Entry{Package: in.program.Entry.Package, Function: in.program.Entry.Function},
	})
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

// recheck leaves out of lowered text what nothing reaches from start and entry, type-checks the rest and returns it as it
// travels. Soft faults, names that are not used, do not matter to the interpreter. Of a function that comes from a file
// which settled names, the signature alone is checked: no learner wrote it, and our own tests check it whole.
func (in *installation) recheck(packages *export.Packages, text []byte, lines LineMap, start, entry string) (Prepared, error) {
	files := token.NewFileSet()
	syntax, err := parseWhole(files, string(text))
	if err != nil {
		return Prepared{}, fmt.Errorf("parsing the lowered program: %w", err)
	}
	prune(syntax, start, entry)
	at := origins{files.File(syntax.FileStart), lines}
	restore := at.hideBodies(syntax, in.settled())
	// Lowered text names the types of values that the source never names, and imports their packages.
	if err := packages.Load(importsOf(syntax)); err != nil {
		return Prepared{}, err
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
	restore()
	if len(faults) > 0 {
		return Prepared{}, fmt.Errorf("the lowered program does not compile: %s", strings.Join(faults, "; "))
	}
	learner := in.learner()
	divided := partsOf(syntax, entry, func(f *ast.FuncDecl) bool { return at.from(f, learner) })
	return finish(files, syntax, text, lines, divided, start, entry), nil
}

// origins says where functions of a lowered file come from.
type origins struct {
	at    *token.File
	lines LineMap
}

// from reports whether a function comes from a file that is named: from where its first line that stands for anything does.
func (o origins) from(f *ast.FuncDecl, named func(file string) bool) bool {
	for line := o.at.Line(f.Pos()); line <= o.at.Line(f.End()); line++ {
		if file, _, ok := o.lines.Position(line); ok {
			return named(file)
		}
	}
	return false
}

// hideBodies takes the bodies of functions that come from settled files out of a lowered file, until restore is called.
func (o origins) hideBodies(syntax *ast.File, settled func(file string) bool) (restore func()) {
	hidden := map[*ast.FuncDecl]*ast.BlockStmt{}
	for _, decl := range syntax.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Body != nil && o.from(f, settled) {
			hidden[f], f.Body = f.Body, nil
		}
	}
	return func() {
		for f, body := range hidden {
			f.Body = body
		}
	}
}

// learner says whether a file is one of the learner's.
func (in *installation) learner() func(file string) bool {
	return func(path string) bool {
		return slices.ContainsFunc(in.sources, func(f *file) bool { return f.learner && f.path == path })
	}
}

// settled says whether a file is part of the copied runtime as it is, and no source of the program.
func (in *installation) settled() func(file string) bool {
	given := map[string]bool{}
	for _, f := range in.sources {
		given[f.path] = true
	}
	return func(file string) bool { return !given[file] }
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
