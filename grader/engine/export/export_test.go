package export_test

import (
	"go/types"
	"testing"

	"fieldbook/grader/engine/export"
	"fieldbook/grader/engine/offered"
)

func TestEveryOfferedPackageIsEmbedded(t *testing.T) {
	packages := mustNew(t)
	if err := packages.Load(offered.Packages()); err != nil {
		t.Fatal(err)
	}
	packages.RLock()
	defer packages.RUnlock()
	for _, path := range offered.Packages() {
		pkg := packages.Lookup(path)
		if pkg == nil {
			t.Errorf("%s is offered and has no export data", path)
			continue
		}
		if pkg.Path() != path || len(pkg.Scope().Names()) == 0 {
			t.Errorf("%s: got package %s with %d names", path, pkg.Path(), len(pkg.Scope().Names()))
		}
	}
}

// A package that another one mentions is known in part; it must not be served before it was asked for.
func TestPackageKnownInPartIsNotServed(t *testing.T) {
	packages := mustNew(t)
	if err := packages.Load([]string{"bufio"}); err != nil {
		t.Fatal(err)
	}
	if packages.Lookup("io") != nil {
		t.Error("io was served although only bufio was loaded")
	}
	if err := packages.Load([]string{"io"}); err != nil {
		t.Fatal(err)
	}
	reader := packages.Lookup("io").Scope().Lookup("Reader").Type()
	newReader := packages.Lookup("bufio").Scope().Lookup("NewReader").Type().(*types.Signature)
	if !types.Identical(newReader.Params().At(0).Type(), reader) {
		t.Error("bufio's io.Reader and io's Reader differ")
	}
}

func TestPackageThatIsNotOfferedIsPassedOver(t *testing.T) {
	packages := mustNew(t)
	if err := packages.Load([]string{"os", "unsafe", "../evil"}); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"os", "unsafe", "../evil"} {
		if packages.Lookup(path) != nil {
			t.Errorf("%s was served", path)
		}
	}
}

func BenchmarkLoadAll(b *testing.B) {
	for b.Loop() {
		if err := mustNew(b).Load(offered.Packages()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLoadTypical(b *testing.B) {
	for b.Loop() {
		err := mustNew(b).Load([]string{"context", "errors", "fmt", "strings", "time", offered.Module + "/runtime/shop", "sort"})
		if err != nil {
			b.Fatal(err)
		}
	}
}

func mustNew(t testing.TB) *export.Packages {
	t.Helper()
	packages, err := export.New()
	if err != nil {
		t.Fatal(err)
	}
	return packages
}
