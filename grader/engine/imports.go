package engine

import (
	"fmt"
	"go/ast"
	"path"
	"strconv"
	"strings"

	"fieldbook/grader"
	"fieldbook/grader/engine/offered"
)

// imported is an import of a file: its path, unquoted, and the declaration.
type imported struct {
	path string
	spec *ast.ImportSpec
}

func (f *file) imports() []imported {
	var list []imported
	for _, spec := range f.syntax.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err == nil {
			list = append(list, imported{p, spec})
		}
	}
	return list
}

// checkImports holds a learner's imports to what is offered. copied says whether the copy has a package of that path.
func (f *file) checkImports(rules Rules, copied func(string) bool) []grader.Diagnostic {
	var found []grader.Diagnostic
	for _, i := range f.imports() {
		switch {
		case i.path == "C":
			found = append(found, f.node(codeCgo, i.spec.Path, "cgo is not available here", `Remove import "C" and the comment above it.`))
		case rules.RefuseClock && i.path == "math/rand":
			found = append(found, f.node(codeClock, i.spec.Path, "math/rand is not used here: a run must be repeatable", clockHint))
		case !offered.Has(i.path) && !copied(i.path):
			found = append(found, f.node(codeImport, i.spec.Path, fmt.Sprintf("package %s is not offered here", i.path), offer(i.path)))
		case i.spec.Name != nil && i.spec.Name.Name == "." && inModule(i.path):
			found = append(found, f.node(codeDotImport, i.spec, "a dot import of the runtime is not accepted: its names would hide yours",
				fmt.Sprintf("Write import %q and put %s. before its names.", i.path, path.Base(i.path))))
		}
	}
	return found
}

func inModule(p string) bool { return strings.HasPrefix(p, offered.Module+"/") }

// offer says what may be imported, and which offered package serves instead, where one does.
func offer(wanted string) string {
	var instead string
	switch {
	case wanted == "os" || wanted == "path/filepath" || wanted == "io/fs" || wanted == "io/ioutil":
		instead = fmt.Sprintf("Files are reached through %q, which records what it does. ", offered.Module+"/runtime/files")
	case wanted == "database/sql":
		instead = fmt.Sprintf("Databases are reached through %q, which records what it does. ", offered.Module+"/runtime/database")
	case wanted == "crypto/rand" || wanted == "math/rand/v2":
		instead = "Fresh identities are handed to you, so that a run can be repeated. "
	case wanted == "log" || wanted == "log/slog":
		instead = `Print with "fmt". `
	default:
		if near := nearest(wanted, offered.Packages()); near != "" {
			instead = fmt.Sprintf("Did you mean %q? ", near)
		}
	}
	return instead + "Offered are " + shortList() + "."
}

// shortList is the list of what is offered, with the paths of the standard library's families drawn together:
// "container/{heap, list, ring}".
func shortList() string {
	var parts []string
	family := map[string]int{} // index into parts
	for _, p := range offered.Packages() {
		dir, base := path.Split(p)
		if dir == "" {
			parts = append(parts, p)
			family[p+"/"] = -1
			continue
		}
		if i, ok := family[dir]; ok && i >= 0 {
			parts[i] = strings.TrimSuffix(strings.Replace(parts[i], "{", "", 1), "}")
			folder, bases := path.Dir(parts[i])+"/", parts[i][len(dir):]
			parts[i] = folder + "{" + bases + ", " + base + "}"
			continue
		}
		family[dir] = len(parts)
		parts = append(parts, p)
	}
	return strings.Join(parts, ", ")
}
