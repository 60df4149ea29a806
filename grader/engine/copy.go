package engine

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"fieldbook/grader"
	"fieldbook/grader/engine/export"
)

// Copy is a program that was checked and not lowered: what the Go toolchain builds.
type Copy struct {
	// Files are all files of the packages of the copy that take part, sorted by path.
	Files []CopyFile `json:"files"`
	// Package and Function are where the program starts. A main function has another name here, since the program that is
	// built has a main of its own.
	Package  string `json:"package"`
	Function string `json:"function"`
}

// CopyFile is one file as the compiler gets it. Its lines are the learner's own.
type CopyFile struct {
	Path string `json:"path"` // in the module; a file of a program that stands alone has no folder
	Text []byte `json:"text"`
}

// PackageName is a name that no file of the copy uses, made of the given one.
func (c *Copy) PackageName(wanted string) string {
	for slices.ContainsFunc(c.Files, func(f CopyFile) bool { return bytes.Contains(f.Text, []byte(wanted)) }) {
		wanted += "_"
	}
	return wanted
}

// copied checks an installation and returns it as sources; diagnostics when there are any.
func (e *Engine) copied(ctx context.Context, in *installation, packages *export.Packages, found []grader.Diagnostic) (*Copy, []grader.Diagnostic, error) {
	packages.RLock()
	defer packages.RUnlock()
	c := newChecker(in, packages, &e.cache, found)
	all, err := c.check(ctx)
	if err != nil || len(c.found) > 0 {
		return nil, c.found, err
	}
	entry := in.program.Entry
	out := &Copy{Package: entry.Package, Function: entry.Function}
	for _, u := range in.packages {
		for _, f := range u.files {
			out.Files = append(out.Files, CopyFile{Path: f.path, Text: f.text})
		}
	}
	slices.SortFunc(out.Files, func(a, b CopyFile) int { return strings.Compare(a.Path, b.Path) })
	for _, p := range all {
		if p.unit.path != entry.Package {
			continue
		}
		if _, ok := p.types.Scope().Lookup(entry.Function).(*types.Func); !ok {
			return nil, nil, fmt.Errorf("the program has no function %s.%s", entry.Package, entry.Function)
		}
		if main, ok := p.types.Scope().Lookup("main").(*types.Func); ok && p.types.Name() == "main" {
			out.rename(p, main)
		}
	}
	return out, nil, nil
}

// rename gives the main function of a package another name, wherever it is used.
func (c *Copy) rename(p *checked, main *types.Func) {
	name := c.PackageName("learnerMain")
	if c.Function == main.Name() {
		c.Function = name
	}
	for _, f := range p.unit.files {
		i := slices.IndexFunc(c.Files, func(other CopyFile) bool { return other.Path == f.path })
		var at []int
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if ident, ok := n.(*ast.Ident); ok && (p.info.Defs[ident] == main || p.info.Uses[ident] == main) {
				at = append(at, f.offset(ident.Pos()))
			}
			return true
		})
		var text []byte
		from := 0
		for _, start := range at {
			text = append(append(text, f.text[from:start]...), name...)
			from = start + len(main.Name())
		}
		c.Files[i].Text = append(text, f.text[from:]...)
	}
}
