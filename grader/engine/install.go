package engine

import (
	"fmt"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"sort"
	"strings"

	"fieldbook/grader"
	"fieldbook/grader/engine/offered"
)

// installation is a program put into the copy of the runtime: the packages that take part, in dependency order.
type installation struct {
	program  Program
	files    *token.FileSet
	sources  []*file // in the order given
	packages []*unit // what a package imports comes before it
	byPath   map[string]*unit
	tree     *tree
}

// unit is one package of an installation.
type unit struct {
	path    string // import path
	name    string
	files   []*file
	imports []string // of the copy
	changed bool     // holds a source, or imports a package that does
}

// install reads and parses the sources, holds them to the rules that need no types, and finds the packages that take
// part. With diagnostics, the installation is not complete.
func (t *tree) install(p Program) (*installation, []grader.Diagnostic, error) {
	in := &installation{program: p, tree: t, files: token.NewFileSet(), byPath: map[string]*unit{}}
	in.files.AddFile("", learnerBase, 0)
	var found []grader.Diagnostic
	for _, source := range p.Sources {
		if !fs.ValidPath(source.Path) || !strings.HasSuffix(source.Path, ".go") {
			return nil, nil, fmt.Errorf("a source has no place in the module: %q", source.Path)
		}
		f := newFile(source)
		if slices.ContainsFunc(in.sources, func(other *file) bool { return other.path == f.path }) {
			return nil, nil, fmt.Errorf("two sources for %s", f.path)
		}
		in.sources = append(in.sources, f)
		faults := f.read()
		if len(faults) == 0 {
			faults = f.parse(in.files)
		}
		if len(faults) > 0 && !f.learner {
			return nil, nil, fmt.Errorf("a file that is not the learner's: %s", faults[0])
		}
		found = append(found, faults...)
	}
	if len(found) > 0 {
		return nil, found, nil
	}
	if err := in.rules(&found); err != nil {
		return nil, nil, err
	}
	roots := []string{p.Entry.Package}
	for _, f := range in.sources {
		roots = append(roots, f.importPath())
	}
	for _, root := range roots {
		faults, err := in.visit(root, nil)
		if err != nil {
			return nil, nil, err
		}
		found = append(found, faults...)
	}
	return in, found, nil
}

// rules holds the learner's files to everything that syntax alone shows.
func (in *installation) rules(found *[]grader.Diagnostic) error {
	for _, f := range in.sources {
		if !f.learner {
			continue
		}
		want, others, err := in.neighbours(f)
		if err != nil {
			return err
		}
		*found = append(*found, f.checkPackage(want)...)
		*found = append(*found, f.checkImports(in.program.Rules, in.copied)...)
		*found = append(*found, f.checkFunctions()...)
		*found = append(*found, f.checkBodies()...)
		if in.program.Rules.RefuseInit {
			*found = append(*found, f.checkInit()...)
		}
		if in.program.Rules.Main {
			*found = append(*found, f.checkMain()...)
		} else {
			*found = append(*found, f.checkNames(others)...)
		}
	}
	return nil
}

// neighbours returns the package name that belongs in f, and the other files of its package.
func (in *installation) neighbours(f *file) (string, []*file, error) {
	dir := path.Dir(f.path)
	known, err := in.tree.folder(dir)
	if err != nil {
		return "", nil, err
	}
	name := path.Base(dir)
	switch {
	case known != nil:
		name = known.name
	case in.program.Rules.Main:
		name = mainPackage
	}
	return name, in.filesOf(dir, known), nil
}

// filesOf lists the files of a package with the sources in place, sorted by path.
func (in *installation) filesOf(dir string, known *folder) []*file {
	var files []*file
	for _, f := range in.sources {
		if path.Dir(f.path) == dir {
			files = append(files, f)
		}
	}
	own := len(files)
	if known != nil {
		for _, f := range known.files {
			if !slices.ContainsFunc(files[:own], func(s *file) bool { return s.path == f.path }) {
				files = append(files, f)
			}
		}
	}
	sort.Slice(files, func(i, j int) bool { return files[i].path < files[j].path })
	return files
}

// copied reports whether the copy has a package of that import path.
func (in *installation) copied(importPath string) bool {
	dir, ok := dirOf(importPath)
	if !ok {
		return false
	}
	known, err := in.tree.folder(dir)
	// With an error the package is there, and visit meets the error again.
	return err != nil || len(in.filesOf(dir, known)) > 0
}

// visit adds a package of the copy, after everything it imports. trail is how it was reached.
func (in *installation) visit(importPath string, trail []string) ([]grader.Diagnostic, error) {
	if in.byPath[importPath] != nil {
		return nil, nil
	}
	dir, ok := dirOf(importPath)
	if !ok {
		return nil, fmt.Errorf("package %s is not of this module", importPath)
	}
	known, err := in.tree.folder(dir)
	if err != nil {
		return nil, err
	}
	u := &unit{path: importPath, files: in.filesOf(dir, known)}
	if len(u.files) == 0 {
		return nil, fmt.Errorf("package %s has no files", importPath)
	}
	u.name = u.files[0].syntax.Name.Name
	trail = append(trail, importPath)
	var found []grader.Diagnostic
	for _, f := range u.files {
		u.changed = u.changed || slices.Contains(in.sources, f)
		for _, i := range f.imports() {
			switch {
			case offered.Has(i.path):
			case slices.Contains(trail, i.path):
				if !f.learner {
					return nil, fmt.Errorf("import cycle: %s", strings.Join(append(trail, i.path), " imports "))
				}
				found = append(found, f.node(codeImport, i.spec.Path, "import cycle not allowed",
					fmt.Sprintf("%s already imports this package.", i.path)))
			case in.copied(i.path):
				faults, err := in.visit(i.path, trail)
				if err != nil {
					return nil, err
				}
				found = append(found, faults...)
				u.imports = append(u.imports, i.path)
				u.changed = u.changed || (in.byPath[i.path] != nil && in.byPath[i.path].changed)
			case !f.learner: // a learner's import was judged by checkImports
				return nil, fmt.Errorf("%s imports %s, which is not offered", f.path, i.path)
			}
		}
	}
	in.packages = append(in.packages, u)
	in.byPath[importPath] = u
	return found, nil
}
