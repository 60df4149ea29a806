// Package extract makes the two generated parts of the engine from the packages that are offered: export data for the
// type-checker (Export) and symbol files for the interpreter (Symbols). It needs a Go toolchain and runs under go
// generate and in the tests that find generated files stale; nothing that ships imports it.
package extract

import (
	"bytes"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"strings"
)

// load returns the packages in the order of paths, with types read from the toolchain's own export data. dir is a
// folder of the module that requires them.
func load(dir string, paths []string) ([]*types.Package, error) {
	list := exec.Command("go", append([]string{"list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}"}, paths...)...)
	list.Dir = dir
	var stderr bytes.Buffer
	list.Stderr = &stderr
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("listing the offered packages: %w: %s", err, stderr.Bytes())
	}
	archives := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, archive, _ := strings.Cut(strings.TrimSpace(line), "\t")
		archives[path] = archive
	}
	reader := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(archives[path])
	})
	loaded := make([]*types.Package, len(paths))
	for i, path := range paths {
		if loaded[i], err = reader.Import(path); err != nil {
			return nil, fmt.Errorf("reading the types of %s: %w", path, err)
		}
	}
	return loaded, nil
}
