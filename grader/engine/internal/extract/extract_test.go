package extract_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"fieldbook/grader/engine/internal/extract"
	"fieldbook/grader/engine/offered"
)

var all = flag.Bool("all", false, "extract the symbols of every package anew, which takes a minute")

const stale = "stale: run go generate ./grader/engine/... and commit the result"

// Export data is what the toolchain says today, and every symbol file was made from it.
func TestGeneratedFilesAreFresh(t *testing.T) {
	committed, err := os.ReadFile("../../export/packages.zip")
	if err != nil {
		t.Fatal(err)
	}
	fresh, err := extract.Export(".", offered.Packages())
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(committed, fresh) {
		t.Fatal("the export data is " + stale)
	}
	have := func(name string) []byte {
		old, _ := os.ReadFile(filepath.Join("../../symbols", name))
		return old
	}
	// A file whose header names other export data would be extracted here, and then differ.
	ask := have
	if *all {
		ask = func(string) []byte { return nil }
	}
	prints, err := extract.Fingerprints(fresh)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range offered.Packages() {
		if !bytes.HasPrefix(have(extract.FileName(path)), []byte(prints[path])) {
			t.Fatalf("the symbols of %s are %s", path, stale)
		}
	}
	files, err := extract.Symbols(offered.Packages(), fresh, ask)
	if err != nil {
		t.Fatal(err)
	}
	for name, source := range files {
		if !bytes.Equal(have(name), source) {
			t.Errorf("symbols/%s is %s", name, stale)
		}
	}
}

// The extractor and the rewriting of its output still give what is committed, for packages that are extracted quickly.
func TestSymbolsAreMadeTheSameWay(t *testing.T) {
	archive, err := os.ReadFile("../../export/packages.zip")
	if err != nil {
		t.Fatal(err)
	}
	paths := []string{"container/heap", "errors", "hash", "unicode/utf8", offered.Module + "/runtime/exercise"}
	files, err := extract.Symbols(paths, archive, func(string) []byte { return nil })
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		committed, err := os.ReadFile(filepath.Join("../../symbols", extract.FileName(path)))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(committed, files[extract.FileName(path)]) {
			t.Errorf("the symbols of %s would be written differently: %s", path, stale)
		}
	}
}
