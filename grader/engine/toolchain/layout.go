package toolchain

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"fieldbook/grader/engine"
	"fieldbook/grader/engine/offered"
	teaching "fieldbook/runtime"
)

// folder is the main package of a program in the module. The source has no such folder.
const folder = "builtprogram"

// Packages of the module that a program is linked with.
const (
	workerPackage = offered.Module + "/grader/probe/worker"
	enterPackage  = offered.Module + "/grader/sandbox/enter"
)

// linked are the packages that any program may be linked with.
func linked() []string { return append([]string{workerPackage, enterPackage}, offered.Packages()...) }

// layOut writes a program's files into work and returns the file that tells the go command where in the module they stand.
// The runtime's packages are those embedded in this program, whatever the source holds in their place: a program is built
// over the very copy that the interpreter runs. A nil copy leaves the runtime alone.
func layOut(work, source string, c *engine.Copy) (overlay string, err error) {
	l := layout{work: work, source: source, replace: map[string]string{}}
	for _, path := range append(teaching.CopiedFiles(), teaching.SuppliedFiles()...) {
		text, err := teaching.Source(path)
		if err != nil {
			return "", fmt.Errorf("read the embedded runtime: %w", err)
		}
		l.put(path, text)
	}
	if c != nil {
		l.program(c)
	}
	if err := l.hide(); err != nil {
		return "", fmt.Errorf("read the source: %w", err)
	}
	if err := l.write(); err != nil {
		return "", fmt.Errorf("lay out the program: %w", err)
	}
	list, err := json.Marshal(struct{ Replace map[string]string }{l.replace})
	if err != nil {
		return "", fmt.Errorf("lay out the program: %w", err)
	}
	overlay = filepath.Join(work, "overlay.json")
	return overlay, os.WriteFile(overlay, list, 0o600)
}

// layout is the files of a build, by their paths in the module.
type layout struct {
	work, source string
	files        []laid
	replace      map[string]string // as the go command reads it: the file in the module, the file that stands for it
}

type laid struct {
	path string // in the module
	text []byte
}

func (l *layout) put(path string, text []byte) { l.files = append(l.files, laid{path, text}) }

// program adds the copy, the files that enter the sandbox, and the main package.
func (l *layout) program(c *engine.Copy) {
	entered := map[string]bool{}
	for _, f := range c.Files {
		in := path.Dir(f.Path)
		if in == "." {
			in = folder
		}
		l.put(path.Join(in, path.Base(f.Path)), f.Text)
		// Go initialises what a package imports before the package itself, and promises nothing about packages that do not
		// import each other. So it is the learner's own package that must import enter: a file is added to each of the copy.
		if !entered[in] {
			entered[in] = true
			l.put(path.Join(in, "zz_enter.go"), fmt.Appendf(nil, "package %s\n\nimport _ %q\n", packageName(f.Text), enterPackage))
		}
	}
	l.put(path.Join(folder, "zz_main.go"), mainFile(c))
}

// mainFile is the file with the main function that serves requests.
func mainFile(c *engine.Copy) []byte {
	var text bytes.Buffer
	worker := c.PackageName("learnerWorker")
	fmt.Fprintf(&text, "package main\n\nimport %s %q\n", worker, workerPackage)
	entry := c.Function
	if c.Package != "main" {
		fmt.Fprintf(&text, "import entry %q\n", c.Package)
		entry = "entry." + c.Function
	}
	fmt.Fprintf(&text, "\nfunc main() { %s.Serve(%s", worker, entry)
	for _, p := range paths(c) {
		text.WriteString(", " + strconv.Quote(p))
	}
	text.WriteString(") }\n")
	return text.Bytes()
}

// paths are the paths of a copy's files.
func paths(c *engine.Copy) []string {
	var list []string
	for _, f := range c.Files {
		list = append(list, f.Path)
	}
	return list
}

// packageName is the name in the package clause of a file, which parses.
func packageName(text []byte) string {
	syntax, err := parser.ParseFile(token.NewFileSet(), "", text, parser.PackageClauseOnly)
	if err != nil {
		return ""
	}
	return syntax.Name.Name
}

// hide takes files out of the packages of the layout that the source has there besides.
func (l *layout) hide() error {
	ours, seen := map[string]bool{}, map[string]bool{}
	for _, f := range l.files {
		ours[f.path] = true
	}
	for _, f := range l.files {
		in := path.Dir(f.path)
		if seen[in] {
			continue
		}
		seen[in] = true
		entries, err := os.ReadDir(filepath.Join(l.source, filepath.FromSlash(in)))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for _, e := range entries {
			name := path.Join(in, e.Name())
			if e.Type().IsRegular() && strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") && !ours[name] {
				l.replace[filepath.Join(l.source, filepath.FromSlash(name))] = ""
			}
		}
	}
	return nil
}

// write writes the files. Of two for the same path the later one counts.
func (l *layout) write() error {
	for _, f := range l.files {
		at := filepath.Join(l.work, "module", filepath.FromSlash(f.path))
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(at, f.text, 0o600); err != nil {
			return err
		}
		l.replace[filepath.Join(l.source, filepath.FromSlash(f.path))] = at
	}
	return nil
}
