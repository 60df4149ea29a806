package symbols_test

import (
	"go/types"
	"io"
	"path"
	"reflect"
	"testing"

	"fieldbook/grader/engine/export"
	"fieldbook/grader/engine/offered"
	"fieldbook/grader/engine/symbols"
	"fieldbook/runtime/database"
)

// Everything the type-checker accepts is there for the interpreter, but for generic functions and types, which lowering
// supplies as source, and constraints, which exist in types alone.
func TestSymbolsAreWhatTheTypesSay(t *testing.T) {
	packages, err := export.New()
	if err != nil {
		t.Fatal(err)
	}
	if err := packages.Load(offered.Packages()); err != nil {
		t.Fatal(err)
	}
	exports := symbols.Exports()
	for _, importPath := range offered.Packages() {
		names := exports[importPath+"/"+path.Base(importPath)]
		if names == nil {
			t.Errorf("%s has no symbols", importPath)
			continue
		}
		scope := packages.Lookup(importPath).Scope()
		for _, name := range scope.Names() {
			object := scope.Lookup(name)
			if !object.Exported() || generic(object) {
				continue
			}
			if _, ok := names[name]; !ok {
				t.Errorf("%s.%s has no symbol", importPath, name)
			}
		}
	}
	if len(exports) != len(offered.Packages()) {
		t.Errorf("%d packages have symbols, %d are offered", len(exports), len(offered.Packages()))
	}
}

func generic(object types.Object) bool {
	switch object := object.(type) {
	case *types.Func:
		return object.Signature().TypeParams().Len() > 0
	case *types.TypeName:
		if named, ok := object.Type().(*types.Named); ok && named.TypeParams().Len() > 0 {
			return true
		}
		i, ok := object.Type().Underlying().(*types.Interface)
		return ok && !i.IsMethodSet()
	}
	return false
}

// An assignment to a package variable in interpreted code stays there.
func TestVariablesAreCopies(t *testing.T) {
	first, second := symbols.Exports(), symbols.Exports()
	eof := first["io/io"]["EOF"]
	eof.Set(reflect.Zero(eof.Type()))
	if io.EOF == nil {
		t.Fatal("io.EOF of the host was assigned to")
	}
	if second["io/io"]["EOF"].IsNil() {
		t.Error("io.EOF of other symbols was assigned to")
	}
	noRows := first[offered.Module+"/runtime/database/database"]["ErrNoRows"]
	if noRows.Interface() != any(database.ErrNoRows) {
		t.Error("the copy of an error variable holds another error")
	}
}

// Interface wrappers let interpreted values satisfy compiled interfaces.
func TestInterfacesHaveWrappers(t *testing.T) {
	exports := symbols.Exports()
	for _, want := range [][2]string{{"io/io", "_Reader"}, {"fmt/fmt", "_Stringer"}, {"sort/sort", "_Interface"}, {"container/heap/heap", "_Interface"}, {"encoding/json/json", "_Marshaler"}} {
		if _, ok := exports[want[0]][want[1]]; !ok {
			t.Errorf("%s has no %s", want[0], want[1])
		}
	}
}

func BenchmarkExports(b *testing.B) {
	for b.Loop() {
		symbols.Exports()
	}
}
